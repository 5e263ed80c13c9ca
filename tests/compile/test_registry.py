"""Compilers by name: each is found where the table says, imported when asked for, and one more is a file and a line."""

import json
import math
import sqlite3
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from logical_retriever.compile.registry import COMPILERS, compiler_class, get_compiler
from logical_retriever.errors import StoreCapabilityError
from logical_retriever.query import parse
from logical_retriever.stores import InMemoryStore, PushdownTarget, StoredDocument
from logical_retriever.stores.base import PushdownAnswer
from logical_retriever.testing.pushdown_suite import letters
from logical_retriever.testing.searching import find

THE_FILE = """
from logical_retriever.compile.sql import SqlCompiler


class SqliteCompiler(SqlCompiler):
    engine = "SQLite with JSON"

    def quoted(self, name):
        return '"' + name.replace('"', '""') + '"'

    def marker(self, name):
        return f":{name}"

    def vector_marker(self, name, dimension):
        return f":{name}"

    def vector_value(self, components):
        return str(components)

    def cosine_of(self, column, vector):
        return f"cosine({column}, {vector})"

    def as_text(self, column):
        return f"CAST({column} AS TEXT)"

    def minimum(self, left, right):
        return f"min({left}, {right})"

    def maximum(self, left, right):
        return f"max({left}, {right})"
"""


class SqliteStore(InMemoryStore):
    """Documents in this process, and beside them in a table of SQLite, which computes the scores."""

    capabilities = replace(InMemoryStore.capabilities, name="SQLite", in_process=False, scan=False)

    def __init__(self, documents, vectors):
        super().__init__(documents, vectors)
        self.connection = sqlite3.connect(":memory:")
        self.connection.create_function("cosine", 2, cosine)
        self.connection.execute("CREATE TABLE docs (id TEXT, embedding TEXT)")
        rows = [(d.id, str(v)) for d, v in zip(documents, vectors.tolist(), strict=True)]
        self.connection.executemany("INSERT INTO docs VALUES (?, ?)", rows)

    def pushdown_target(self, filter=None):
        return PushdownTarget("SQLite with JSON", {"table": {"name": "docs"}})

    def execute(self, statement, parameters, filter=None):
        return PushdownAnswer(tuple(id for id, _ in self.connection.execute(statement, dict(parameters))), statement)


def cosine(one, other):
    x, y = json.loads(one), json.loads(other)
    return math.fsum(a * b for a, b in zip(x, y, strict=True)) / (math.hypot(*x) * math.hypot(*y))


@pytest.mark.parametrize("engine", COMPILERS)
def test_every_engine_has_the_compiler_of_its_name(engine):
    assert compiler_class(engine).engine == engine


def test_compilers_are_imported_when_they_are_asked_for():
    modules = {path.partition(":")[0] for path in COMPILERS.values()}
    code = f"import sys, logical_retriever.compile.registry\nprint(sorted({modules!r} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_an_engine_without_a_compiler_is_named():
    with pytest.raises(StoreCapabilityError, match="no compiler for the engine 'Excel'"):
        get_compiler("Excel", {})


@pytest.mark.parametrize("semantics", ["calibrated", "product", "itlr", "lukasiewicz"])
def test_a_new_compiler_is_one_file_and_one_line(tmp_path, monkeypatch, semantics):
    (tmp_path / "sqlite_compiler.py").write_text(THE_FILE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(COMPILERS, "SQLite with JSON", "sqlite_compiler:SqliteCompiler")
    vectors = np.random.default_rng(2).normal(size=(300, 8)).astype(np.float32)
    documents = [StoredDocument(f"d{i:03}", f"text {i}") for i in range(300)]
    query = parse('("a" OR "b") AND NOT "c"')
    found = find(query, SqliteStore(documents, vectors), letters(), semantics, k=10, pushdown="always")
    expected = find(query, InMemoryStore(documents, vectors), letters(), semantics, k=10)
    assert found.plan.strategy == "pushdown"
    assert found.exact
    assert "cosine(documents" in found.plan.statement
    assert [d.id for d in found.documents] == [d.id for d in expected.documents]

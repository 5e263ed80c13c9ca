"""Compilers as classes: complete when they are defined, checked arguments, and what each can say."""

import numpy as np
import pytest

from logical_retriever.compile import CompiledQuery, Compiler, Table
from logical_retriever.compile.base import method
from logical_retriever.compile.clickhouse import ClickHouseCompiler
from logical_retriever.compile.duckdb import DuckDBCompiler
from logical_retriever.compile.expression import NODES, Constant, Exp, Log, Log1p
from logical_retriever.compile.pgvector import PgvectorCompiler
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError, VectorMismatchError
from logical_retriever.lab.support import support, support_table
from logical_retriever.query import Term, parse
from logical_retriever.semantics import CalibratedSemantics, NullDistributions, ProductSemantics
from logical_retriever.testing.compiler_corpus import HOSTILE

SQL = [PgvectorCompiler, DuckDBCompiler, ClickHouseCompiler]
QUERY, SEMANTICS, VECTORS = parse("a AND NOT b"), ProductSemantics(), np.eye(2)
WORDS = {method(node): lambda self, *parts: f"({' '.join(map(str, parts))})" for node in NODES}


def defined(**members):
    def request(self, request):
        return self.print(request.lowered.expression), {}

    return type("Mine", (Compiler,), {"engine": "Mine", "request": request, **members})


def test_a_compiler_that_forgets_a_node_cannot_be_defined():
    for node in NODES:
        words = {name: word for name, word in WORDS.items() if name != method(node)}
        with pytest.raises(TypeError, match=f"Mine says nothing about {node.__name__}"):
            defined(**words)
        defined(**words, unsupported={node: "it has no such function"})


def test_what_an_engine_cannot_say_is_named_when_it_is_needed():
    words = {name: word for name, word in WORDS.items() if name not in ("exp", "log1p", "log")}
    compiler = defined(**words, unsupported={Exp: "it has no exponential", Log1p: "neither", Log: "neither"})()
    assert compiler.compile(QUERY, SEMANTICS, VECTORS, k=1).statement == "(((0) (0.0)) ((1.0) ((1) (0.0))))"
    with pytest.raises(UnsupportedByEngineError, match="Mine cannot say Exp: it has no exponential"):
        compiler.compile(QUERY, CalibratedSemantics(), VECTORS, k=1, nulls=NullDistributions(np.zeros(2), np.ones(2)))


def test_support_is_read_off_the_classes():
    words = {name: word for name, word in WORDS.items() if name != "exp"}
    mine = defined(**words, unsupported={Exp: "it has no exponential"}, fidelities=("superset",))
    entries = {(e.engine, e.semantics, e.operator): e for e in support([*SQL, mine])}
    assert entries["pgvector", "calibrated", "AND"].fidelities == ("exact", "superset")
    assert entries["DuckDB", "itlr", "NOT (negation reciprocal)"].fidelities == ("exact",)
    assert entries["Mine", "calibrated", "NOT"].reason == "Exp: it has no exponential"
    assert entries["Mine", "calibrated", "term"].fidelities == ("superset",)
    assert "'nsfl'" in entries["ClickHouse", "nsfl", "OR"].reason
    table = support_table([*SQL, mine]).splitlines()
    assert table[0] == "| semantics | pgvector | DuckDB | ClickHouse | Mine |"
    assert "| calibrated: term | exact, superset | exact | exact, superset | superset |" in table
    assert "| calibrated: OR | exact, superset | exact | exact, superset | no |" in table
    assert "| itlr | exact, superset | exact | exact, superset | superset |" in table
    assert "| nsfl: AND | no | no | no | no |" in table
    assert "| nsfl: OR (operators fused) | exact, superset | exact | exact, superset | superset |" in table
    assert not any("wording" in row for row in table)


def test_a_compiled_query_is_plain_data():
    compiled = DuckDBCompiler("t").compile(QUERY, SEMANTICS, VECTORS * 5, k=3)
    assert (compiled.engine, compiled.fidelity, compiled.texts, compiled.k) == ("DuckDB", "exact", ("a", "b"), 3)
    assert dict(compiled.parameters) == {"v0": [1.0, 0.0], "v1": [0.0, 1.0], "k": 3}
    with pytest.raises(TypeError):
        compiled.parameters["k"] = 4
    assert CompiledQuery("e", {"a": 1}, "exact", (), 1).parameters == {}


def test_arguments_are_checked():
    compiler = PgvectorCompiler("t")
    for wrong in ({"k": 0}, {"k": 1, "fetch_k": 0}):
        with pytest.raises(InvalidArgumentError, match="of at least 1"):
            compiler.compile(QUERY, SEMANTICS, VECTORS, **wrong)
    for vectors in (np.eye(3), np.ones(2), np.ones((2, 0)), np.ones((1, 2))):
        with pytest.raises(VectorMismatchError, match="2 texts have vectors of shape"):
            compiler.compile(QUERY, SEMANTICS, vectors, k=1)
    with pytest.raises(UnsupportedByEngineError, match="DuckDB has no request of fidelity 'superset'"):
        DuckDBCompiler("t").compile(QUERY, SEMANTICS, VECTORS, k=1, fetch_k=5)
    with pytest.raises(UnsupportedByEngineError, match="about none of its terms"):
        compiler.compile(parse("NOT a"), SEMANTICS, VECTORS[:1], k=1, fetch_k=5)


def test_lists_are_never_shorter_than_the_answer():
    assert PgvectorCompiler("t").compile(QUERY, SEMANTICS, VECTORS, k=9, fetch_k=2).parameters["n"] == 9


def test_constants_are_finite():
    for value in (float("nan"), float("inf")):
        with pytest.raises(InvalidArgumentError, match="finite"):
            Constant(value)


@pytest.mark.parametrize("compiler", SQL)
def test_names_are_checked(compiler):
    for name in ("", (), ("a", ""), "a\0b", "\ud800", None, ("a", 5)):
        with pytest.raises(InvalidArgumentError):
            compiler(Table(name))
    for columns in ({"id": ""}, {"vector": "a\0"}):
        with pytest.raises(InvalidArgumentError):
            compiler(Table("t", **columns))


@pytest.mark.parametrize("compiler", SQL)
def test_terms_are_vectors_and_never_text(compiler):
    plain = compiler("t").compile(parse("a AND NOT b"), SEMANTICS, VECTORS, k=1)
    for text in (*HOSTILE, "a\0b"):
        hostile = compiler("t").compile(Term(text) & ~Term(f"{text}!"), SEMANTICS, VECTORS, k=1)
        assert (hostile.statement, hostile.parameters) == (plain.statement, plain.parameters)
        assert hostile.texts == (text, f"{text}!")


@pytest.mark.parametrize("compiler", SQL)
def test_texts_without_direction_leave_a_constant(compiler):
    compiled = compiler("t").compile(QUERY, SEMANTICS, np.zeros((2, 2)), k=1)
    assert "c0" not in compiled.statement
    assert set(compiled.parameters) == {"k"}

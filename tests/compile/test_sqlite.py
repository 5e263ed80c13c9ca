"""Compiled queries on SQLite with sqlite-vec."""

from itertools import count

import pytest
import sqlite_vec_connection

from logical_retriever.compile import Table
from logical_retriever.compile.sqlite import SQLiteCompiler
from logical_retriever.query import Term, parse
from logical_retriever.semantics import ProductSemantics
from logical_retriever.testing.compiler_corpus import SEMANTICS, ask, corpus
from logical_retriever.testing.compiler_suite import CompilerSuite


def filled(connection, documents, name):
    """A table with names that have everything in them that could end them, and columns like our own aliases."""
    quoted = '"' + name.replace('"', '""') + '"'
    connection.execute(f"CREATE TABLE {quoted} (score TEXT COLLATE NOCASE, c0 BLOB)")
    rows = [(id, vector.tobytes()) for id, vector in zip(documents.ids, documents.vectors, strict=True)]
    connection.executemany(f"INSERT INTO {quoted} VALUES (?, ?)", rows)
    return Table(name, id="score", vector="c0", unit=documents.unit)


class TestSQLite(CompilerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def load(cls):
        connection, numbers = sqlite_vec_connection.connect(), count()

        def load(corpus):
            table = filled(connection, corpus, f'the "documents"; :k \' -- $1 {next(numbers)}')
            return SQLiteCompiler(table), lambda c: connection.execute(c.statement, dict(c.parameters)).fetchall()

        yield load
        connection.close()


def test_cosines_are_computed_once():
    connection, documents = sqlite_vec_connection.connect(), corpus()
    table = filled(connection, documents, "docs")
    asked = ask(parse("(a OR b) AND NOT c"), SEMANTICS["calibrated"], documents)
    compiled = SQLiteCompiler(table).compile(**asked.arguments, k=5)
    program = connection.execute(f"EXPLAIN {compiled.statement}", dict(compiled.parameters)).fetchall()
    assert sum("vec_distance_cosine" in str(step) for step in program) == 3
    connection.close()


@pytest.mark.parametrize("value", ["'text'", "1", "x'00'"])
def test_a_column_that_is_no_vector(value):
    connection = sqlite_vec_connection.connect()
    connection.execute(f"CREATE TABLE docs AS SELECT 'a' AS id, {value} AS embedding")
    compiled = SQLiteCompiler("docs").compile(Term("a"), ProductSemantics(), [[1.0] * 8], k=1)
    with pytest.raises(connection.OperationalError):
        connection.execute(compiled.statement, dict(compiled.parameters)).fetchall()
    connection.close()

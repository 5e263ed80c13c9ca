"""Compiled queries on DuckDB."""

from itertools import count

import duckdb
import pytest

from logical_retriever.compile import Table
from logical_retriever.compile.duckdb import DuckDBCompiler
from logical_retriever.query import Term
from logical_retriever.semantics import ProductSemantics
from logical_retriever.testing.compiler_suite import CompilerSuite


def runner(connection):
    return lambda compiled: connection.execute(compiled.statement, dict(compiled.parameters)).fetchall()


class TestDuckDB(CompilerSuite):
    raises = duckdb.Error

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls):
        numbers = count()
        connection = duckdb.connect()

        def load(corpus):
            # Names with everything in them that could end them, and columns named like our own aliases.
            name = f'the "documents"; $1 \' %s {next(numbers)}'
            quoted = '"' + name.replace('"', '""') + '"'
            connection.execute(f"CREATE TABLE {quoted} (score VARCHAR, c0 FLOAT[8])")
            rows = zip(corpus.ids, corpus.vectors.tolist(), strict=True)
            connection.executemany(f"INSERT INTO {quoted} VALUES (?, ?)", [list(row) for row in rows])
            return DuckDBCompiler(Table(name, id="score", vector="c0", unit=corpus.unit)), runner(connection)

        yield load
        connection.close()


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


@pytest.mark.parametrize("column", ["VARCHAR", "FLOAT[3]", "FLOAT[]", "INTEGER"])
def test_a_column_that_is_no_vector_of_this_dimension(connection, column):
    connection.execute(f"CREATE TABLE docs (id VARCHAR, embedding {column})")
    compiled = DuckDBCompiler("docs").compile(Term("a"), ProductSemantics(), [[1, 0]], k=3)
    with pytest.raises(duckdb.BinderException):
        runner(connection)(compiled)
    assert connection.execute("SELECT 1").fetchall() == [(1,)]


def test_rows_without_a_vector_are_no_documents(connection):
    connection.execute("CREATE TABLE docs (id INTEGER, embedding FLOAT[2])")
    connection.execute("INSERT INTO docs VALUES (10, [1, 0]), (9, NULL), (8, [0, 0]), (11, [1, 0])")
    compiled = DuckDBCompiler("docs").compile(Term("a"), ProductSemantics(), [[3, 0]], k=9)
    assert runner(connection)(compiled) == [(10, 1.0), (11, 1.0), (8, 0.0)]

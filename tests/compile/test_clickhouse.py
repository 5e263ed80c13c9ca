"""Compiled queries on ClickHouse, in this process."""

import json
from itertools import count

import pytest

from logical_retriever.compile import Table
from logical_retriever.compile.clickhouse import ClickHouseCompiler
from logical_retriever.query import Term
from logical_retriever.semantics import ProductSemantics
from logical_retriever.testing.compiler_suite import CompilerSuite

NUMBERS = count()


@pytest.fixture(scope="module")
def session():
    from chdb.session import Session

    session = Session()
    session.query("CREATE DATABASE `d.b` ENGINE = Atomic")
    yield session
    session.close()


def runner(session):
    def run(compiled):
        found = session.query(compiled.statement, "JSONCompactEachRow", params=dict(compiled.parameters))
        return [(id, float(score)) for id, score in map(json.loads, str(found).splitlines())]

    return run


def filled(session, corpus):
    """A table with a name that has everything in it that could end it; columns are named like our aliases."""
    name = f"it's \\ ` \" {{k:Int64}} $1; -- {next(NUMBERS)}"
    quoted = "`d.b`.`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
    session.query(f"CREATE TABLE {quoted} (score String, c0 Array(Float32)) ENGINE = MergeTree ORDER BY score")
    rows = zip(corpus.ids, corpus.vectors.tolist(), strict=True)
    lines = "\n".join(json.dumps(dict(zip(("score", "c0"), row, strict=True)), ensure_ascii=False) for row in rows)
    session.query(f"INSERT INTO {quoted} FORMAT JSONEachRow {lines}")
    return Table(("d.b", name), id="score", vector="c0", unit=corpus.unit)


class TestClickHouse(CompilerSuite):
    raises = RuntimeError

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, session):
        return lambda corpus: (ClickHouseCompiler(filled(session, corpus)), runner(session))


def test_a_column_that_is_no_vector(session):
    session.query("CREATE TABLE `d.b`.plain (id String, embedding String) ENGINE = MergeTree ORDER BY id")
    session.query("INSERT INTO `d.b`.plain VALUES ('a', 'b')")
    compiled = ClickHouseCompiler(Table(("d.b", "plain"))).compile(Term("a"), ProductSemantics(), [[1, 0]], k=1)
    with pytest.raises(RuntimeError):
        runner(session)(compiled)
    assert str(session.query("SELECT 1")).strip() == "1"


def test_rows_without_a_vector_are_no_documents(session):
    session.query("CREATE TABLE `d.b`.some (id String, embedding Array(Float32)) ENGINE = Memory")
    session.query("INSERT INTO `d.b`.some VALUES ('1', [1, 0]), ('2', [0, 0]), ('3', [])")
    compiled = ClickHouseCompiler(Table(("d.b", "some"))).compile(Term("a"), ProductSemantics(), [[1, 0]], k=3)
    assert runner(session)(compiled) == [("1", 1.0), ("2", 0.0)]

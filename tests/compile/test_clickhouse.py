"""Compiled queries on ClickHouse, in this process."""

import json
from itertools import count

import pytest

from logical_retriever.compile import Condition, Table
from logical_retriever.compile.clickhouse import ClickHouseCompiler, escaped
from logical_retriever.query import Term, parse
from logical_retriever.semantics import ProductSemantics
from logical_retriever.testing.compiler_corpus import SEMANTICS, ask, corpus
from logical_retriever.testing.compiler_suite import CompilerSuite

COLUMNS = "kind String, rank Nullable(Int64), weight Float64, flag Bool"
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
        found = session.query(compiled.statement, "JSONCompactEachRow", params=escaped(compiled.parameters))
        return [(id, float(score)) for id, score in map(json.loads, str(found).splitlines())]

    return run


def filled(session, corpus, index=""):
    """A table with a name that has everything in it that could end it; columns are named like our aliases."""
    name = f"it's \\ ` \" {{k:Int64}} $1; -- {next(NUMBERS)}"
    quoted = "`d.b`.`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
    session.query(
        f"CREATE TABLE {quoted} (score String, c0 Array(Float32), {COLUMNS}{index}) ENGINE = MergeTree ORDER BY score"
    )
    rows = zip(corpus.ids, corpus.vectors.tolist(), *corpus.columns.values(), strict=True)
    names = ("score", "c0", *corpus.columns)
    lines = "\n".join(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)
    session.query(f"INSERT INTO {quoted} FORMAT JSONEachRow {lines}")
    return Table(("d.b", name), id="score", vector="c0", unit=corpus.unit)


class Suite(CompilerSuite):
    raises = RuntimeError
    index = ""

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, session):
        def load(corpus):
            return ClickHouseCompiler(filled(session, corpus, cls.index)), runner(session)

        return load


class TestPlain(Suite):
    pass


class TestIndexed(Suite):
    trees = 4
    index = ", INDEX near c0 TYPE vector_similarity('hnsw', 'cosineDistance', 8)"


def test_an_index_serves_the_superset_form(session):
    documents = corpus(unit_length=True)
    table = filled(session, documents, TestIndexed.index)
    asked = ask(parse("(a OR b) AND NOT c"), SEMANTICS["product"], documents)
    compiled = ClickHouseCompiler(table).compile(**asked.arguments, k=5, fetch_k=20)
    # The lists alone: they have been read when the plan of the rest is made.
    start = compiled.statement.index("SELECT candidates.id")
    lists = compiled.statement[start : compiled.statement.index("AS candidates") + len("AS candidates")]
    plan = session.query(f"EXPLAIN indexes = 1 {lists}", "TSVRaw", params=escaped(compiled.parameters))
    assert str(plan).count("Granules") >= 2
    assert str(plan).count("vector_similarity") == 2, plan


def test_a_column_that_is_no_vector(session):
    session.query("CREATE TABLE `d.b`.plain (id String, embedding String) ENGINE = MergeTree ORDER BY id")
    session.query("INSERT INTO `d.b`.plain VALUES ('a', 'b')")
    compiled = ClickHouseCompiler(Table(("d.b", "plain"))).compile(Term("a"), ProductSemantics(), [[1, 0]], k=1)
    with pytest.raises(RuntimeError):
        runner(session)(compiled)
    assert str(session.query("SELECT 1")).strip() == "1"


def test_text_with_the_character_nul(session):
    session.query("CREATE TABLE `d.b`.nul (id String, embedding Array(Float32), kind String) ENGINE = Memory")
    session.query("INSERT INTO `d.b`.nul VALUES ('1', [1, 0], 'a\\0b'), ('2', [1, 0], 'a'), ('3', [], 'a')")
    for kind, ids in (("a\0b", ["1"]), ("a", ["2"]), ("a\0", [])):  # a row without a vector is no document
        filter = [Condition("kind", "=", kind)]
        compiler = ClickHouseCompiler(Table(("d.b", "nul")))
        compiled = compiler.compile(Term("a"), ProductSemantics(), [[1, 0]], k=3, filter=filter)
        assert [id for id, _ in runner(session)(compiled)] == ids

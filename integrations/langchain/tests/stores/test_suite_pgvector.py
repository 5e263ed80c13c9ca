"""A real Postgres with pgvector, started for these tests, under both generations of langchain-postgres."""

import asyncio
import uuid
from dataclasses import replace
from datetime import date
from functools import partial
from types import MappingProxyType
from uuid import UUID

import numpy as np
import pytest
from engine_scoring_suite import EngineScoringSuite, letters
from langchain_postgres import PGEngine, PGVector, PGVectorStore
from langchain_postgres.v2.hybrid_search_config import HybridSearchConfig
from langchain_postgres.v2.indexes import DistanceStrategy, HNSWIndex, HNSWQueryOptions
from langchain_postgres.vectorstores import DistanceStrategy as FirstStrategy
from languages import EnglishSuite
from postgres_server import postgres_server
from sqlalchemy import create_engine, text

from langchain_logical_retriever.stores import as_store
from logical_retriever.errors import StoreError, UnsupportedStoreError
from logical_retriever.stores import ScoreExpression, SqlFilter
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import DIMENSION, FIELDS, corpus, holding
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines


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


class First:
    strategy = FirstStrategy.COSINE

    def equals(self, key, value):
        return SqlFilter(f"cmetadata ->> '{key}' = :value", {"value": value})

    @pytest.fixture
    def make_store(self, engine, given_embeddings, fill, new_name):
        def make(documents, vectors):
            embeddings = given_embeddings(documents, vectors)
            settings = {"connection": engine, "distance_strategy": self.strategy, "create_extension": False}
            own, other = (PGVector(embeddings, collection_name=new_name(), **settings) for _ in range(2))
            with engine.connect() as connection:  # an id can be in one collection of the table only
                connection.execute(text("TRUNCATE langchain_pg_embedding"))
                connection.commit()
            other.add_texts(["in another collection"], [{"kind": "odd"}], ids=["other"])
            return as_store(fill(own, documents))

        return make

    def delete(self, store, ids):
        store.vectorstore.delete(ids=list(ids))


class TestPGVector(First, StoreSuite):
    fields = holding(lambda name, value: value == value and not isinstance(value, date))  # JSON has no NaN


class TestPGVectorEngineScoring(First, EngineScoringSuite):
    pass


class TestPGVectorEuclidean(First, RankingSuite):
    strategy = FirstStrategy.EUCLIDEAN


class TestPGVectorInnerProduct(First, RankingSuite):
    strategy = FirstStrategy.MAX_INNER_PRODUCT


COLUMNS = MappingProxyType(
    {
        **{"kind": "TEXT", "year": "BIGINT", "rating": "DOUBLE PRECISION", "language": "VARCHAR", "genres": "TEXT[]"},
        **{"animated": "BOOLEAN", "select": "SMALLINT", "été": "TEXT", "released": "DATE", "seen": "TIMESTAMP"},
    }
)
"""Columns of metadata; what has none is in the JSON object."""


class Second:
    strategy = DistanceStrategy.COSINE_DISTANCE
    delete = First.delete

    def equals(self, key, value):
        return {key: value}

    id_type = "TEXT"
    hybrid = None

    @pytest.fixture
    def make_store(self, make_table):
        return partial(make_table, {"kind": "TEXT"})

    @pytest.fixture
    def make_described(self, make_table):
        return partial(make_table, COLUMNS)

    @pytest.fixture
    def make_table(self, pg_engine, given_embeddings, fill, new_name):
        def make(columns, documents, vectors):
            table = new_name()
            pg_engine.init_vectorstore_table(
                table,
                DIMENSION,
                id_column={"name": "langchain_id", "data_type": self.id_type, "nullable": False},
                metadata_columns=[{"name": n, "data_type": kind, "nullable": True} for n, kind in columns.items()],
                hybrid_search_config=self.hybrid,
            )
            vectorstore = PGVectorStore.create_sync(
                pg_engine,
                given_embeddings(documents, vectors),
                table,
                metadata_columns=list(columns),
                distance_strategy=self.strategy,
                hybrid_search_config=self.hybrid,
            )
            fill(vectorstore, documents)
            self.index(vectorstore)
            return as_store(vectorstore)

        return make

    def index(self, vectorstore):
        pass


class TestPGVectorStore(Second, StoreSuite):
    fields = FIELDS
    ids = MappingProxyType(
        {"TEXT": "text", "VARCHAR(200)": "text", "INTEGER": "int32", "BIGINT": "int64", "UUID": "UUID"}
    )


class TestPGVectorStoreEngineScoring(Second, EngineScoringSuite):
    ids = TestPGVectorStore.ids
    id_type = "UUID"

    def make_id(self, i):
        return UUID(int=i)


class TestPGVectorStoreHybrid(Second, EnglishSuite):
    """With a column of words in a language of its own."""

    hybrid = HybridSearchConfig(tsv_column="words", tsv_lang="pg_catalog.english")


class TestPGVectorStoreOfAnyNames(Second):
    def test_columns_of_metadata_may_have_any_names(self, make_table):
        columns = dict.fromkeys(("list", "distance", "vector", "text", "lr_id"), "TEXT")
        plain, vectors = corpus(lambda i: f"d{i}", 20)
        documents = [replace(d, metadata={column: f"{column} of {d.id}" for column in columns}) for d in plain]
        lists, batch = make_table(columns, documents, vectors).search(vectors[[3, 7]], 4)
        assert [ids[0] for ids in lists] == ["d3", "d7"]
        assert {document.id: document.metadata for document in batch.documents}["d7"] == documents[7].metadata


class TestPGVectorStoreEuclidean(Second, RankingSuite):
    strategy = DistanceStrategy.EUCLIDEAN


class TestPGVectorStoreInnerProduct(Second, RankingSuite):
    strategy = DistanceStrategy.INNER_PRODUCT


class TestPGVectorStoreHNSW(Second, RankingSuite):
    def index(self, vectorstore):
        vectorstore.apply_vector_index(HNSWIndex())


@pytest.fixture
def table(pg_engine, given_embeddings, fill, new_name):
    """A store of 300 documents with UUIDs, in a schema and with columns of other names than the usual."""
    columns = {"content_column": "passage", "embedding_column": "e", "metadata_json_column": "more"}
    documents, vectors = corpus(lambda i: UUID(int=i), 300)
    embeddings, name, options = given_embeddings(documents, vectors), new_name(), HNSWQueryOptions(ef_search=50)
    pg_engine.init_vectorstore_table(name, DIMENSION, **columns)
    vectorstore = PGVectorStore.create_sync(pg_engine, embeddings, name, **columns, index_query_options=options)
    return fill(vectorstore, documents), documents, vectors


def test_identities_may_be_uuids_and_columns_have_other_names(table):
    vectorstore, documents, vectors = table
    store = as_store(vectorstore)
    batch = store.fetch([documents[7].id, uuid.uuid4(), documents[2].id])
    assert batch.ids == (documents[7].id, documents[2].id)
    assert (batch.documents[0].text, batch.documents[0].metadata) == ("text 7", {"kind": "odd", "rank": 7})
    np.testing.assert_allclose(batch.vectors, vectors[[7, 2]], rtol=1e-5)


def test_an_hnsw_index_gives_as_many_rows_as_are_asked_for(table, engine):
    vectorstore, _, vectors = table
    store = as_store(vectorstore)
    assert store.capabilities.exact_search
    vectorstore.apply_vector_index(HNSWIndex())
    assert not store.capabilities.exact_search
    with engine.connect() as connection:  # a table this small would be walked through
        connection.execute(text("ALTER ROLE postgres SET enable_seqscan = off"))
        connection.commit()
    asyncio.run(vectorstore._engine.close())
    try:
        assert len(vectorstore.similarity_search_by_vector(vectors[0].tolist(), k=200)) < 200
        assert len(store.search(vectors[:1], 200)[0][0]) == 200
    finally:
        with engine.connect() as connection:
            connection.execute(text("ALTER ROLE postgres RESET enable_seqscan"))
            connection.commit()
        asyncio.run(vectorstore._engine.close())


def test_a_store_that_refuses_synchronous_calls_is_refused(url, pg_engine, table):
    store = PGVector(table[0].embeddings, connection=url, async_mode=True)
    with pytest.raises(UnsupportedStoreError, match="async_mode"):
        as_store(store)
    vectorstore = table[0]
    vectorstore._engine = PGEngine.from_engine(pg_engine._pool)
    with pytest.raises(UnsupportedStoreError, match="no event loop"):
        as_store(vectorstore)


def test_a_lost_connection_is_a_store_error_and_the_next_one_goes_on(engine, url, given_embeddings, fill):
    documents, vectors = corpus(lambda i: f"d{i}", 50)
    embeddings = given_embeddings(documents, vectors)
    store = as_store(fill(PGVector(embeddings, connection=engine, create_extension=False), documents))
    expression = ScoreExpression("lr_c0 * (1e0 - lr_c1)", np.array(list(letters().values())[:2]))
    assert len(store.search_by_score(expression, 5).ids) == 5
    other = create_engine(url)
    with other.connect() as connection:
        others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
        ended = text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
        assert connection.execute(ended).all()
    other.dispose()
    with pytest.raises(StoreError, match=r"terminating connection|closed"):
        store.search_by_score(expression, 5)
    assert len(store.search_by_score(expression, 5).ids) == 5

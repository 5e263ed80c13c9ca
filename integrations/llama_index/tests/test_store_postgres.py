"""A real Postgres with pgvector, started for these tests, under LlamaIndex's ``PGVectorStore``."""

import uuid
from typing import ClassVar

import pytest
from engine_scoring_suite import EngineScoringSuite
from languages import EnglishSuite
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import FilterCondition, MetadataFilter, MetadataFilters
from llama_index.vector_stores.postgres import PGVectorStore
from postgres_server import postgres_server
from sqlalchemy import create_engine
from sqlalchemy.ext.asyncio import create_async_engine

from llama_index.retrievers.logical import LogicalRetriever
from llama_index.retrievers.logical.stores import as_store
from logical_retriever.errors import InvalidArgumentError, StoreError, UnsupportedStoreError
from logical_retriever.testing.fakes import GivenEmbedder
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import DIMENSION
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def engines():
    with postgres_server() as address:
        url = address.replace("postgresql://", "postgresql+psycopg://")
        engine = create_engine(url)
        yield {"engine": engine, "async_engine": create_async_engine(url)}
        engine.dispose()


@pytest.fixture
def vector_store(engines):
    return lambda **options: PGVectorStore(table_name=f"t{uuid.uuid4().hex}", embed_dim=DIMENSION, **engines, **options)


class Postgres:
    options: ClassVar = {}

    @pytest.fixture
    def make_store(self, vector_store, hashing):
        def make(documents, vectors):
            nodes = [
                TextNode(id_=d.id, text=d.text, metadata=dict(d.metadata), embedding=vector.tolist())
                for d, vector in zip(documents, vectors, strict=True)
            ]
            context = StorageContext.from_defaults(vector_store=vector_store(**self.options))
            index = VectorStoreIndex(nodes, storage_context=context, embed_model=hashing(DIMENSION))
            return as_store(index, object.__new__(GivenEmbedder))[0]

        return make

    def delete(self, store, ids):
        store.index.delete_nodes(list(ids))

    def equals(self, key, value):
        return MetadataFilters(filters=[MetadataFilter(key=key, value=value)])


class TestPostgres(Postgres, StoreSuite):
    pass


class TestPostgresHybrid(Postgres, EnglishSuite):
    """With a column of words in a language of its own."""

    options: ClassVar = {"hybrid_search": True, "text_search_config": "english"}


class TestPostgresEngineScoring(Postgres, EngineScoringSuite):
    pass


HNSW = {"hnsw_m": 16, "hnsw_ef_construction": 64, "hnsw_ef_search": 40, "hnsw_dist_method": "vector_cosine_ops"}


class TestPostgresHNSW(Postgres, RankingSuite):
    options: ClassVar = {"hnsw_kwargs": HNSW}


NODES = [
    ("old", {"year": 1999, "tags": ["a", "b"], "place": "O'Brien's; DROP TABLE"}),
    ("new", {"year": 2020, "tags": ["b"], "place": "Rome :: $1 %s"}),
    ("bare", {}),
]


@pytest.fixture
def index(vector_store, hashing):
    nodes = [TextNode(id_=id, text=f"tea {id}", metadata=metadata) for id, metadata in NODES]
    context = StorageContext.from_defaults(vector_store=vector_store(use_jsonb=True))
    return VectorStoreIndex(nodes, storage_context=context, embed_model=hashing(DIMENSION))


@pytest.mark.parametrize(
    ("key", "operator", "value", "found"),
    [
        ("year", "==", 1999, ["old"]),
        ("year", "!=", 1999, ["new"]),
        ("year", ">", 1999, ["new"]),
        ("year", ">=", 1999, ["new", "old"]),
        ("year", "<", 2020, ["old"]),
        ("year", "<=", "2020", ["new", "old"]),
        ("year", "in", [1999, 2000], ["old"]),
        ("year", "nin", [1999, 2000], ["new"]),
        ("tags", "contains", "a", ["old"]),
        ("tags", "any", ["a", "b"], ["new", "old"]),
        ("tags", "all", ["a", "b"], ["old"]),
        ("place", "text_match", "O'Brien", ["old"]),
        ("place", "text_match", "100%", []),
        ("place", "text_match_insensitive", "rome", ["new"]),
        ("place", "is_empty", None, ["bare"]),
        ("place", "==", "O'Brien's; DROP TABLE", ["old"]),
        ("place", "==", "Rome :: $1 %s", ["new"]),
        ("place' = '' OR '1'='1", "==", "x", []),
    ],
)
def test_filters(index, key, operator, value, found):
    filters = MetadataFilters(filters=[MetadataFilter(key=key, value=value, operator=operator)])
    assert passing(index, filters) == found


def passing(index, filters):
    nodes = LogicalRetriever.from_index(index, similarity_top_k=3, filters=filters).retrieve('"tea"')
    return sorted(node.node_id for node in nodes)


def test_filters_are_joined_and_nested(index):
    def year(value):
        return MetadataFilter(key="year", value=value)

    both = MetadataFilters(filters=[year(1999), year(2020)], condition=FilterCondition.AND)
    either = MetadataFilters(filters=[year(1999), year(2020)], condition=FilterCondition.OR)
    neither = MetadataFilters(filters=[either], condition=FilterCondition.NOT)
    assert [passing(index, filters) for filters in (both, either, neither)] == [[], ["new", "old"], []]


def test_what_cannot_be_asked_is_refused(index, vector_store, hashing):
    wrong = MetadataFilters(filters=[MetadataFilter(key="year", value=1999, operator="in")])
    with pytest.raises(InvalidArgumentError, match="needs a list"):
        passing(index, wrong)
    text = MetadataFilters(filters=[MetadataFilter(key="place", value=1.0, operator=">")])
    with pytest.raises(StoreError, match="could not run a query"):
        passing(index, text)
    assert passing(index, None)
    custom = VectorStoreIndex.from_vector_store(
        vector_store(customize_query_fn=lambda statement, table, **_: statement), embed_model=hashing(DIMENSION)
    )
    with pytest.raises(UnsupportedStoreError, match="customize_query_fn"):
        LogicalRetriever.from_index(custom)

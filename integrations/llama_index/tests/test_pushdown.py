"""Queries computed inside Postgres and Qdrant, under LlamaIndex's vector stores."""

import uuid
from typing import ClassVar

import pytest
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from llama_index.vector_stores.postgres import PGVectorStore
from llama_index.vector_stores.qdrant import QdrantVectorStore
from postgres_server import postgres_server
from qdrant_client import QdrantClient
from sqlalchemy import create_engine
from sqlalchemy.ext.asyncio import create_async_engine

from llama_index.retrievers.logical.embedder import as_embedder
from llama_index.retrievers.logical.stores import as_store
from logical_retriever.testing.embedders import GivenEmbedder
from logical_retriever.testing.identity_suite import UUIDS
from logical_retriever.testing.pushdown_suite import PushdownSuite
from logical_retriever.testing.ranking_suite import DIMENSION


@pytest.fixture(scope="module")
def engines():
    with postgres_server() as address:
        url = address.replace("postgresql://", "postgresql+psycopg://")
        engine = create_engine(url)
        yield engine, create_async_engine(url)
        engine.dispose()


@pytest.fixture(scope="module")
def client():
    client = QdrantClient(":memory:")
    yield client
    client.close()


def filled(vector_store, documents, vectors, hashing):
    nodes = [
        TextNode(id_=d.id, text=d.text, metadata=dict(d.metadata), embedding=vector.tolist())
        for d, vector in zip(documents, vectors, strict=True)
    ]
    context = StorageContext.from_defaults(vector_store=vector_store)
    return VectorStoreIndex(nodes, storage_context=context, embed_model=hashing(DIMENSION))


@pytest.fixture
def postgres(engines, hashing):
    def make(documents, vectors, **options):
        engine, async_engine = engines
        name = f"t{uuid.uuid4().hex}"
        store = PGVectorStore(table_name=name, engine=engine, async_engine=async_engine, embed_dim=DIMENSION, **options)
        return filled(store, documents, vectors, hashing)

    return make


@pytest.fixture
def qdrant(client, hashing):
    def make(documents, vectors):
        return filled(QdrantVectorStore(uuid.uuid4().hex, client=client), documents, vectors, hashing)

    return make


def adapted(index):
    return as_store(index, as_embedder(object.__new__(GivenEmbedder), whose="It"))


class Filters:
    def equals(self, key, value):
        return MetadataFilters(filters=[MetadataFilter(key=key, value=value)])


class TestPostgres(Filters, PushdownSuite):
    @pytest.fixture
    def make_store(self, postgres):
        return lambda documents, vectors: adapted(postgres(documents, vectors))


class TestPostgresOfHalfPrecision(Filters, PushdownSuite):
    tolerance = 1e-2

    @pytest.fixture
    def make_store(self, postgres):
        return lambda documents, vectors: adapted(postgres(documents, vectors, use_halfvec=True))


# A payload index has no effect in memory, and Qdrant warns.
@pytest.mark.filterwarnings("ignore:Payload indexes have no effect:UserWarning")
class TestQdrant(Filters, PushdownSuite):
    exact = False
    ids: ClassVar = {"UUID": tuple(map(str, UUIDS))}

    @pytest.fixture
    def make_store(self, qdrant):
        return lambda documents, vectors: adapted(qdrant(documents, vectors))

    def make_id(self, i):
        return str(uuid.UUID(int=i))

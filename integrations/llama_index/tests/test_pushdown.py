"""Queries computed inside Postgres, under LlamaIndex's vector store."""

import uuid

import pytest
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from llama_index.vector_stores.postgres import PGVectorStore
from postgres_server import postgres_server
from pushdown_suite import PushdownSuite
from sqlalchemy import create_engine
from sqlalchemy.ext.asyncio import create_async_engine

from llama_index.retrievers.logical.embedder import as_embedder
from llama_index.retrievers.logical.stores import as_store
from logical_retriever.testing.fakes import GivenEmbedder
from logical_retriever.testing.samples import DIMENSION


@pytest.fixture(scope="module")
def engines():
    with postgres_server() as address:
        url = address.replace("postgresql://", "postgresql+psycopg://")
        engine = create_engine(url)
        yield engine, create_async_engine(url)
        engine.dispose()


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

"""Qdrant in memory, in each distance."""

import uuid
from types import MappingProxyType

import numpy as np
import pytest
from changing import ChangingVectorStore
from langchain_qdrant import QdrantVectorStore, RetrievalMode, SparseEmbeddings, SparseVector
from qdrant_client import QdrantClient, models

from langchain_logical_retriever.stores import as_store
from logical_retriever.errors import UnsupportedStoreError
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import DIMENSION, KEYS, corpus
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def memory():
    client = QdrantClient(":memory:")
    yield client
    client.close()


class Qdrant(ChangingVectorStore):
    distance = models.Distance.COSINE
    vector_name = ""

    @pytest.fixture
    def make_store(self, memory, given_embeddings, fill, new_name):
        def make(documents, vectors):
            name = new_name()
            params = models.VectorParams(size=DIMENSION, distance=self.distance)
            memory.create_collection(name, vectors_config={self.vector_name: params} if self.vector_name else params)
            embeddings, own = given_embeddings(documents, vectors), {"vector_name": self.vector_name}
            vectorstore = QdrantVectorStore(memory, name, embeddings, distance=self.distance, **own)
            return as_store(fill(vectorstore, documents))

        return make

    def make_id(self, i):
        return str(uuid.UUID(int=i))

    def equals(self, key, value):
        match = models.MatchValue(value=value)
        return models.Filter(must=[models.FieldCondition(key=f"metadata.{key}", match=match)])


class TestQdrant(Qdrant, StoreSuite):
    ids = MappingProxyType(
        {"number": "uint64", "UUID": tuple(map(str, KEYS["UUID"])), "both": (7, str(KEYS["UUID"][1]), 1 << 63)}
    )


class TestQdrantInnerProduct(Qdrant, RankingSuite):
    distance = models.Distance.DOT


class TestQdrantEuclideanWithNamedVectors(Qdrant, RankingSuite):
    distance = models.Distance.EUCLID
    vector_name = "dense"


class Words(SparseEmbeddings):
    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text):
        return SparseVector(indices=[len(text)], values=[1.0])


def test_of_a_hybrid_store_the_dense_vectors_are_used(memory, given_embeddings, new_name):
    name = new_name()
    documents, vectors = corpus(int, 5)
    memory.create_collection(
        name,
        vectors_config={"dense": models.VectorParams(size=DIMENSION, distance=models.Distance.DOT)},
        sparse_vectors_config={"words": models.SparseVectorParams()},
    )
    vectorstore = QdrantVectorStore(
        memory,
        name,
        given_embeddings(documents, vectors),
        RetrievalMode.HYBRID,
        vector_name="dense",
        distance=models.Distance.DOT,
        sparse_embedding=Words(),
        sparse_vector_name="words",
    )
    vectorstore.add_texts([d.text for d in documents], ids=[d.id for d in documents])
    store = as_store(vectorstore)
    np.testing.assert_allclose(store.fetch([4]).vectors, vectors[4:], rtol=1e-6)
    assert len(store.search(vectors[:1], 9)[0][0]) == 5
    vectorstore.retrieval_mode = RetrievalMode.SPARSE
    with pytest.raises(UnsupportedStoreError, match="sparse vectors alone"):
        as_store(vectorstore)

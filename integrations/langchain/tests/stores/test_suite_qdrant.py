"""Qdrant: in memory, in each distance; and on disk."""

import uuid
from types import MappingProxyType, SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest
from langchain_qdrant import QdrantVectorStore, RetrievalMode, SparseEmbeddings, SparseVector
from qdrant_client import QdrantClient, models

from langchain_logical_retriever.stores import as_store
from logical_retriever.errors import InvalidArgumentError, UnsupportedStoreError
from logical_retriever.stores import StoredDocument
from logical_retriever.stores.qdrant import QdrantPoints
from logical_retriever.testing.identity_suite import UNSIGNED_64, UUIDS
from logical_retriever.testing.known_gaps import notyet
from logical_retriever.testing.ranking_suite import DIMENSION, RankingSuite, corpus
from logical_retriever.testing.store_suite import StoreSuite


@pytest.fixture(scope="module")
def memory():
    client = QdrantClient(":memory:")
    yield client
    client.close()


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    client = QdrantClient(path=str(tmp_path_factory.mktemp("qdrant")))
    yield client
    client.close()


class Qdrant:
    distance = models.Distance.COSINE
    client = "memory"
    vector_name = ""

    @pytest.fixture
    def make_store(self, request, given_embeddings, fill, new_name):
        client = request.getfixturevalue(self.client)

        def make(documents, vectors):
            name = new_name()
            params = models.VectorParams(size=DIMENSION, distance=self.distance)
            client.create_collection(name, vectors_config={self.vector_name: params} if self.vector_name else params)
            vectorstore = QdrantVectorStore(
                client,
                name,
                given_embeddings(documents, vectors),
                distance=self.distance,
                vector_name=self.vector_name,
            )
            return as_store(fill(vectorstore, documents))

        return make

    def make_id(self, i):
        return str(uuid.UUID(int=i))

    def delete(self, store, ids):
        store.vectorstore.delete(list(ids))

    def equals(self, key, value):
        match = models.MatchValue(value=value)
        return models.Filter(must=[models.FieldCondition(key=f"metadata.{key}", match=match)])


KEYS = MappingProxyType({"number": UNSIGNED_64, "UUID": tuple(map(str, UUIDS)), "both": (7, str(UUIDS[1]), 1 << 63)})


PARTS_OF_WORDS = MappingProxyType(
    {
        "test_words_of_languages_without_spaces_are_found": notyet(
            "its client's filter on texts knows whole words, and takes all characters between two spaces for one"
        )
    }
)


class TestQdrant(Qdrant, StoreSuite):
    ids = KEYS
    gaps = PARTS_OF_WORDS


class TestQdrantOnDisk(Qdrant, StoreSuite):
    ids = KEYS
    gaps = PARTS_OF_WORDS
    client = "disk"


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


def test_numbers_are_identities_too(memory, given_embeddings, new_name):
    name = new_name()
    documents, vectors = corpus(int, 5)
    memory.create_collection(name, models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE))
    vectorstore = QdrantVectorStore(memory, name, given_embeddings(documents, vectors))
    vectorstore.add_texts([d.text for d in documents], ids=[d.id for d in documents])
    store = as_store(vectorstore)
    assert store.fetch([3, 17, "3", -1, 0, 1 << 64]).ids == (3, 0)
    assert store.search(vectors[2:3], 1) == [[2]]


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
    assert len(store.search(vectors[:1], 9)[0]) == 5
    vectorstore.retrieval_mode = RetrievalMode.SPARSE
    with pytest.raises(UnsupportedStoreError, match="sparse vectors alone"):
        as_store(vectorstore)


def test_texts_are_those_of_points_that_have_the_vector(memory, given_embeddings, new_name):
    name = new_name()
    size = models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)
    documents, vectors = corpus(int, 3)
    memory.create_collection(name, vectors_config={"dense": size, "other": size})
    vectorstore = QdrantVectorStore(memory, name, given_embeddings(documents, vectors), vector_name="dense")
    vectorstore.add_texts([d.text for d in documents[:2]], ids=[0, 1])
    other = models.PointStruct(id=2, vector={"other": vectors[2].tolist()}, payload={"page_content": "x"})
    memory.upsert(name, [other])
    store = as_store(vectorstore)
    assert store.fetch_texts([2, 1, 0]).ids == store.fetch([2, 1, 0]).ids == (1, 0)
    assert store.fetch_texts([1]).documents == store.fetch([1]).documents


@pytest.mark.parametrize("version", ["1.12.5", "1.13.0"])
def test_a_server_too_old_to_tell_sends_vectors_too(version, memory, monkeypatch):
    memory.create_collection(version, vectors_config=models.VectorParams(size=2, distance=models.Distance.COSINE))
    memory.upsert(version, [models.PointStruct(id=1, vector=[1.0, 0.0], payload={})])
    asked = []
    for method in ("retrieve", "scroll"):
        own = getattr(memory, method)
        monkeypatch.setattr(memory, method, lambda *a, own=own, m=method, **k: (asked.append(m), own(*a, **k))[1])
    monkeypatch.setattr(memory, "info", lambda: SimpleNamespace(version=version))
    points = QdrantPoints(memory, version, None, lambda point: StoredDocument(point.id, ""))
    assert points.fetch_texts([1]).ids == (1,)
    assert asked == (["retrieve"] if version < "1.13" else ["scroll"])


def test_a_filter_of_another_type_is_refused(memory, given_embeddings, new_name):
    name = new_name()
    memory.create_collection(name, models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE))
    store = as_store(QdrantVectorStore(memory, name, given_embeddings([], [])))
    with pytest.raises(InvalidArgumentError, match="must be a Filter, got dict"):
        store.read_search_kwargs({"filter": {"year": 2000}})
    with pytest.raises(InvalidArgumentError, match="no search argument 'where'"):
        store.read_search_kwargs({"where": {}})


def test_a_server_is_searched_for_words_where_the_text_has_a_full_text_index():
    class Server:  # by the name of its client's class, a server's
        pass

    client = QdrantClient(":memory:")
    config = models.VectorParams(size=2, distance=models.Distance.COSINE)
    client.create_collection("words", vectors_config=config)
    points = QdrantPoints(client, "words", None, lambda point: point, text="page_content")
    assert points.capabilities.words is not None  # compared in this process
    described = client.get_collection("words")
    for kind, found in ((None, False), ("keyword", False), ("text", True)):
        schema = {} if kind is None else {"page_content": SimpleNamespace(data_type=kind)}
        answer = SimpleNamespace(config=described.config, payload_schema=schema)
        server = SimpleNamespace(_client=Server(), get_collection=MagicMock(return_value=answer))
        remote = QdrantPoints(server, "words", None, lambda point: point, text="page_content")
        assert (remote.capabilities.words is not None) is found
    assert QdrantPoints(client, "words", None, lambda point: point).capabilities.words is None

"""Queries computed inside Qdrant, as formulas over nested lists."""

import json
import uuid
from types import MappingProxyType

import pytest
from langchain_qdrant import QdrantVectorStore
from qdrant_client import QdrantClient, models

from langchain_logical_retriever import LogicalRetriever
from langchain_logical_retriever.stores import as_store
from logical_retriever.errors import StoreCapabilityError, StoreError
from logical_retriever.query import parse
from logical_retriever.testing.identity_suite import UNSIGNED_64, UUIDS
from logical_retriever.testing.pushdown_suite import PushdownSuite, letters
from logical_retriever.testing.ranking_suite import DIMENSION, corpus
from logical_retriever.testing.searching import find

QUERY = parse('"a" AND NOT "b"')


@pytest.fixture(scope="module")
def client():
    client = QdrantClient(":memory:")
    yield client
    client.close()


@pytest.fixture
def vectorstore(client, given_embeddings, fill, new_name):
    def make(documents, vectors, distance=models.Distance.COSINE, vector_name=""):
        name = new_name()
        params = models.VectorParams(size=DIMENSION, distance=distance)
        client.create_collection(name, vectors_config={vector_name: params} if vector_name else params)
        embeddings = given_embeddings(documents, vectors)
        made = QdrantVectorStore(client, name, embeddings, distance=distance, vector_name=vector_name)
        return fill(made, documents)

    return make


def make_id(i):
    return str(uuid.UUID(int=i))


class TestQdrant(PushdownSuite):
    ids = MappingProxyType({"number": UNSIGNED_64, "UUID": tuple(map(str, UUIDS))})
    exact = False
    vector_name = ""

    @pytest.fixture
    def make_store(self, vectorstore):
        return lambda documents, vectors: as_store(vectorstore(documents, vectors, vector_name=self.vector_name))

    def make_id(self, i):
        return make_id(i)

    def equals(self, key, value):
        match = models.MatchValue(value=value)
        return models.Filter(must=[models.FieldCondition(key=f"metadata.{key}", match=match)])


class TestQdrantWithNamedVectors(TestQdrant):
    vector_name = "dense"


def test_of_another_distance_scores_are_no_cosines(vectorstore):
    store = as_store(vectorstore(*corpus(make_id, 30), distance=models.Distance.DOT))
    with pytest.raises(StoreCapabilityError, match="its own distance"):
        find(QUERY, store, letters(), pushdown="always")
    assert find(QUERY, store, letters(), pushdown="auto").documents


def test_large_collections_are_computed_by_lists_and_smaller_ones_here(vectorstore, monkeypatch):
    store = as_store(vectorstore(*corpus(make_id, 80)))
    for module in ("engine", "plan"):
        monkeypatch.setattr(f"logical_retriever.search.{module}.SCAN_LIMIT", 10)

    def strategy(text):
        return find(parse(text), store, letters(), fetch_k=20, k=3, pushdown="auto").plan.strategy

    assert strategy("a AND NOT b") == "threshold"
    monkeypatch.setattr("logical_retriever.search.engine.FULL_PASS", 50)
    assert strategy("a AND NOT b") == "pushdown"
    assert strategy("a") == "dense"
    assert strategy("NOT a") != "pushdown"


def test_the_explanation_shows_the_request_without_its_numbers(vectorstore):
    retriever = LogicalRetriever.from_vectorstore(
        vectorstore(*corpus(make_id, 60)), semantics="product", k=3, pushdown="always"
    )
    found = retriever._core.search('"text 4" AND NOT "text 9"')
    body = json.loads(found.plan.statement)
    assert body["prefetch"][0]["query"] == f"<vector of {DIMENSION}>"
    assert body["query"]["formula"]
    assert not found.exact
    assert "first 1000" in found.reason
    assert retriever.search('"text 4" AND NOT "text 9"')[0].page_content == "text 4"


def test_a_collection_deleted_meanwhile_is_a_store_error(vectorstore, client):
    made = vectorstore(*corpus(make_id, 30))
    store = as_store(made)
    target = store.pushdown_target()
    assert target.engine == "Qdrant"
    client.delete_collection(made.collection_name)
    with pytest.raises(StoreError, match="could not run a query"):
        store.execute({"query": [1.0] * DIMENSION, "limit": 3}, {})

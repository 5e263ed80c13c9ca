"""A store whose texts are encoded again: what it costs, what it forgets, what it refuses."""

import numpy as np
import pytest

from logical_retriever import LogicalRetriever, StoredDocument
from logical_retriever.adapters import Capabilities, Encodable, ReencodingStore, reencoding as module
from logical_retriever.errors import EmbeddingError, StoreCapabilityError
from logical_retriever.testing import HashingEmbedder

TEXTS = [f"green tea number {i}" for i in range(40)]


class Proposing(ReencodingStore):
    """Proposes all of its documents, whole."""

    capabilities = Capabilities("Proposing", exact_search=False, stored_vectors=False, scan=False)

    def __init__(self, embedder, documents, ids=None):
        super().__init__(embedder)
        self.documents = documents
        self.ids = ids

    def nearest(self, vector, n, filter):
        return [self.remember(document) for document in self.documents[:n]]

    def known(self):
        return self.ids


class Counting(HashingEmbedder):
    """Remembers which texts it was asked for."""

    def __init__(self):
        super().__init__(64)
        self.texts = []

    def embed_documents(self, texts):
        self.texts += texts
        return super().embed_documents(texts)


def documents(texts=TEXTS, **kwargs):
    return [Encodable(StoredDocument(i, text), text, **kwargs) for i, text in enumerate(texts)]


@pytest.fixture
def embedder():
    return Counting()


def test_ids_keep_their_type_and_texts_are_encoded_once(embedder):
    store = Proposing(embedder, documents())
    [ids], _ = store.search(np.zeros((1, 64), np.float32), 3)
    assert ids == [0, 1, 2]
    assert store.fetch([2, 0, 2]).ids == (2, 0, 2)
    assert store.fetch([2, 1, 77]).ids == (2, 1)
    assert embedder.texts == TEXTS[:3]


def test_what_is_remembered_is_bounded_and_of_a_vector_that_vector_alone(embedder, monkeypatch):
    monkeypatch.setattr(module, "REMEMBERED", 30)
    store = Proposing(embedder, documents())
    store.search(np.zeros((1, 64), np.float32), 40)
    assert [len(cache._entries) for cache in (store._documents, store._vectors)] == [30, 30]
    assert store._vectors.get(TEXTS[39]).base is None


def test_documents_that_carry_a_vector_are_not_encoded(embedder):
    store = Proposing(embedder, documents(vector=[1.0] * 64))
    store.search(np.zeros((1, 64), np.float32), 2)
    assert store.fetch([0, 1]).vectors.tolist() == [[1.0] * 64] * 2
    assert embedder.texts == []


def test_vectors_of_two_lengths_are_refused(embedder):
    store = Proposing(embedder, [*documents(vector=[1.0, 2.0]), Encodable(StoredDocument("a", "tea"), "tea")])
    with pytest.raises(EmbeddingError, match="lengths 2, 64"):
        store.search(np.zeros((1, 64), np.float32), 50)


def test_a_store_that_knows_its_ids_counts_and_samples_them(embedder):
    store = Proposing(embedder, documents(), ids=range(40))
    store.search(np.zeros((1, 64), np.float32), 40)
    assert store.count() == 40
    assert store.sample(10, seed=1).ids == store.sample(10, seed=1).ids
    assert len(set(store.sample(10, seed=1).ids)) == 10
    assert Proposing(embedder, []).count() is None
    assert Proposing(embedder, [], ids=[]).sample(5, seed=0).ids == ()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda texts: [[1.0, 2.0]] * (len(texts) + 1), r"array of shape \(3, 2\) for 2 texts"),
        (lambda texts: [[1.0], [1.0, 2.0]], "for 2 texts is no array of numbers"),
        (lambda texts: 1 / 0, "raised ZeroDivisionError: division by zero"),
    ],
)
def test_an_embedding_model_that_misbehaves_is_named(embedder, answer, said):
    embedder.embed_documents = answer
    with pytest.raises(EmbeddingError, match=said):
        Proposing(embedder, documents()).search(np.zeros((1, 64), np.float32), 2)


def test_it_cannot_be_walked_through_and_is_searched_with_a_not(embedder):
    store = Proposing(embedder, documents(["green tea and health", "green tea and brewing"]))
    with pytest.raises(StoreCapabilityError, match="Proposing cannot be walked through"):
        store.scan()
    found = LogicalRetriever(store, embedder, k=2, exclusion="rank").search('"green tea" AND NOT "brewing"')
    assert [document.id for document in found.documents] == [0, 1]
    assert not found.exact

"""Adapters give what the stores hold, found by class name and judged by plain numpy."""

import datetime
import subprocess
import sys
import uuid
from functools import partial

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from langchain_logical_retriever import LogicalRetriever, register_adapter
from langchain_logical_retriever.stores import as_store, known_stores, registry
from langchain_logical_retriever.stores.in_memory import InMemoryVectorStoreAdapter
from logical_retriever.errors import InvalidArgumentError, UnsupportedStoreError
from logical_retriever.stores import InMemoryStore, StoredDocument

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever, semantics="product", exclusion="rank", metadata=True)

RNG = np.random.default_rng(7)
DIMENSION = 12


class Given(Embeddings):
    """Texts have the vectors they are given, of any length."""

    def __init__(self, vectors):
        self.vectors = vectors

    def embed_query(self, text):
        return self.vectors[text].tolist()

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]


def given(count):
    """`count` documents and two terms, with lengths that differ by orders of magnitude."""
    lengths = 10.0 ** RNG.uniform(-2, 2, size=count + 2)
    rows = RNG.normal(size=(count + 2, DIMENSION)) * lengths[:, None]
    names = [f"d{i:04}" for i in range(count)]
    return names, dict(zip([*names, "A", "B"], rows, strict=True))


def oracle(vectors, names):
    """Scores of "A" AND NOT "B" under the product semantics, by numpy alone."""

    def cosine(a, b):
        return float(np.dot(a, b) / np.sqrt(np.dot(a, a)) / np.sqrt(np.dot(b, b)))

    return {
        name: max(cosine(vectors["A"], vectors[name]), 0.0) * (1 - max(cosine(vectors["B"], vectors[name]), 0.0))
        for name in names
    }


@pytest.mark.parametrize("space", ["l2", "cosine", "ip"])
def test_beyond_the_scan_limit_scores_stay_true_and_the_result_says_so(make_chroma, space):
    names, vectors = given(1200)
    store = make_chroma([Document(id=n, page_content=n) for n in names], space=space, embeddings=Given(vectors))
    found = over(store, k=10, fetch_k=300).search("A AND NOT B")
    truth = oracle(vectors, names)
    assert len(found) == 10
    for document in found:
        assert document.metadata["logical_score"] == pytest.approx(truth[document.id], abs=1e-5)
        assert document.metadata["logical_query"] == '"A" AND NOT "B"'
    scores = [document.metadata["logical_score"] for document in found]
    assert scores == sorted(scores, reverse=True)


def test_subclasses_are_found(embeddings):
    class Mine(InMemoryVectorStore):
        pass

    assert isinstance(as_store(Mine(embeddings)), InMemoryVectorStoreAdapter)


class Foreign(VectorStore):
    """A vector store that nobody has heard of."""

    def __init__(self, embeddings):
        self._embeddings = embeddings

    @property
    def embeddings(self):
        return self._embeddings

    def similarity_search(self, query, k=4, **kwargs):
        raise AssertionError

    @classmethod
    def from_texts(cls, texts, embedding, metadatas=None, **kwargs):
        raise AssertionError


def test_an_unknown_class_is_named_and_can_be_registered(embeddings, monkeypatch):
    monkeypatch.setattr(registry.ADAPTERS, "_factories", dict(registry.ADAPTERS._factories))
    store = Foreign(embeddings)
    with pytest.raises(UnsupportedStoreError, match=r"test_stores\.Foreign") as error:
        over(store)
    assert "register_adapter" in error.value.hint
    stored = InMemoryStore([StoredDocument("a", "tea", {"n": 1})], embeddings.embed_documents(["tea"]))
    register_adapter(Foreign, lambda vectorstore: stored)
    [found] = over(store).invoke("tea")
    assert (found.id, found.metadata["n"]) == ("a", 1)
    with pytest.raises(InvalidArgumentError, match="callable"):
        register_adapter(Foreign, "no function")


def test_a_core_store_is_used_as_it_is(embeddings):
    stored = InMemoryStore(
        [StoredDocument("a", "tea"), StoredDocument("b", "milk")], embeddings.embed_documents(["tea", "milk"])
    )
    assert as_store(stored) is stored
    retriever = over(stored, embeddings=embeddings, filter=lambda d: d.id == "b")
    assert [d.id for d in retriever.invoke("tea")] == ["b"]
    with pytest.raises(InvalidArgumentError, match="no search argument 'where'"):
        retriever.invoke("tea", where={})


@pytest.mark.parametrize("id", [7, -1, 2.5, uuid.uuid4(), datetime.date(2026, 1, 2), b"key"], ids=lambda id: type(id))
def test_ids_of_a_core_store_that_are_no_texts_become_texts(embeddings, id):
    stored = InMemoryStore([StoredDocument(id, "tea")], embeddings.embed_documents(["tea"]))
    [found] = over(stored, embeddings=embeddings).invoke("tea")
    assert (found.id, found.page_content) == (str(id), "tea")


def test_a_core_embedder_can_stand_for_embeddings(in_memory, embeddings):
    retriever = over(in_memory, embeddings=embeddings.embedder)
    assert retriever.invoke("coffee and sleep")[0].id == "coffee"


def test_no_store_package_is_imported_before_it_is_needed():
    code = (
        "import sys, langchain_logical_retriever\n"
        "heavy = {'langchain_chroma', 'chromadb', 'langchain', 'langchain_community', 'torch', 'pytest'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
    assert "langchain_chroma.vectorstores.Chroma" in known_stores()

"""Adapters are found by class name, and say what is wrong with a store or a filter."""

import subprocess
import sys

import pytest
from langchain_chroma import Chroma
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from langchain_logical_retriever import LogicalRetriever, register_adapter
from langchain_logical_retriever.stores import as_store, known_stores, registry
from langchain_logical_retriever.stores.in_memory import InMemoryVectorStoreAdapter
from logical_retriever.errors import InvalidArgumentError, StoreError, UnsupportedStoreError
from logical_retriever.stores import InMemoryStore, StoredDocument

QUESTION = "vitamin D benefits other than bone health"


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
        LogicalRetriever(store)
    assert "register_adapter" in error.value.hint
    stored = InMemoryStore([StoredDocument("a", "tea", {"n": 1})], embeddings.embed_documents(["tea"]))
    register_adapter(Foreign, lambda vectorstore: stored)
    [found] = LogicalRetriever(store).invoke("tea")
    assert (found.id, found.metadata["n"]) == ("a", 1)
    with pytest.raises(InvalidArgumentError, match="no search argument 'where'"):
        LogicalRetriever(store).invoke("tea", where={})


def test_a_core_embedder_can_stand_for_embeddings(in_memory, embeddings):
    retriever = LogicalRetriever(in_memory, embeddings=embeddings.embedder)
    assert retriever.invoke("coffee and sleep")[0].id == "coffee"


def test_a_store_without_embeddings(tmp_path, embeddings):
    with pytest.raises(UnsupportedStoreError, match=r"no adapter for builtins\.type"):
        LogicalRetriever(InMemoryStore, embeddings=embeddings)
    store = Chroma(collection_name="bare", persist_directory=str(tmp_path / "bare"))
    with pytest.raises(InvalidArgumentError, match="Chroma holds no embeddings") as error:
        LogicalRetriever(store)
    assert "embeddings=" in error.value.hint
    assert LogicalRetriever(store, embeddings=embeddings).invoke("tea") == []


def test_a_collection_that_is_gone_or_made_anew(make_chroma, documents):
    store = make_chroma(documents)
    retriever = LogicalRetriever(store)
    with pytest.raises(StoreError, match="no_such_operator"):
        retriever.invoke(QUESTION, filter={"theme": {"$no_such_operator": 1}})
    store.reset_collection()
    assert retriever.invoke(QUESTION) == []
    store.add_documents(documents[1:3])
    assert len(retriever.invoke(QUESTION)) == 2
    store.delete_collection()
    with pytest.raises(StoreError, match="no collection"):
        retriever.invoke(QUESTION)


def test_an_index_of_words_is_kept_in_a_file(make_chroma, documents, tmp_path):
    for _ in range(2):
        retriever = LogicalRetriever(make_chroma(documents), words_index=tmp_path / "words", fetch_k=3)
        assert retriever.invoke("brewing")[0].id == "tea"
    assert (tmp_path / "words").stat().st_size


def test_no_store_package_is_imported_before_it_is_needed():
    code = (
        "import sys, langchain_logical_retriever\n"
        "heavy = {'langchain_chroma', 'chromadb', 'langchain', 'langchain_community', 'torch', 'pytest'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
    assert "langchain_chroma.vectorstores.Chroma" in known_stores()

"""Adapters are found by class name, and say what is wrong with a store or a filter."""

from pkgutil import resolve_name

import pytest
from langchain_chroma import Chroma
from langchain_core.vectorstores import InMemoryVectorStore
from vitamin_texts import QUESTION

from langchain_logical_retriever import LogicalRetriever, register_adapter
from langchain_logical_retriever.stores import known_stores, registry
from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.stores import InMemoryStore, StoredDocument


def test_an_adapter_can_be_registered(embeddings, monkeypatch):
    class Mine(InMemoryVectorStore):
        """A subclass has the adapter of its base until it has one of its own."""

    monkeypatch.setattr(registry.ADAPTERS, "_factories", dict(registry.ADAPTERS._factories))
    store = Mine(embeddings)
    assert LogicalRetriever(store).invoke("tea") == []
    stored = InMemoryStore([StoredDocument("a", "tea", {"n": 1})], embeddings.embed_documents(["tea"]))
    register_adapter(Mine, lambda vectorstore: stored)
    [found] = LogicalRetriever(store).invoke("tea")
    assert (found.id, found.metadata["n"]) == ("a", 1)
    with pytest.raises(InvalidArgumentError, match="no search argument 'where'"):
        LogicalRetriever(store).invoke("tea", where={})


def test_a_store_without_embeddings(tmp_path, embeddings):
    store = Chroma(collection_name="bare", persist_directory=str(tmp_path / "bare"))
    with pytest.raises(InvalidArgumentError, match="Chroma holds no embeddings") as error:
        LogicalRetriever(store)
    assert "embeddings=" in error.value.hint
    assert LogicalRetriever(store, embeddings=embeddings).invoke("tea") == []


def test_a_collection_that_is_gone_or_made_anew(make_chroma, documents):
    store = make_chroma(documents)
    retriever = LogicalRetriever(store)
    store.reset_collection()
    assert retriever.invoke(QUESTION) == []
    store.add_documents(documents[:2])
    assert len(retriever.invoke("vitamin D")) == 2
    store.delete_collection()
    with pytest.raises(StoreError, match="no collection"):
        retriever.invoke(QUESTION)


def test_an_index_of_words_is_kept_in_a_file(make_chroma, documents, tmp_path):
    for _ in range(2):
        retriever = LogicalRetriever(make_chroma(documents), words_index=tmp_path / "words", fetch_k=3)
        assert retriever.invoke("brewing")[0].id == "tea"
    assert (tmp_path / "words").stat().st_size


@pytest.mark.parametrize("name", known_stores())
def test_every_name_has_an_adapter_that_can_be_loaded(name):
    module, _, own = name.rpartition(".")
    assert callable(registry.ADAPTERS.factory(type(own, (), {"__module__": module})))


@pytest.mark.parametrize(
    ("adapter", "arguments", "message"),
    [
        ("chroma:ChromaAdapter", {"filter": len}, "must be a dict, got builtin_function_or_method"),
        ("chroma:ChromaAdapter", {"where_document": "tea"}, "where_document must be a dict, got str"),
        ("faiss:FAISSAdapter", {"filter": "rank < 3"}, "must be a dict or function, got str"),
        ("lancedb:LanceDBAdapter", {"filter": 3}, "must be a str or dict, got int"),
        ("milvus:MilvusAdapter", {"filter": {"year": 2000}}, "must be a str, got dict"),
        ("milvus:MilvusAdapter", {"filter": "year > 1", "expr": "year > 2"}, "given twice: as filter and as expr"),
        ("pgvector:PGVectorAdapter", {"filter": "kind = 'odd'"}, "must be a dict, got str"),
        ("pgvector:PGVectorStoreAdapter", {"filter": "kind = 'odd'"}, "must be a dict, got str"),
        ("qdrant:QdrantAdapter", {"filter": {"year": 2000}}, "must be a Filter, got dict"),
        ("qdrant:QdrantAdapter", {"where": {}}, "no search argument 'where'"),
    ],
)
def test_filters_of_the_wrong_kind_are_refused(adapter, arguments, message):
    cls = resolve_name(f"langchain_logical_retriever.stores.{adapter}")
    with pytest.raises(InvalidArgumentError, match=message) as error:
        object.__new__(cls).read_search_kwargs(arguments)
    assert error.value.hint

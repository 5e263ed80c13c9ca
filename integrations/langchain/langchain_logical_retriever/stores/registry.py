"""Which adapter belongs to which class of vector store, without importing any of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from logical_retriever.integration import (
    SETTINGS,
    AdapterFactory as AdapterFactory,  # its name for users
    AdapterRegistry,
    Filter,
    InvalidArgumentError,
    Store,
    UnsupportedStoreError,
    names_hint,
    qualified_name,
)

_HERE = "langchain_logical_retriever.stores"
ADAPTERS = AdapterRegistry(
    {
        "langchain_core.vectorstores.in_memory.InMemoryVectorStore": f"{_HERE}.in_memory:InMemoryVectorStoreAdapter",
        "langchain_chroma.vectorstores.Chroma": f"{_HERE}.chroma:ChromaAdapter",
        "langchain_community.vectorstores.faiss.FAISS": f"{_HERE}.faiss:adapt",
        "langchain_qdrant.qdrant.QdrantVectorStore": f"{_HERE}.qdrant:QdrantAdapter",
        "langchain_postgres.vectorstores.PGVector": f"{_HERE}.pgvector:PGVectorAdapter",
        "langchain_postgres.v2.vectorstores.PGVectorStore": f"{_HERE}.pgvector:PGVectorStoreAdapter",
        "langchain_milvus.vectorstores.milvus.Milvus": f"{_HERE}.milvus:MilvusAdapter",
        "langchain_community.vectorstores.lancedb.LanceDB": f"{_HERE}.lancedb:LanceDBAdapter",
        "langchain_pinecone.vectorstores.PineconeVectorStore": f"{_HERE}.pinecone:PineconeAdapter",
        "langchain_weaviate.vectorstores.WeaviateVectorStore": f"{_HERE}.weaviate:WeaviateAdapter",
        "langchain_elasticsearch._sync.vectorstores.ElasticsearchStore": f"{_HERE}.search_engines:ElasticsearchAdapter",
        "langchain_elasticsearch.vectorstores.ElasticsearchStore": f"{_HERE}.search_engines:ElasticsearchAdapter",
        "langchain_community.vectorstores.opensearch_vector_search.OpenSearchVectorSearch": (
            f"{_HERE}.search_engines:OpenSearchAdapter"
        ),
        "langchain_core.vectorstores.base.VectorStore": f"{_HERE}.fallback:FallbackAdapter",
    }
)


@runtime_checkable
class ReadsSearchKwargs(Protocol):
    """A store that takes more than ``filter`` among the search keyword arguments of its LangChain class."""

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> Filter:
        """Turn search keyword arguments into this store's filter.

        Raises:
            InvalidArgumentError: An argument that the store does not know, or of the wrong type.
        """
        ...


register_adapter = ADAPTERS.register
"""Make a class of vector stores, and its subclasses, usable; the factory is called with the vector store."""
known_stores = ADAPTERS.names


def as_store(vectorstore: object) -> Store:
    """The core's view of a vector store; a core store is returned as it is.

    The class and its bases are looked up in method resolution order, so subclasses are found.

    Raises:
        UnsupportedStoreError: No adapter is known.
    """
    if isinstance(vectorstore, Store) and not isinstance(vectorstore, type):
        return vectorstore
    factory = ADAPTERS.factory(type(vectorstore))
    if factory is not None:
        return factory(vectorstore)
    raise UnsupportedStoreError(
        f"There is no adapter for {qualified_name(type(vectorstore))}.",
        hint=f"Supported: {', '.join(known_stores())}. For another class, write a logical_retriever Store over it "
        "and pass that, or register it with register_adapter().",
    )


def read_filter(store: Store, search_kwargs: Mapping[str, Any]) -> Filter:
    """The filter that search keyword arguments stand for; unknown ones are refused.

    Args:
        store: A store of :func:`as_store`.
        search_kwargs: As for the vector store's own ``similarity_search``.

    Raises:
        InvalidArgumentError: An argument that the store does not know, or of the wrong type.
    """
    if isinstance(store, ReadsSearchKwargs):
        return store.read_search_kwargs(search_kwargs)
    refuse_unknown(store.capabilities.name, search_kwargs, known=("filter",))
    return search_kwargs.get("filter")


def refuse_unknown(store: str, search_kwargs: Mapping[str, Any], *, known: tuple[str, ...]) -> None:
    """Refuse search keyword arguments that a store does not know.

    Raises:
        InvalidArgumentError: Naming the first of them.
    """
    for name in search_kwargs:
        if name not in known:
            settings = (*SETTINGS, "score_threshold", "history")
            raise InvalidArgumentError(
                f"{store} has no search argument {name!r}.", hint=names_hint(name, (*known, *settings))
            )

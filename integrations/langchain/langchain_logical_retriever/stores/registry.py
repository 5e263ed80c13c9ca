"""Which adapter belongs to which class of vector store, without importing any of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from logical_retriever.errors import InvalidArgumentError, UnsupportedStoreError
from logical_retriever.stores import Filter, Store

AdapterFactory = Callable[[Any], Store]

_HERE = "langchain_logical_retriever.stores"
_FACTORIES: dict[str, AdapterFactory | str] = {
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
    "langchain_elasticsearch._sync.vectorstores.ElasticsearchStore": f"{_HERE}.elasticsearch:ElasticsearchAdapter",
    "langchain_elasticsearch.vectorstores.ElasticsearchStore": f"{_HERE}.elasticsearch:ElasticsearchAdapter",
    "langchain_community.vectorstores.opensearch_vector_search.OpenSearchVectorSearch": (
        f"{_HERE}.opensearch:OpenSearchAdapter"
    ),
    "langchain_core.vectorstores.base.VectorStore": f"{_HERE}.fallback:FallbackAdapter",
}


@runtime_checkable
class ReadsSearchKwargs(Protocol):
    """A store that takes more than ``filter`` among the search keyword arguments of its LangChain class."""

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> Filter:
        """Turn search keyword arguments into this store's filter.

        Raises:
            InvalidArgumentError: An argument that the store does not know, or of the wrong type.
        """
        ...


def register_adapter(vectorstore: type | str, factory: AdapterFactory) -> None:
    """Make a class of vector stores, and its subclasses, usable with ``LogicalRetriever``.

    Args:
        vectorstore: The class, or its qualified name ``"package.module.Class"``. A known name is replaced.
        factory: Makes a :class:`logical_retriever.Store` of an instance.

    Raises:
        InvalidArgumentError: The factory cannot be called.
    """
    if not callable(factory):
        raise InvalidArgumentError(
            f"An adapter factory must be callable, got {type(factory).__name__}.",
            hint="Pass a class or function that takes the vector store and returns a logical_retriever Store.",
        )
    _FACTORIES[vectorstore if isinstance(vectorstore, str) else _qualified(vectorstore)] = factory


def known_stores() -> tuple[str, ...]:
    """Qualified names of the classes that have an adapter."""
    return tuple(_FACTORIES)


def as_store(vectorstore: object) -> Store:
    """The core's view of a vector store; a core store is returned as it is.

    The class and its bases are looked up in method resolution order, so subclasses are found.

    Raises:
        UnsupportedStoreError: No adapter is known.
    """
    if isinstance(vectorstore, Store):
        return vectorstore
    for cls in type(vectorstore).__mro__:
        factory = _FACTORIES.get(_qualified(cls))
        if factory is not None:
            return _loaded(factory)(vectorstore)
    raise UnsupportedStoreError(
        f"There is no adapter for {_qualified(type(vectorstore))}.",
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
            ours = name in ("k", "fetch_k", "metadata_key", "semantics")
            hint = f"{name} is an argument of LogicalRetriever itself." if ours else f"Known: {', '.join(known)}."
            raise InvalidArgumentError(f"{store} has no search argument {name!r}.", hint=hint)


def _loaded(factory: AdapterFactory | str) -> AdapterFactory:
    if not isinstance(factory, str):
        return factory
    module, _, name = factory.partition(":")
    loaded: AdapterFactory = getattr(importlib.import_module(module), name)
    return loaded


def _qualified(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"

"""Which adapter belongs to which class of vector store, without importing any of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from llama_index.core.indices.base import BaseIndex
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import BasePydanticVectorStore, MetadataFilters

from llama_index.retrievers.logical.stores.reembedding import ReembeddingStore
from logical_retriever.embedding import Embedder
from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError, UnsupportedStoreError
from logical_retriever.stores import Store

AdapterFactory = Callable[[VectorStoreIndex], Store]

_HERE = "llama_index.retrievers.logical.stores"
_FACTORIES: dict[str, AdapterFactory | str] = {
    "llama_index.core.vector_stores.simple.SimpleVectorStore": f"{_HERE}.simple:SimpleVectorStoreAdapter",
    "llama_index.vector_stores.chroma.base.ChromaVectorStore": f"{_HERE}.chroma:ChromaAdapter",
    "llama_index.vector_stores.postgres.base.PGVectorStore": f"{_HERE}.postgres:PGVectorStoreAdapter",
    "llama_index.vector_stores.qdrant.base.QdrantVectorStore": f"{_HERE}.qdrant:QdrantAdapter",
}


def register_adapter(vector_store: type | str, factory: AdapterFactory) -> None:
    """Make a class of vector stores, and its subclasses, usable by their own vectors.

    Args:
        vector_store: The class, or its qualified name ``"package.module.Class"``. A known name is replaced.
        factory: Makes a :class:`logical_retriever.Store` of an index over such a vector store. Its filters are
            ``MetadataFilters``.

    Raises:
        InvalidArgumentError: The factory cannot be called.
    """
    if not callable(factory):
        raise InvalidArgumentError(
            f"An adapter factory must be callable, got {type(factory).__name__}.",
            hint="Pass a class or function that takes the index and returns a logical_retriever Store.",
        )
    _FACTORIES[vector_store if isinstance(vector_store, str) else _qualified(vector_store)] = factory


def known_stores() -> tuple[str, ...]:
    """Qualified names of the classes that have an adapter."""
    return tuple(_FACTORIES)


def as_store(index: object, embedder: Embedder) -> Store:
    """The core's view of an index; a core store is returned as it is.

    The class of the index's vector store and its bases are looked up in method resolution order, so subclasses are
    found. For any other class, candidates come from the vector store's own query and vectors from their text.

    Args:
        index: A ``VectorStoreIndex`` or a core store.
        embedder: What the index was built with.

    Raises:
        UnsupportedStoreError: It is something else, such as an index without vectors.
        StoreCapabilityError: The vector store is not searched by vectors.
    """
    if isinstance(index, Store):
        return index
    if not isinstance(index, VectorStoreIndex):
        raise _unsupported(index)
    vector_store = index.vector_store
    if not vector_store.is_embedding_query:
        raise StoreCapabilityError(
            f"{type(vector_store).__name__} is searched by text, not by vectors.",
            hint="Put LogicalRerank behind its own retriever: it scores what that finds.",
        )
    for cls in type(vector_store).__mro__:
        factory = _FACTORIES.get(_qualified(cls))
        if factory is not None:
            return _loaded(factory)(index)
    return ReembeddingStore(index, embedder)


def check_filters(store: Store, filters: object) -> None:
    """Refuse a filter that the store could not read.

    Raises:
        InvalidArgumentError: It is not ``MetadataFilters``, for a store that is not the core's own.
    """
    ours = type(store).__module__.startswith("logical_retriever.")
    if filters is not None and not ours and not isinstance(filters, MetadataFilters):
        raise InvalidArgumentError(
            f"filters must be MetadataFilters, got {type(filters).__name__}.",
            hint='For example MetadataFilters(filters=[MetadataFilter(key="year", value=2000, operator=">")]).',
        )


def _unsupported(index: object) -> UnsupportedStoreError:
    name = type(index).__name__
    if isinstance(index, BaseIndex):
        hint = "Build a VectorStoreIndex over the same nodes, or put LogicalRerank behind this index's own retriever."
        return UnsupportedStoreError(f"A {name} has no vectors of its nodes.", hint=hint)
    if isinstance(index, BasePydanticVectorStore):
        hint = "Pass VectorStoreIndex.from_vector_store(vector_store, embed_model=...)."
        return UnsupportedStoreError(f"A {name} alone has no embedding model.", hint=hint)
    return UnsupportedStoreError(
        f"Logical retrieval is not possible over {_qualified(type(index))}.",
        hint="Pass a VectorStoreIndex, or a logical_retriever Store with embed_model=... .",
    )


def _loaded(factory: AdapterFactory | str) -> AdapterFactory:
    if not isinstance(factory, str):
        return factory
    module, _, name = factory.partition(":")
    loaded: Any = getattr(importlib.import_module(module), name)
    adapter: AdapterFactory = loaded
    return adapter


def _qualified(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"

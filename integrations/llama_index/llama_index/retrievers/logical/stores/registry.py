"""Which adapter belongs to which class of vector store, without importing any of them."""

from __future__ import annotations

from llama_index.core.indices.base import BaseIndex
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import BasePydanticVectorStore, MetadataFilters

from llama_index.retrievers.logical.stores.reembedding import ReembeddingStore
from logical_retriever.integration import (
    AdapterFactory as AdapterFactory,  # its name for users
    AdapterRegistry,
    Embedder,
    InvalidArgumentError,
    Store,
    StoreCapabilityError,
    UnsupportedStoreError,
    qualified_name,
)

_HERE = "llama_index.retrievers.logical.stores"
ADAPTERS = AdapterRegistry(
    {
        "llama_index.core.vector_stores.simple.SimpleVectorStore": f"{_HERE}.simple:SimpleVectorStoreAdapter",
        "llama_index.vector_stores.chroma.base.ChromaVectorStore": f"{_HERE}.chroma:ChromaAdapter",
        "llama_index.vector_stores.elasticsearch.base.ElasticsearchStore": (
            f"{_HERE}.elasticsearch:ElasticsearchAdapter"
        ),
        "llama_index.vector_stores.opensearch.base.OpensearchVectorStore": f"{_HERE}.opensearch:OpenSearchAdapter",
        "llama_index.vector_stores.postgres.base.PGVectorStore": f"{_HERE}.postgres:PGVectorStoreAdapter",
        "llama_index.vector_stores.qdrant.base.QdrantVectorStore": f"{_HERE}.qdrant:QdrantAdapter",
    }
)


register_adapter = ADAPTERS.register
"""Make a class of vector stores, and its subclasses, usable by their own vectors.

The factory is called with the index over such a vector store. The filters of its store are ``MetadataFilters``.
"""
known_stores = ADAPTERS.names


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
    if isinstance(index, Store) and not isinstance(index, type):
        return index
    if not isinstance(index, VectorStoreIndex):
        raise _unsupported(index)
    vector_store = index.vector_store
    if not vector_store.is_embedding_query:
        raise StoreCapabilityError(
            f"{type(vector_store).__name__} is searched by text, not by vectors.",
            hint="Put LogicalRerank behind its own retriever: it scores what that finds.",
        )
    factory = ADAPTERS.factory(type(vector_store))
    return ReembeddingStore(index, embedder) if factory is None else factory(index)


def check_filters(index: object, filters: object) -> None:
    """Refuse a filter that the store of an index could not read; a core store has filters of its own kind.

    Raises:
        InvalidArgumentError: It is not ``MetadataFilters``.
    """
    if filters is not None and not isinstance(index, Store) and not isinstance(filters, MetadataFilters):
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
        f"Logical retrieval is not possible over {qualified_name(type(index))}.",
        hint="Pass a VectorStoreIndex, or a logical_retriever Store with embed_model=... .",
    )

"""The registry of adapters, which imports no vector store itself."""

from __future__ import annotations

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.indices.base import BaseIndex
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import BasePydanticVectorStore, MetadataFilters

from llama_index.retrievers.logical.embedder import embedder_of
from llama_index.retrievers.logical.stores.reembedding import ReembeddingStore
from logical_retriever.adapters import (
    AdapterFactory as AdapterFactory,  # its name for users
    AdapterRegistry,
    Embedder,
    Filter,
    InvalidArgumentError,
    Store,
    StoreCapabilityError,
    UnsupportedStoreError,
    qualified_name,
)

_HERE = "llama_index.retrievers.logical.stores"
_THEIRS = "llama_index.vector_stores"
ADAPTERS = AdapterRegistry(
    {
        "llama_index.core.vector_stores.simple.SimpleVectorStore": f"{_HERE}.simple:SimpleVectorStoreAdapter",
        f"{_THEIRS}.chroma.base.ChromaVectorStore": f"{_HERE}.chroma:ChromaAdapter",
        f"{_THEIRS}.elasticsearch.base.ElasticsearchStore": f"{_HERE}.elasticsearch:ElasticsearchAdapter",
        f"{_THEIRS}.opensearch.base.OpensearchVectorStore": f"{_HERE}.opensearch:OpenSearchAdapter",
        f"{_THEIRS}.postgres.base.PGVectorStore": f"{_HERE}.postgres:PGVectorStoreAdapter",
        f"{_THEIRS}.qdrant.base.QdrantVectorStore": f"{_HERE}.qdrant:QdrantAdapter",
    }
)
register_adapter = ADAPTERS.register
"""Register the adapter of a class of vector stores and its subclasses.

The factory gets the index over such a vector store. The filters of its store are ``MetadataFilters``.
"""
known_stores = ADAPTERS.names
INSTEAD = (
    (VectorStoreIndex, "is an index, not a vector store", "Use LogicalRetriever.from_index(index)."),
    (
        BaseIndex,
        "has no vectors of its nodes",
        "Build a VectorStoreIndex over the same nodes, or put LogicalPostprocessor behind this index's own retriever.",
    ),
    (
        BasePydanticVectorStore,
        "alone has no embedding model",
        "Use LogicalRetriever.from_vector_store(vector_store, embed_model), or from_index(index).",
    ),
    (
        BaseRetriever,
        "is a retriever already",
        "Give the index that it is over: LogicalRetriever.from_index(index); or put LogicalPostprocessor behind it.",
    ),
    (BaseEmbedding, "has no nodes", "Give the index first: LogicalRetriever.from_index(index); its model is known."),
    (str, "is a text", "Load the index (load_index_from_storage, or VectorStoreIndex.from_vector_store), and give it."),
)
"""Things that people give in place of an index: what is wrong with each, and what to give instead."""


def as_store(index: object, embed_model: object = None) -> tuple[Store, Embedder]:
    """Return the adapter of an index, by the class of its vector store or a base of it, and its embedder.

    An unknown class gets :class:`ReembeddingStore`. A core store is returned unchanged.

    Raises:
        InvalidArgumentError: No embedding model.
        UnsupportedStoreError: Something else, such as an index without vectors.
        StoreCapabilityError: A vector store that is not searched by vectors.
    """
    if isinstance(index, Store) and not isinstance(index, type):
        return index, embedder_of(index, embed_model)
    if not isinstance(index, VectorStoreIndex):
        raise refused(index)
    embedder, vector_store = embedder_of(index, embed_model), index.vector_store
    if not vector_store.is_embedding_query:
        raise StoreCapabilityError(
            f"{type(vector_store).__name__} is searched by text, not by vectors.",
            hint="Put LogicalPostprocessor behind its own retriever.",
        )
    factory = ADAPTERS.factory(type(vector_store))
    return (ReembeddingStore(index, embedder) if factory is None else factory(index)), embedder


def check_filters(index: object, filters: Filter) -> Filter:
    """Reject filters other than ``MetadataFilters``, unless the index is a core store, with a language of its own."""
    if filters is None or isinstance(filters, MetadataFilters) or isinstance(index, Store):
        return filters
    raise InvalidArgumentError(
        f"filters must be MetadataFilters, got {type(filters).__name__}.",
        hint='For example MetadataFilters(filters=[MetadataFilter(key="year", value=2000, operator=">")]).',
    )


def refused(index: object) -> UnsupportedStoreError:
    """Return the error for anything but an index with vectors, with what to give instead."""
    for kind, problem, hint in INSTEAD:
        if isinstance(index, kind):
            return UnsupportedStoreError(f"{type(index).__name__} {problem}.", hint=hint)
    return UnsupportedStoreError(
        f"Logical retrieval is not possible over {qualified_name(type(index))}.",
        hint="Pass a VectorStoreIndex, or a logical_retriever Store with embed_model=... .",
    )

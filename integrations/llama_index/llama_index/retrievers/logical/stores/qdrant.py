"""llama-index-vector-stores-qdrant's ``QdrantVectorStore``: in memory, on disk or on a server."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery

from llama_index.retrievers.logical._convert import to_stored
from llama_index.retrievers.logical.stores._nodes import OfNodes
from logical_retriever.adapters import (
    InMemoryStore,
    QdrantPoints,
    Store,
    StoreCapabilityError,
    StoredDocument,
    wrapped_capabilities,
)


class QdrantAdapter(OfNodes):
    """The core's view of an index over a ``QdrantVectorStore``, through its client.

    It uses dense vectors alone, also in a hybrid collection. An index has no collection before its first node, and is
    empty until then.
    """

    capabilities = wrapped_capabilities(QdrantPoints.capabilities)

    def __init__(self, index: VectorStoreIndex) -> None:
        vectors: Any = index.vector_store
        if vectors.client is None:
            raise StoreCapabilityError(
                "The QdrantVectorStore has an asynchronous client alone.",
                hint="Give it client=QdrantClient(...) as well; asynchronous retrieval uses that in a thread.",
            )
        self._vectors, name = vectors, vectors.dense_vector_name or None
        self._exists = False
        super().__init__(index, QdrantPoints(vectors.client, vectors.collection_name, name, self._document))

    @property
    def store(self) -> Store:
        """The collection, or an empty store before the first node."""
        self._exists = self._exists or self._vectors.client.collection_exists(self._vectors.collection_name)
        return super().store if self._exists else InMemoryStore()

    def read_filters(self, filters: MetadataFilters) -> Any:
        """Translate filters by the vector store's own reading, private there; a second one could differ from it."""
        return self._vectors._build_query_filter(VectorStoreQuery(filters=filters))

    def _document(self, point: Any) -> StoredDocument:
        [node] = self._vectors.parse_to_query_result([point]).nodes
        # Like Qdrant's own queries, nodes come without their vectors.
        return to_stored(node.model_copy(update={"embedding": None}), id=point.id)

"""llama-index-vector-stores-qdrant's ``QdrantVectorStore``: in memory, on disk or on a server."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery

from llama_index.retrievers.logical._convert import to_stored
from llama_index.retrievers.logical.stores._nodes import OfNodes
from logical_retriever import InMemoryStore
from logical_retriever.integration import (
    InvalidArgumentError,
    QdrantPoints,
    Store,
    StoreCapabilityError,
    StoredDocument,
    capabilities_below,
)


class QdrantAdapter(OfNodes):
    """The core's view of an index over a ``QdrantVectorStore``, through its client.

    Dense vectors only, also in a hybrid collection. An index to which nothing was added has no collection yet, and is
    empty.

    Args:
        index: The index; only read.

    Raises:
        StoreCapabilityError: The vector store has an asynchronous client alone.
    """

    capabilities = capabilities_below(QdrantPoints.capabilities)

    def __init__(self, index: VectorStoreIndex) -> None:
        self.index = index
        store: Any = index.vector_store
        self._vectors = store
        if self._vectors.client is None:
            raise StoreCapabilityError(
                "The QdrantVectorStore has an asynchronous client alone.",
                hint="Give it client=QdrantClient(...) as well; asynchronous retrieval uses that in a thread.",
            )
        self._exists = False
        name = self._vectors.dense_vector_name or None
        points = QdrantPoints(self._vectors.client, self._vectors.collection_name, name, self._document)
        super().__init__(points)

    @property
    def store(self) -> Store:
        """The collection; an empty store before the first node was added."""
        self._exists = self._exists or self._vectors.client.collection_exists(self._vectors.collection_name)
        return super().store if self._exists else InMemoryStore()

    def inner_filter(self, filter: MetadataFilters | None) -> Any:
        """The vector store's own reading of its filters.

        Raises:
            InvalidArgumentError: It cannot read them.
        """
        if filter is None:
            return None
        try:
            # Private there: a second reading here could differ from it.
            return self._vectors._build_query_filter(VectorStoreQuery(filters=filter))
        except (NotImplementedError, TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"Qdrant cannot apply the filters: {error}", hint="Check the operators and the types of the values."
            ) from error

    def _document(self, point: Any) -> StoredDocument:
        [node] = self._vectors.parse_to_query_result([point]).nodes
        # Like Qdrant's own queries, nodes come without their vectors.
        return to_stored(node.model_copy(update={"embedding": None}), id=point.id)

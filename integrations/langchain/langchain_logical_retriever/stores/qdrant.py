"""langchain-qdrant's ``QdrantVectorStore``: in memory, on disk, or a server."""

from __future__ import annotations

from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import (
    QdrantPoints,
    StoredDocument,
    UnsupportedStoreError,
    WrappedStore,
    capabilities_below,
)


class QdrantAdapter(WrappedStore, VectorStoreAdapter):
    """The core's view of a ``QdrantVectorStore``; documents are known by their point's id.

    Args:
        vectorstore: The vector store, dense or hybrid; only read. Of a hybrid one, the dense vectors are used.

    Raises:
        UnsupportedStoreError: The store has sparse vectors alone.
    """

    capabilities = capabilities_below(QdrantPoints.capabilities)
    filter_example = 'filter=models.Filter(must=[models.FieldCondition(key="metadata.year", match=...)])'

    def __init__(self, vectorstore: Any) -> None:
        mode = vectorstore.retrieval_mode
        if str(getattr(mode, "value", mode)).lower() == "sparse":
            raise UnsupportedStoreError(
                "The Qdrant vector store has sparse vectors alone, of which cosines say nothing.",
                hint="Use RetrievalMode.DENSE or RetrievalMode.HYBRID.",
            )
        VectorStoreAdapter.__init__(self, vectorstore)
        using = vectorstore.vector_name or None
        client, name, metadata = vectorstore.client, vectorstore.collection_name, vectorstore.metadata_payload_key
        super().__init__(QdrantPoints(client, name, using, self._document, metadata=metadata))

    @property
    def filter_types(self) -> tuple[type, ...]:  # type: ignore[override]  # a class of the store's package
        """qdrant_client's own class."""
        from qdrant_client import models

        return (models.Filter,)

    def _document(self, point: Any) -> StoredDocument:
        payload = point.payload if point.payload is not None else {}
        text, metadata = (
            payload.get(key) for key in (self.vectorstore.content_payload_key, self.vectorstore.metadata_payload_key)
        )
        return StoredDocument(point.id, "" if text is None else text, {} if metadata is None else dict(metadata))

"""langchain-qdrant's ``QdrantVectorStore``: in memory, on disk, or a server."""

from __future__ import annotations

from typing import Any

from qdrant_client import models

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import QdrantPoints, StoredDocument, UnsupportedStoreError


class QdrantAdapter(VectorStoreAdapter, QdrantPoints):
    """The core's view of a ``QdrantVectorStore``; documents are known by their point's id.

    Args:
        vectorstore: The vector store, dense or hybrid; only read. Of a hybrid one, the dense vectors are used.

    Raises:
        UnsupportedStoreError: The store has sparse vectors alone.
    """

    filter_types = (models.Filter,)
    filter_example = 'filter=models.Filter(must=[models.FieldCondition(key="metadata.year", match=...)])'

    def __init__(self, vectorstore: Any) -> None:
        mode = vectorstore.retrieval_mode
        if str(getattr(mode, "value", mode)).lower() == "sparse":
            raise UnsupportedStoreError(
                "The Qdrant vector store has sparse vectors alone, of which cosines say nothing.",
                hint="Use RetrievalMode.DENSE or RetrievalMode.HYBRID.",
            )
        super().__init__(vectorstore)
        using = vectorstore.vector_name or None
        client, name, metadata = vectorstore.client, vectorstore.collection_name, vectorstore.metadata_payload_key
        QdrantPoints.__init__(self, client, name, using, self._document, metadata=metadata)

    def _document(self, point: Any) -> StoredDocument:
        payload = {} if point.payload is None else point.payload
        text, metadata = (payload.get(key) for key in (self.vectorstore.content_payload_key, self.metadata))
        return StoredDocument(point.id, "" if text is None else text, {} if metadata is None else dict(metadata))

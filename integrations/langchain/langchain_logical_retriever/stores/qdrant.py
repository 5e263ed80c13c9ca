"""langchain-qdrant's ``QdrantVectorStore``: in memory, on disk, or a server."""

from __future__ import annotations

from typing import Any

from qdrant_client import models

from langchain_logical_retriever.stores._common import VectorStoreAdapter, stored
from logical_retriever.adapters import QdrantPoints, StoredDocument, UnsupportedStoreError


class QdrantAdapter(VectorStoreAdapter, QdrantPoints):
    """The core's view of a ``QdrantVectorStore``, by its dense vectors; a point's id identifies its document."""

    filter_types = (models.Filter,)
    filter_example = 'filter=models.Filter(must=[models.FieldCondition(key="metadata.year", match=...)])'

    def __init__(self, vectorstore: Any) -> None:
        if vectorstore.retrieval_mode == "sparse":
            raise UnsupportedStoreError(
                "The Qdrant vector store has sparse vectors alone, of which cosines say nothing.",
                hint="Use RetrievalMode.DENSE or RetrievalMode.HYBRID.",
            )
        super().__init__(vectorstore)
        QdrantPoints.__init__(
            self,
            vectorstore.client,
            vectorstore.collection_name,
            vectorstore.vector_name or None,
            self._document,
            vectorstore.metadata_payload_key,
        )

    def _document(self, point: Any) -> StoredDocument:
        payload = {} if point.payload is None else point.payload
        return stored(point.id, payload.get(self.vectorstore.content_payload_key), payload.get(self.metadata))

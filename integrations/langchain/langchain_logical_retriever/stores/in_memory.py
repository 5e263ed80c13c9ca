"""LangChain's ``InMemoryVectorStore``, searched exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain_core.documents import Document

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.adapters import DocumentId, InProcessStore, StoredDocument, VectorBatch


class InMemoryVectorStoreAdapter(VectorStoreAdapter, InProcessStore):
    """The core's view of an ``InMemoryVectorStore``, which sees later additions."""

    capabilities = replace(InProcessStore.capabilities, name="InMemoryVectorStore")
    filter_types = (Callable,)  # type: ignore[assignment]  # isinstance knows it
    filter_example = 'filter=lambda document: document.metadata["year"] > 2000'

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        InProcessStore.__init__(self)

    def snapshot(self) -> VectorBatch:
        """Return all documents of one moment."""
        # Writers may change the dict meanwhile; list() of its items is one step.
        items = list(self.vectorstore.store.items())
        return self.batch([id for id, _ in items], [entry["vector"] for _, entry in items])

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Any] | None:
        """Return a document and its vector; None if there is none."""
        entry = self.vectorstore.store.get(id)
        return None if entry is None else (StoredDocument(id, entry["text"], entry["metadata"]), entry["vector"])

    def passes(self, filter: Callable[[Document], bool]) -> Callable[[DocumentId], bool]:
        """Return the filter by id instead of by Document."""
        # A document may have been deleted meanwhile.
        return lambda id: (
            (one := self.document(id)) is not None
            and filter(Document(id=one.id, page_content=one.text, metadata=one.metadata))
        )

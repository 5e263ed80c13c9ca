"""LangChain's ``InMemoryVectorStore``, scanned exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain_core.documents import Document

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import DocumentId, InvalidArgumentError, ListedVectors, StoredDocument


class InMemoryVectorStoreAdapter(VectorStoreAdapter, ListedVectors):
    """The core's view of an ``InMemoryVectorStore``; what is added to it later is seen.

    Args:
        vectorstore: The store; only read.
    """

    capabilities = replace(ListedVectors.best, name="InMemoryVectorStore")

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        ListedVectors.__init__(self)

    def check_filter(self, filter: Any) -> None:
        """A function of a Document that says whether it may be returned.

        Raises:
            InvalidArgumentError: It cannot be called.
        """
        if not callable(filter):
            raise InvalidArgumentError(
                f"InMemoryVectorStore's filter must be a function of a Document, got {type(filter).__name__}.",
                hint='For example: filter=lambda document: document.metadata["year"] > 2000.',
            )

    def entries(self) -> tuple[list[DocumentId], list[Any]]:
        """Ids and vectors of one moment."""
        # Writers may change the dict meanwhile; list() of its items is one step.
        items = list(self.vectorstore.store.items())
        return [id for id, _ in items], [entry["vector"] for _, entry in items]

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Any] | None:
        """A document and its vector."""
        found = self.vectorstore.store.get(id)
        return None if found is None else (StoredDocument(id, found["text"], found["metadata"]), found["vector"])

    def passes(self, filter: Callable[[Document], bool]) -> Callable[[DocumentId], bool]:
        """The filter, of a Document."""
        stored = dict(self.vectorstore.store)

        def passes(id: DocumentId) -> bool:
            found = stored.get(id)  # it may have been deleted meanwhile
            return found is not None and filter(
                Document(id=found["id"], page_content=found["text"], metadata=found["metadata"])
            )

        return passes

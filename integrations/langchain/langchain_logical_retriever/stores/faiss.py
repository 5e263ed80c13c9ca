"""The FAISS vector store of langchain-community, over a flat or HNSW index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from langchain_core.documents import Document

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from langchain_logical_retriever.stores.fallback import FallbackAdapter
from logical_retriever.adapters import (
    DocumentId,
    InProcessStore,
    Store,
    StoredDocument,
    VectorBatch,
    Vectors,
    engine_errors,
)

FLAT = ("IndexFlat", "IndexFlatL2", "IndexFlatIP", "IndexHNSWFlat")
"""Index classes that are an array of vectors, or hold one."""


def adapt(vectorstore: Any) -> Store:
    """Return an adapter that reads a flat index's vectors in place, or for other indexes encodes texts again."""
    return FAISSAdapter(vectorstore) if type(vectorstore.index).__name__ in FLAT else FallbackAdapter(vectorstore)


class FAISSAdapter(VectorStoreAdapter, InProcessStore):
    """The core's view of a ``FAISS`` vector store, which compares all vectors by cosine, whatever the index.

    Do not change the index during a search: FAISS itself forbids it.
    """

    capabilities = replace(InProcessStore.capabilities, name="FAISS", word_search="an index of the docstore's words")
    filter_types = (dict, Callable)  # type: ignore[assignment]  # isinstance knows it
    filter_example = 'filter={"year": {"$gt": 2000}}'

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        InProcessStore.__init__(self)
        # The last mapping, with its ids, rows and documents. Deletion replaces the mapping, addition makes it longer.
        self._latest: tuple[Any, tuple[DocumentId, ...], dict[DocumentId, int], list[Any]] = (None, (), {}, [])

    def snapshot(self) -> VectorBatch:
        """Return all documents; their vectors are a view of the index."""
        _, ids, _, documents = self._current()
        return VectorBatch(ids, self._vectors(), partial(self.word_index, ids, documents))

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Vectors] | None:
        """Return a document and its vector; None if there is none."""
        document = self.document(id)
        return None if document is None else (document, self._vectors()[self._current()[2][id]])

    def document(self, id: DocumentId) -> StoredDocument | None:
        """Return a document of the docstore; None if there is none."""
        _, _, rows, documents = self._current()
        # The docstore answers with a text where it has no document.
        if id not in rows or not isinstance(document := documents[rows[id]], Document):
            return None
        return StoredDocument(id, document.page_content, document.metadata, native=document)

    def passes(self, filter: Any) -> Callable[[DocumentId], bool]:
        """Return the wrapper's own reading of its filter."""
        with engine_errors("FAISS", "read the filter"):
            of_metadata = self.vectorstore._create_filter_func(filter)

        def passes(id: DocumentId) -> bool:
            document = self.document(id)
            with engine_errors("FAISS", "filter"):
                return document is not None and bool(of_metadata(document.metadata))

        return passes

    def _current(self) -> tuple[Any, tuple[DocumentId, ...], dict[DocumentId, int], list[Any]]:
        """Return the mapping, ids in the order of the index, the row of each id, and the documents."""
        mapping: dict[int, DocumentId] = self.vectorstore.index_to_docstore_id
        latest = self._latest
        if latest[0] is not mapping or len(latest[1]) != len(mapping):
            ids = tuple(mapping[row] for row in range(len(mapping)))
            rows = {id: row for row, id in enumerate(ids)}
            latest = self._latest = mapping, ids, rows, list(map(self.vectorstore.docstore.search, ids))
        return latest

    def _vectors(self) -> Vectors:
        """Return a view of the index's vectors, shape (N, d)."""
        import faiss

        index: Any = faiss.downcast_index(getattr(self.vectorstore.index, "storage", self.vectorstore.index))
        numbers: Vectors = faiss.rev_swig_ptr(index.get_xb(), index.ntotal * index.d)
        numbers.flags.writeable = False
        return numbers.reshape(index.ntotal, index.d)

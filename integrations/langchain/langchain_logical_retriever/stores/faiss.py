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
"""Classes of indexes that are an array of vectors, or hold one."""


def adapt(vectorstore: Any) -> Store:
    """An adapter that reads the vectors where they lie; for other indexes, the one that encodes again."""
    return FAISSAdapter(vectorstore) if type(vectorstore.index).__name__ in FLAT else FallbackAdapter(vectorstore)


class FAISSAdapter(VectorStoreAdapter, InProcessStore):
    """The core's view of a ``FAISS`` vector store: all its vectors are compared, by cosine, whatever the index.

    FAISS itself forbids changing an index while it is searched.
    """

    capabilities = replace(InProcessStore.capabilities, name="FAISS", word_search="an index of the docstore's words")
    filter_types = (dict, Callable)  # type: ignore[assignment]  # isinstance knows it
    filter_example = 'filter={"year": {"$gt": 2000}}'

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        InProcessStore.__init__(self)
        # The mapping last seen, and by it ids, rows and documents. Deletion replaces it, addition makes it longer.
        self._latest: tuple[Any, tuple[DocumentId, ...], dict[DocumentId, int], list[Any]] = (None, (), {}, [])

    def snapshot(self) -> VectorBatch:
        """All documents, the vectors where they lie."""
        _, ids, _, documents = self._current()
        return VectorBatch(ids, self._vectors(), partial(self.word_index, ids, documents))

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Vectors] | None:
        """A document and its vector."""
        document = self.document(id)
        return None if document is None else (document, self._vectors()[self._current()[2][id]])

    def document(self, id: DocumentId) -> StoredDocument | None:
        """A document of the docstore."""
        _, _, rows, documents = self._current()
        # The docstore answers with a text where it has no document.
        if id not in rows or not isinstance(document := documents[rows[id]], Document):
            return None
        return StoredDocument(id, document.page_content, document.metadata, native=document)

    def passes(self, filter: Any) -> Callable[[DocumentId], bool]:
        """The wrapper's own reading of its filters."""
        with engine_errors("FAISS", "read the filter"):
            of_metadata = self.vectorstore._create_filter_func(filter)

        def passes(id: DocumentId) -> bool:
            document = self.document(id)
            with engine_errors("FAISS", "filter"):
                return document is not None and bool(of_metadata(document.metadata))

        return passes

    def _current(self) -> tuple[Any, tuple[DocumentId, ...], dict[DocumentId, int], list[Any]]:
        """The mapping, ids in the order of the index, the row of each, and the documents."""
        mapping: dict[int, DocumentId] = self.vectorstore.index_to_docstore_id
        latest = self._latest
        if latest[0] is not mapping or len(latest[1]) != len(mapping):
            ids = tuple(mapping[row] for row in range(len(mapping)))
            rows = {id: row for row, id in enumerate(ids)}
            latest = self._latest = mapping, ids, rows, list(map(self.vectorstore.docstore.search, ids))
        return latest

    def _vectors(self) -> Vectors:
        """The vectors, where the index has them."""
        import faiss

        index: Any = faiss.downcast_index(getattr(self.vectorstore.index, "storage", self.vectorstore.index))
        numbers: Vectors = faiss.rev_swig_ptr(index.get_xb(), index.ntotal * index.d)
        numbers.flags.writeable = False
        return numbers.reshape(index.ntotal, index.d)

"""The FAISS vector store of langchain-community, over a flat, HNSW or IVF index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from langchain_core.documents import Document

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from langchain_logical_retriever.stores.fallback import FallbackAdapter
from logical_retriever.integration import (
    DocumentId,
    InProcessStore,
    Store,
    StoreCapabilityError,
    StoredDocument,
    VectorBatch,
    Vectors,
    engine_errors,
    matrix,
)

FLAT = ("IndexFlat", "IndexFlatL2", "IndexFlatIP")
"""Classes of indexes that are an array of vectors."""
KEEPS_VECTORS = ("IndexFlat", "IndexHNSWFlat", "IndexIVFFlat")
"""Classes of indexes, by the beginning of their names, that keep vectors as they were given."""


def adapt(vectorstore: Any) -> Store:
    """An adapter that reads the index; for an index that keeps only codes of vectors, the one that encodes again."""
    name = type(vectorstore.index).__name__
    return FAISSAdapter(vectorstore) if name.startswith(KEEPS_VECTORS) else FallbackAdapter(vectorstore)


class FAISSAdapter(VectorStoreAdapter, InProcessStore):
    """The core's view of a ``FAISS`` vector store: all its vectors are compared, by cosine, whatever the index.

    Args:
        vectorstore: The vector store; only read. FAISS itself forbids changing an index while it is searched.
    """

    capabilities = replace(InProcessStore.best, name="FAISS", words="an index of the docstore's words")
    filter_types = (dict, Callable)  # type: ignore[assignment]  # isinstance knows it
    filter_example = 'filter={"year": {"$gt": 2000}}'

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        InProcessStore.__init__(self)
        # The mapping last seen, and by it ids, rows and documents. Deletion replaces it, addition makes it longer.
        self._latest: tuple[Any, tuple[DocumentId, ...], dict[DocumentId, int], list[Any]] = (None, (), {}, [])

    def everything(self) -> VectorBatch:
        """All documents, the vectors of a flat index where they lie."""
        ids, rows, documents = self._known()
        vectors = self._flat() if type(self.vectorstore.index).__name__ in FLAT else self._vectors(list(rows.values()))
        return VectorBatch(ids, vectors, self.words(ids, documents))

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Vectors] | None:
        """A document and its vector."""
        document = self.document(id)
        return None if document is None else (document, self._vectors([self._known()[1][id]])[0])

    def document(self, id: DocumentId) -> StoredDocument | None:
        """A document of the docstore."""
        _, rows, documents = self._known()
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

    def _known(self) -> tuple[tuple[DocumentId, ...], dict[DocumentId, int], list[Any]]:
        """Ids in the order of the index, the row of each, and the documents."""
        mapping: dict[int, DocumentId] = self.vectorstore.index_to_docstore_id
        latest, ids, rows, documents = self._latest
        if latest is not mapping or len(ids) != len(mapping):
            ids = tuple(mapping[row] for row in range(len(mapping)))
            rows = {id: row for row, id in enumerate(ids)}
            documents = list(map(self.vectorstore.docstore.search, ids))
            self._latest = mapping, ids, rows, documents
        return ids, rows, documents

    def _flat(self) -> Vectors:
        """The vectors of a flat index, where it has them."""
        import faiss

        index = self.vectorstore.index
        numbers: Vectors = faiss.rev_swig_ptr(index.get_xb(), index.ntotal * index.d)
        numbers.flags.writeable = False
        return numbers.reshape(index.ntotal, index.d)

    def _vectors(self, rows: list[int]) -> Vectors:
        try:
            return matrix(self.vectorstore.index.reconstruct_batch(np.array(rows, np.int64)) if rows else ())
        except RuntimeError as error:
            raise StoreCapabilityError(
                f"The FAISS index does not give its vectors by position: {error}",
                hint="An IVF index does after vectorstore.index.make_direct_map().",
            ) from error

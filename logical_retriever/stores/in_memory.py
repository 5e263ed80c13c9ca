"""The reference store: documents and vectors in this process's memory, every answer exact."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, VectorMismatchError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Batch, StoredDocument, VectorBatch
from logical_retriever.stores.in_process import InProcessStore
from logical_retriever.vectors import Vectors, scales_of


class InMemoryStore(InProcessStore):
    """Documents in memory, searched exactly by cosine.

    Safe to read and write from several threads: a writer replaces the data, a reader keeps the data it started with.

    Args:
        documents: Documents with distinct ids.
        vectors: Shape (N, d), one per document.

    Raises:
        VectorMismatchError: Not one vector per document.
        InvalidArgumentError: Two documents have one id, a text is not a str, or metadata is no mapping.

    Examples:
        >>> store = InMemoryStore([StoredDocument("a", "tea"), StoredDocument("b", "coffee")], [[1.0, 0.0], [0.0, 1.0]])
        >>> store.search(np.array([[0.9, 0.1]], dtype=np.float32), n=1)[0]
        [['a']]
    """

    capabilities = replace(InProcessStore.capabilities, name="InMemoryStore", word_search="its index of words")

    def __init__(self, documents: Sequence[StoredDocument] = (), vectors: npt.ArrayLike = ()) -> None:
        super().__init__()
        self._write_lock = threading.Lock()
        self._data = _Data((), np.empty((0, 0), np.float32))
        self.add(documents, vectors)

    def add(self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike) -> None:
        """Append documents with new ids.

        Raises:
            VectorMismatchError: The vectors do not fit the documents or the vectors already stored.
            InvalidArgumentError: An id is already taken, a text is not a str, or metadata is no mapping.
        """
        if not documents:
            return
        for one in documents:
            if not isinstance(one.text, str) or not isinstance(one.metadata, Mapping):
                raise InvalidArgumentError(
                    f"The document {one.id!r} has the text {one.text!r:.60} and the metadata {one.metadata!r:.60}.",
                    hint="A text is a str, and metadata a mapping of names to values.",
                )
        added = Batch(tuple(documents), np.array(vectors, dtype=np.float32, ndmin=2)).vectors
        with self._write_lock:
            stored, matrix = self._data.documents, self._data.vectors
            if stored and matrix.shape[1] != added.shape[1]:
                raise VectorMismatchError(
                    f"Vectors of dimension {added.shape[1]} cannot join vectors of dimension {matrix.shape[1]}.",
                    hint="Encode all documents of a store with one model.",
                )
            self._data = _Data((*stored, *documents), np.concatenate([matrix, added]) if stored else added)

    def delete(self, ids: Sequence[DocumentId]) -> None:
        """Remove documents by id; unknown ids are ignored."""
        with self._write_lock:
            gone, data = set(ids), self._data
            keep = [row for row, id in enumerate(data.ids) if id not in gone]
            self._data = _Data(tuple(data.documents[row] for row in keep), data.vectors[keep])

    def snapshot(self) -> VectorBatch:
        """Return all documents of this moment, without a copy."""
        data = self._data
        return VectorBatch(data.ids, data.vectors, partial(self.word_index, data.ids, data.documents), data.scales)

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Vectors] | None:
        """Return a document and its vector; None for a missing one."""
        data = self._data
        row = data.rows.get(id)
        return None if row is None else (data.documents[row], data.vectors[row])

    def passes(self, filter: Callable[[StoredDocument], bool]) -> Callable[[DocumentId], bool]:
        """Return a test of ids by a function of the document.

        Raises:
            InvalidArgumentError: The filter is no function.
        """
        if not callable(filter):
            raise InvalidArgumentError(
                f"The filter of an InMemoryStore is a function, got {filter!r:.80}.",
                hint='Write filter=lambda document: document.metadata.get("year") == 2024.',
            )
        return lambda id: (document := self.document(id)) is not None and filter(document)


class _Data:
    """The store's content at one moment.

    Raises:
        InvalidArgumentError: Two documents have one id.
    """

    def __init__(self, documents: tuple[StoredDocument, ...], vectors: Vectors) -> None:
        self.documents, self.vectors, self.scales = documents, vectors, scales_of(vectors)
        self.rows: dict[DocumentId, int] = {}
        for row, document in enumerate(documents):
            if self.rows.setdefault(document.id, row) != row:
                raise InvalidArgumentError(
                    f"Two documents have the id {document.id!r}.", hint="Give every document an id of its own."
                )
        self.ids = tuple(self.rows)

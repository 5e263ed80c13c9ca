"""The reference store: documents and vectors in this process's memory, every answer exact."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, VectorMismatchError
from logical_retriever.stores.base import Batch, Capabilities, StoredDocument, VectorBatch
from logical_retriever.vectors import Vectors, cosines

Predicate = Callable[[StoredDocument], bool]


class InMemoryStore:
    """Documents in memory, searched exactly by cosine.

    Reading and writing from several threads is safe: a writer replaces the data, readers keep what they began with.

    Args:
        documents: Documents with distinct ids.
        vectors: Shape (N, d), one per document.

    Raises:
        VectorMismatchError: Not one vector per document.
        InvalidArgumentError: Two documents have one id.

    Examples:
        >>> store = InMemoryStore([StoredDocument("a", "tea"), StoredDocument("b", "coffee")], [[1.0, 0.0], [0.0, 1.0]])
        >>> store.search(np.array([[0.9, 0.1]], dtype=np.float32), n=1)
        [['a']]
    """

    capabilities = Capabilities(
        name="InMemoryStore",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        in_process=True,
        cosine_order=True,
    )

    def __init__(self, documents: Sequence[StoredDocument] = (), vectors: npt.ArrayLike = ()) -> None:
        self._write_lock = threading.Lock()
        self._data: tuple[dict[str, int], tuple[StoredDocument, ...], Vectors] = ({}, (), np.empty((0, 0), np.float32))
        self.add(documents, vectors)

    def add(self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike) -> None:
        """Append documents with ids that are not yet there.

        Raises:
            VectorMismatchError: The vectors do not fit the documents or the vectors already stored.
            InvalidArgumentError: An id is already taken.
        """
        if not documents:
            return
        added = Batch(tuple(documents), np.array(vectors, dtype=np.float32, ndmin=2)).vectors
        with self._write_lock:
            index, stored, matrix = self._data
            if stored and matrix.shape[1] != added.shape[1]:
                raise VectorMismatchError(
                    f"Vectors of dimension {added.shape[1]} cannot join vectors of dimension {matrix.shape[1]}.",
                    hint="Encode all documents of a store with one model.",
                )
            index = dict(index)
            for position, document in enumerate(documents, start=len(stored)):
                if index.setdefault(document.id, position) != position:
                    raise InvalidArgumentError(
                        f"Two documents have the id {document.id!r}.", hint="Give every document an id of its own."
                    )
            self._data = (index, (*stored, *documents), np.concatenate([matrix, added]) if stored else added)

    def delete(self, ids: Sequence[str]) -> None:
        """Remove documents; ids that are not there are passed over."""
        with self._write_lock:
            _, stored, matrix = self._data
            gone = set(ids)
            keep = [i for i, document in enumerate(stored) if document.id not in gone]
            documents = tuple(stored[i] for i in keep)
            self._data = ({d.id: i for i, d in enumerate(documents)}, documents, matrix[keep])

    def count(self) -> int:
        """Number of documents."""
        return len(self._data[1])

    def search(self, vectors: Vectors, n: int, filter: Predicate | None = None) -> list[list[str]]:
        """The n documents of greatest cosine per vector, ties in the order added."""
        _, documents, matrix = self._data
        rows = _passing(documents, filter)
        if not len(rows):
            return [[] for _ in vectors]
        order = np.argsort(-cosines(vectors, matrix[rows]), axis=1, kind="stable")[:, :n]
        return [[documents[rows[i]].id for i in row] for row in order]

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Documents and vectors by id, in the order asked; unknown ids are left out."""
        index, documents, matrix = self._data
        rows = [index[id] for id in ids if id in index]
        return Batch(tuple(documents[i] for i in rows), matrix[rows])

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement."""
        _, documents, matrix = self._data
        rows = np.random.default_rng(seed).permutation(len(documents))[:n]
        return Batch(tuple(documents[i] for i in rows), matrix[rows])

    def scan(self, filter: Predicate | None = None) -> Iterator[VectorBatch]:
        """All vectors, in one batch."""
        _, documents, matrix = self._data
        rows = _passing(documents, filter)
        if len(rows):
            selected = matrix if len(rows) == len(documents) else matrix[rows]
            yield VectorBatch(tuple(documents[i].id for i in rows), selected)


def _passing(documents: Sequence[StoredDocument], filter: Predicate | None) -> npt.NDArray[Any]:
    """Positions of the documents that pass the filter."""
    if filter is None:
        return np.arange(len(documents))
    return np.array([i for i, document in enumerate(documents) if filter(document)], dtype=np.intp)

"""The common part of stores in this process's memory whose vectors are lists of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Batch, Capabilities, Filter, StoredDocument, VectorBatch
from logical_retriever.stores.rows import in_order, matrix
from logical_retriever.vectors import Vectors, nearest, prepare


class ListedVectors:
    """Searched exactly by cosine; what is added later is seen."""

    best = Capabilities("", exact_search=True, stored_vectors=True, scan=True, in_process=True, cosine_order=True)
    """Capabilities, under the name of each."""

    def __init__(self) -> None:
        # The last snapshot as (lists of numbers, array, scales): turning lists into arrays takes longer than a search.
        self._converted: tuple[list[Any], Vectors, Vectors] = ([], matrix(()), prepare(matrix(())))

    def entries(self) -> tuple[list[DocumentId], list[Any]]:
        """Ids and vectors of one moment, in the order added."""
        raise NotImplementedError

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Any] | None:
        """A document and its vector; None where there is none."""
        raise NotImplementedError

    def passes(self, filter: Filter) -> Callable[[DocumentId], bool]:
        """Whether the document of an id passes a filter."""
        raise NotImplementedError

    def count(self) -> int:
        """Number of documents."""
        return len(self.entries()[0])

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents of greatest cosine per vector, ties in the order added."""
        ids, rows, known = self._passing(filter)
        if not ids:
            return [[] for _ in vectors]
        return [[ids[i] for i in found] for found, _ in nearest(vectors, rows, n, known)]

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        return in_order(ids, {id: entry for id in ids if (entry := self.entry(id)) is not None})

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement, the same ones for the same seed and content."""
        ids, _ = self.entries()
        return self.fetch([ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]])

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """All vectors, in one batch."""
        ids, rows, known = self._passing(filter)
        if ids:
            yield VectorBatch(tuple(ids), rows, known)

    def _passing(self, filter: Filter) -> tuple[list[DocumentId], Vectors, Vectors]:
        """Ids of the documents that pass the filter, their vectors and the scales of these, of one moment."""
        ids, vectors = self.entries()
        latest, rows, known = self._converted
        if len(latest) != len(vectors) or any(a is not b for a, b in zip(latest, vectors, strict=True)):
            rows = matrix(vectors)
            known = prepare(rows)
            self._converted = (vectors, rows, known)
        if filter is None:
            return ids, rows, known
        passes = self.passes(filter)
        kept = [i for i, id in enumerate(ids) if passes(id)]
        return [ids[i] for i in kept], rows[kept], known[kept]

"""The common part of stores in this process's memory whose vectors are lists of numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from logical_retriever.lexical import WordIndex
from logical_retriever.query import LogicalQuery, holds
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    ALL_OPERATORS,
    Batch,
    Capabilities,
    Filter,
    StoredDocument,
    VectorBatch,
    WordQuery,
)
from logical_retriever.stores.followed import FollowedWords, found_by_words
from logical_retriever.stores.rows import in_order, matrix
from logical_retriever.vectors import Vectors, nearest, prepare


@dataclass(frozen=True)
class Narrowed:
    """A filter, or None, and a condition on metadata."""

    filter: Filter
    condition: LogicalQuery


class ListedVectors:
    """Searched exactly by cosine; what is added later is seen."""

    best = Capabilities(
        name="",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        in_process=True,
        cosine_order=True,
        words="an index of their words",
        indexes_words=True,
        conditions=ALL_OPERATORS,
    )
    """Capabilities, under the name of each."""

    def __init__(self) -> None:
        # The last snapshot as (lists of numbers, array, scales): turning lists into arrays takes longer than a search.
        self._converted: tuple[list[Any], Vectors, Vectors] = ([], matrix(()), prepare(matrix(())))
        self._followed = FollowedWords()

    def entries(self) -> tuple[list[DocumentId], list[Any]]:
        """Ids and vectors of one moment, in the order added."""
        raise NotImplementedError

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Any] | None:
        """A document and its vector; None where there is none."""
        raise NotImplementedError

    def passes(self, filter: Filter) -> Callable[[DocumentId], bool]:
        """Whether the document of an id passes a filter."""
        raise NotImplementedError

    def narrowed(self, filter: Filter, condition: LogicalQuery) -> Narrowed:
        """The documents of the filter whose metadata the condition holds of."""
        return Narrowed(filter, condition)

    def count(self) -> int:
        """Number of documents."""
        return len(self.entries()[0])

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents of greatest cosine per vector, ties in the order added."""
        ids, rows, known, _ = self._passing(filter)
        if not ids:
            return [[] for _ in vectors]
        return [[ids[i] for i in found] for found, _ in nearest(vectors, rows, n, known)]

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 per query, ties in the order added; stems of words count as the words."""
        ids, _, _, words = self._passing(filter)
        return found_by_words(ids, words, queries, n)

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        return in_order(ids, {id: entry for id in ids if (entry := self.entry(id)) is not None})

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement, the same ones for the same seed and content."""
        ids, _ = self.entries()
        return self.fetch([ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]])

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """All vectors, in one batch."""
        ids, rows, known, words = self._passing(filter)
        if ids:
            yield VectorBatch(tuple(ids), rows, known, words=words)

    def _passing(self, filter: Filter) -> tuple[list[DocumentId], Vectors, Vectors, Callable[[str], WordIndex]]:
        """Ids of the documents that pass the filter, vectors, the scales of these, and their words, of one moment."""
        ids, vectors = self.entries()
        latest, rows, known = self._converted
        if len(latest) != len(vectors) or not all(map(operator.is_, latest, vectors)):
            rows = matrix(vectors)
            known = prepare(rows)
            self._converted = (vectors, rows, known)
        if filter is None:
            return ids, rows, known, partial(self._words, ids, vectors)
        passes = self._passes(filter)
        kept = [i for i, id in enumerate(ids) if passes(id)]
        of_all = partial(self._words, ids, vectors)
        return [ids[i] for i in kept], rows[kept], known[kept], lambda language: of_all(language).view(kept)

    def _passes(self, filter: Filter) -> Callable[[DocumentId], bool]:
        if not isinstance(filter, Narrowed):
            return self.passes(filter)
        given = None if filter.filter is None else self._passes(filter.filter)

        def passes(id: DocumentId) -> bool:
            entry = self.entry(id) if given is None or given(id) else None  # it may have been deleted meanwhile
            return entry is not None and holds(filter.condition, entry[0].metadata)

        return passes

    def _words(self, ids: list[DocumentId], vectors: list[Any], language: str) -> WordIndex:
        """The index of these documents' words."""

        def text(id: DocumentId) -> str:
            entry = self.entry(id)  # it may have been deleted meanwhile
            return "" if entry is None else entry[0].text

        return self._followed.index(ids, vectors, text, language)

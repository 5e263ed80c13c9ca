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
from logical_retriever.stores.rows import in_order, matrix
from logical_retriever.stores.words import FollowedWords, documents_with_words
from logical_retriever.vectors import Vectors, nearest


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
        # The last snapshot as (lists of numbers, array): turning lists into arrays takes longer than a search.
        self._converted: tuple[list[Any], Vectors] = ([], matrix(()))
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
        lists: list[list[DocumentId]] = [[] for _ in vectors]
        for batch in self.scan(filter):
            lists = [[batch.ids[row] for row in rows] for rows, _ in nearest(vectors, batch.vectors, n)]
        return lists

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 per query, ties in the order added; stems of words count as the words."""
        passes = None if filter is None else self._passes(filter)
        return documents_with_words(*self._with_words(*self.entries()), queries, n, passes)

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that are there and pass the filter."""
        known = {id: entry for id in ids if (entry := self.entry(id)) is not None}
        passes = None if filter is None else self._passes(filter)
        return in_order([id for id in ids if id in known and (passes is None or passes(id))], known)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement, the same ones for the same seed and content."""
        ids, _ = self.entries()
        return self.fetch([ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]])

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """All vectors, in one batch."""
        ids, vectors = self.entries()
        latest, rows = self._converted
        if len(latest) != len(vectors) or not all(map(operator.is_, latest, vectors)):
            rows = matrix(vectors)
            self._converted = (vectors, rows)
        _, words = self._with_words(ids, vectors)
        if filter is not None:
            passes = self._passes(filter)
            some = [row for row, id in enumerate(ids) if passes(id)]
            ids, rows = [ids[row] for row in some], rows[some]
            of_all, words = words, lambda language: of_all(language).kept(some)
        if ids:
            yield VectorBatch(tuple(ids), rows, words)

    def _passes(self, filter: Filter) -> Callable[[DocumentId], bool]:
        if not isinstance(filter, Narrowed):
            return self.passes(filter)
        given = None if filter.filter is None else self._passes(filter.filter)

        def passes(id: DocumentId) -> bool:
            entry = self.entry(id) if given is None or given(id) else None  # it may have been deleted meanwhile
            return entry is not None and holds(filter.condition, entry[0].metadata)

        return passes

    def _with_words(
        self, ids: list[DocumentId], vectors: list[Any]
    ) -> tuple[list[DocumentId], Callable[[str], WordIndex]]:
        """Documents and the index of their words."""

        def text(id: DocumentId) -> str:
            entry = self.entry(id)  # it may have been deleted meanwhile
            return "" if entry is None else entry[0].text

        return ids, partial(self._followed.index, ids, vectors, text)

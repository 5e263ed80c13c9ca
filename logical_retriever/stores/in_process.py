"""The common part of stores whose vectors lie in this process's memory: every answer is exact."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from logical_retriever.lexical import WordIndex
from logical_retriever.query import LogicalQuery, decider
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import AtBest, Batch, Capabilities, Filter, StoredDocument, VectorBatch, WordQuery
from logical_retriever.stores.rows import in_order, matrix
from logical_retriever.stores.words import FollowedWords, documents_with_words
from logical_retriever.vectors import Vectors, nearest


@dataclass(frozen=True)
class Narrowed:
    """A filter, or None, and a condition on metadata."""

    filter: Filter
    condition: LogicalQuery


class InProcessStore:
    """Searched exactly by cosine; what is added, changed or deleted is seen by the next question."""

    best: ClassVar[Capabilities] = Capabilities(
        name="",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        in_process=True,
        cosine_order=True,
        words="an index of their words",
        conditions="all",
    )
    """Capabilities, under the name of each."""
    capabilities: AtBest | Capabilities

    def __init__(self) -> None:
        self._lists: Sequence[Any] = ()
        self._matrix = matrix(())
        self._followed = FollowedWords()

    def everything(self) -> VectorBatch:
        """All documents of one moment, in the order added."""
        raise NotImplementedError

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Any] | None:
        """A document and its vector; None where there is none."""
        raise NotImplementedError

    def document(self, id: DocumentId) -> StoredDocument | None:
        """A document; None where there is none."""
        entry = self.entry(id)
        return None if entry is None else entry[0]

    def passes(self, filter: Filter) -> Callable[[DocumentId], bool]:
        """Whether the document of an id, which was there a moment ago, passes a filter of the store's own language."""
        raise NotImplementedError

    def batch(self, ids: Sequence[DocumentId], vectors: Sequence[Any]) -> VectorBatch:
        """All documents, of vectors that are lists of numbers, and other objects when their documents are changed."""
        # Turning lists into an array takes longer than a search.
        if len(vectors) != len(self._lists) or not all(map(operator.is_, vectors, self._lists)):
            self._lists, self._matrix = vectors, matrix(vectors)
        return VectorBatch(ids, self._matrix, self.words(ids, self._lists))

    def words(self, ids: Sequence[DocumentId], marks: Sequence[object]) -> Callable[[str], WordIndex]:
        """The index of the documents' words in a language.

        Args:
            ids: N identities.
            marks: For each document, an object that is another one when the document is.
        """

        def text(id: DocumentId) -> str:
            document = self.document(id)  # it may have been deleted meanwhile
            return "" if document is None else document.text

        return partial(self._followed.index, ids, marks, text)

    def narrowed(self, filter: Filter, condition: LogicalQuery) -> Narrowed:
        """The documents of the filter whose metadata the condition holds of."""
        return Narrowed(filter, condition)

    def count(self) -> int:
        """Number of documents."""
        return len(self.everything().ids)

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """The n documents of greatest cosine per vector, ties in the order added."""
        batch, lists = self._passing(filter), [list[DocumentId]() for _ in vectors]
        if batch.ids:
            lists = [[batch.ids[row] for row in rows] for rows, _ in nearest(vectors, batch.vectors, n, batch.scales)]
        return lists, self.fetch(list(dict.fromkeys(chain.from_iterable(lists))))

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 per query, ties in the order added; stems of words count as the words."""
        batch = self._passing(filter)
        return [documents_with_words(batch.ids, batch.words, query, n) for query in queries]

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that are there and pass the filter."""
        entries = self._entries(ids)
        passes = None if filter is None else self._passes(filter)
        return in_order([id for id in ids if id in entries and (passes is None or passes(id))], entries)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement, the same ones for the same seed and content."""
        ids = self.everything().ids
        drawn = [ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]]
        return in_order(drawn, self._entries(drawn))

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """All vectors in one batch, or copies of those that pass the filter."""
        batch = self._passing(filter)
        if batch.ids:
            yield batch

    def _entries(self, ids: Sequence[DocumentId]) -> dict[DocumentId, tuple[StoredDocument, Any]]:
        return {id: entry for id in ids if (entry := self.entry(id)) is not None}

    def _passing(self, filter: Filter) -> VectorBatch:
        batch = self.everything()
        if filter is None:
            return batch
        passes, words, scales = self._passes(filter), batch.words, batch.scales
        rows = [row for row, id in enumerate(batch.ids) if passes(id)]
        return VectorBatch(
            tuple(batch.ids[row] for row in rows),
            batch.vectors[rows],
            None if words is None else lambda language: words(language).kept(rows),
            None if scales is None else scales[rows],
        )

    def _passes(self, filter: Filter) -> Callable[[DocumentId], bool]:
        if not isinstance(filter, Narrowed):
            return self.passes(filter)
        passes_filter = None if filter.filter is None else self._passes(filter.filter)
        decide = decider(filter.condition)

        def passes(id: DocumentId) -> bool:
            document = self.document(id) if passes_filter is None or passes_filter(id) else None
            return document is not None and decide(document.metadata)

        return passes

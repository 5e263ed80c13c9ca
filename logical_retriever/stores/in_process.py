"""The common part of stores whose vectors lie in this process's memory: every answer is exact."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from logical_retriever.lexical import WordIndex
from logical_retriever.query import LogicalQuery, decider
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    Batch,
    Capabilities,
    Filter,
    StoredDocument,
    VectorBatch,
    WordQuery,
    capabilities_property,
)
from logical_retriever.stores.rows import IndexedDocuments, in_order, matrix
from logical_retriever.vectors import Vectors, nearest


@dataclass(frozen=True)
class FilterWithCondition:
    """A filter and a condition on metadata; a document must pass both.

    Attributes:
        filter: In the store's own language, or None.
        condition: Conditions, AND, OR and NOT, without terms.
    """

    filter: Filter
    condition: LogicalQuery


class InProcessStore:
    """A store that compares all vectors by cosine. The next question sees every change of the documents.

    A subclass reads them by :meth:`snapshot`, :meth:`entry` and :meth:`passes`, and names itself in ``capabilities``.
    """

    capabilities: capabilities_property | Capabilities = Capabilities(
        name="",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        in_process=True,
        cosine_order=True,
        word_search="an index of their words",
        conditions="all",
    )

    def __init__(self) -> None:
        self._lists: Sequence[Any] = ()
        self._matrix = matrix(())
        self._indexes: dict[str, tuple[Sequence[object], list[Any], WordIndex]] = {}
        self._indexing = threading.Lock()

    def snapshot(self) -> VectorBatch:
        """Return all documents of one moment, in the order added."""
        raise NotImplementedError

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Any] | None:
        """Return a document and its vector; None for a missing one."""
        raise NotImplementedError

    def document(self, id: DocumentId) -> StoredDocument | None:
        """Return a document; None for a missing one."""
        entry = self.entry(id)
        return None if entry is None else entry[0]

    def passes(self, filter: Filter) -> Callable[[DocumentId], bool]:
        """Return a test of ids by a filter in the store's own language. Documents may be deleted before the test."""
        raise NotImplementedError

    def batch(self, ids: Sequence[DocumentId], vectors: Sequence[Any]) -> VectorBatch:
        """Build a batch of all documents from vectors given as lists.

        A changed document must have a new list object.
        """
        # Converting the lists takes longer than a search: it is done again only after a change.
        if len(vectors) != len(self._lists) or not all(map(operator.is_, vectors, self._lists)):
            self._lists, self._matrix = vectors, matrix(vectors)
        return VectorBatch(ids, self._matrix, partial(self.word_index, ids, self._lists))

    def word_index(self, ids: Sequence[DocumentId], versions: Sequence[object], language: str) -> WordIndex:
        """Index the words of the texts; after the first time, only of the new ones.

        Args:
            ids: N ids.
            versions: An object for each document whose identity changes whenever the document changes.
            language: Of the texts.
        """
        with self._indexing:
            # The versions are held, so that no other object can have the address of one of them.
            latest, before, index = self._indexes.get(language, ((), [], WordIndex.of((), language)))
            if latest is versions:
                return index
            now = list(zip(ids, map(id, versions), strict=True))
            if now != before:
                present = set(now)
                stay = [row for row, pair in enumerate(before) if pair in present]
                if [before[row] for row in stay] != now[: len(stay)]:  # some changed in between
                    stay = []
                added = map(self.document, ids[len(stay) :])
                index = index.kept(stay).added("" if new is None else new.text for new in added)  # deleted meanwhile
            self._indexes[language] = versions, now, index
            return index

    def with_condition(self, filter: Filter, condition: LogicalQuery) -> FilterWithCondition:
        """Return a filter that matches documents that pass both ``filter`` and the condition."""
        return FilterWithCondition(filter, condition)

    def count(self) -> int:
        """Return the number of documents."""
        return len(self.snapshot().ids)

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """Find the n documents of greatest cosine for each vector, ties in the order added."""
        batch, lists = self._passing(filter), [list[DocumentId]() for _ in vectors]
        if batch.ids:
            lists = [[batch.ids[row] for row in rows] for rows, _ in nearest(vectors, batch.vectors, n, batch.scales)]
        return lists, self.fetch(list(dict.fromkeys(chain.from_iterable(lists))))

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """Return the ids of the n documents with the greatest BM25 score for each query; words match by their stems.

        Ties keep the order in which documents were added.
        """
        batch = self._passing(filter)
        if (index := batch.word_index) is None:
            return [[] for _ in queries]
        return [IndexedDocuments(batch.ids, index(query.language)).search(query, n) for query in queries]

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Read documents by id, in the order asked. Leave out those that are missing or fail the filter."""
        entries = self._entries(ids)
        passes = None if filter is None else self._passes(filter)
        return in_order([id for id in ids if id in entries and (passes is None or passes(id))], entries)

    def sample(self, n: int, seed: int) -> Batch:
        """Draw up to n documents at random, without replacement; the same ones for the same seed and content."""
        ids = self.snapshot().ids
        drawn = [ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]]
        return in_order(drawn, self._entries(drawn))

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """Return all vectors in one batch, or copies of those that pass the filter."""
        batch = self._passing(filter)
        if batch.ids:
            yield batch

    def _entries(self, ids: Sequence[DocumentId]) -> dict[DocumentId, tuple[StoredDocument, Any]]:
        return {id: entry for id in ids if (entry := self.entry(id)) is not None}

    def _passing(self, filter: Filter) -> VectorBatch:
        batch = self.snapshot()
        if filter is None:
            return batch
        passes, index, scales = self._passes(filter), batch.word_index, batch.scales
        rows = [row for row, id in enumerate(batch.ids) if passes(id)]
        return VectorBatch(
            tuple(batch.ids[row] for row in rows),
            batch.vectors[rows],
            None if index is None else lambda language: index(language).kept(rows),
            None if scales is None else scales[rows],
        )

    def _passes(self, filter: Filter) -> Callable[[DocumentId], bool]:
        if not isinstance(filter, FilterWithCondition):
            return self.passes(filter)
        passes_filter = None if filter.filter is None else self._passes(filter.filter)
        decide = decider(filter.condition)

        def passes(id: DocumentId) -> bool:
            document = self.document(id) if passes_filter is None or passes_filter(id) else None
            return document is not None and decide(document.metadata)

        return passes

"""Conditions and a store: what its own filter says of them, and what is decided on metadata as documents are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from logical_retriever.query import LogicalQuery, decider
from logical_retriever.query.conditions import all_of, conjuncts
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    Batch,
    Capabilities,
    Filter,
    IndexedStore,
    IndexedWords,
    NarrowingStore,
    Store,
    SupersetStore,
    VectorBatch,
    WordQuery,
    WordStore,
)
from logical_retriever.vectors import Vectors

MAX_CHECKED = 20_000
"""Entries of one list that are read at most to find documents of which a condition holds."""
GROWTH = 4
"""How many times longer the next list is where too few of a list's documents passed."""


@dataclass(frozen=True)
class Narrowed:
    """A store and a filter that give the documents of a condition, and no others.

    Attributes:
        store: The store, or the store with a check of what its filter does not say.
        filter: In the store's own language: the caller's, and what could be said beside it, of ``checked`` as well.
        told: The condition that the filter says, or None.
        checked: The condition that is decided on the documents' metadata, or None.
    """

    store: Store
    filter: Filter
    told: LogicalQuery | None
    checked: LogicalQuery | None


def narrowed(store: Store, filter: Filter, condition: LogicalQuery | None) -> Narrowed:
    """Have a store give the documents of which a condition holds, out of those that pass the caller's filter.

    Args:
        store: The documents.
        filter: The caller's, in the store's own language. It is joined by AND with the condition, never changed.
        condition: Without terms; None for no condition.
    """
    if condition is None:
        return Narrowed(store, filter, None, None)
    if isinstance(store, NarrowingStore) and (said := store.narrowed(filter, condition)) is not None:
        return Narrowed(store, said, condition, None)
    told, checked = [], []
    for part in conjuncts(condition):
        said = store.narrowed(filter, part) if isinstance(store, NarrowingStore) else None
        if said is not None:
            filter = said
            told.append(part)
            continue
        checked.append(part)
        if isinstance(store, SupersetStore) and (wider := store.superset_filter(filter, part)) is not None:
            filter = wider
    left = all_of(checked)
    return Narrowed(store if left is None else CheckedStore(store, left), filter, all_of(told), left)


class CheckedStore:
    """The documents of a store of which a condition holds: every list and scan is read with its metadata.

    Lists are asked for in greater lengths until enough of their documents pass.

    Attributes:
        checks: Always, so that a search knows it whatever is around this store.
        cut: Whether a list was given up before enough had passed; what it lacks may be among the best.
    """

    checks = True

    def __init__(self, store: Store, condition: LogicalQuery) -> None:
        self._store, self._decide = store, decider(condition)
        self._known: dict[DocumentId, bool] = {}
        self.cut = False

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store; an index of all of its words is not one of the documents that pass."""
        return replace(self._store.capabilities, indexes_words=False, reads_nearest=False)

    @property
    def cost(self) -> str | None:
        """As :attr:`logical_retriever.search.access.Reader.cost`."""
        cost = getattr(self._store, "cost", None)
        return cost if isinstance(cost, str) else None

    def count(self) -> int | None:
        """Number of documents, those that do not pass among them."""
        return self._store.count()

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n nearest documents of each vector that pass."""
        return self._passing(lambda m: self._store.search(vectors, m, filter), n)

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents with words of each query that pass."""
        store = cast("WordStore", self._store)
        return self._passing(lambda m: store.search_words(queries, m, filter), n)

    def indexed_words(self, language: str) -> IndexedWords | None:
        """Those of the store, where it has them; see :meth:`passing`."""
        return self._store.indexed_words(language) if isinstance(self._store, IndexedStore) else None

    def passing(self, ids: Sequence[DocumentId], filter: Filter) -> list[DocumentId]:
        """Those of some documents that pass the filter and the check."""
        told = ids if filter is None else cast("IndexedStore", self._store).passing(ids, filter)
        self._check(told)
        return [id for id in told if self._known[id]]

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """Documents by id, whether they pass or not."""
        return self._store.fetch(ids)

    def sample(self, n: int, seed: int) -> Batch:
        """Documents drawn from the whole store: the background that evidence is compared with."""
        return self._store.sample(n, seed)

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """Vectors of the documents that pass."""
        for batch in self._store.scan(filter):
            self._check(batch.ids)
            rows = [row for row, id in enumerate(batch.ids) if self._known[id]]
            if rows:
                scales = None if batch.scales is None else batch.scales[rows]
                yield VectorBatch(tuple(batch.ids[row] for row in rows), batch.vectors[rows], scales)

    def _passing(self, lists_of: Callable[[int], list[list[DocumentId]]], n: int) -> list[list[DocumentId]]:
        limit = self.capabilities.max_results
        most = MAX_CHECKED if limit is None else min(limit, MAX_CHECKED)
        length = n
        while True:
            lists = lists_of(length)
            self._check(list(dict.fromkeys(id for ids in lists for id in ids)))
            passing = [[id for id in ids if self._known[id]] for ids in lists]
            short = [
                len(kept) < n and len(ids) >= length for kept, ids in zip(passing, lists, strict=True)
            ]  # a list that is shorter than asked for is all that there is
            if not any(short):
                return [kept[:n] for kept in passing]
            if length >= most:
                self.cut = True
                return [kept[:n] for kept in passing]
            length = max(n, min(length * GROWTH, most))

    def _check(self, ids: Sequence[DocumentId]) -> None:
        new = [id for id in ids if id not in self._known]
        if not new:
            return
        # What does not come back cannot be read later either, and fulfils no condition.
        self._known.update(dict.fromkeys(new, False))
        for document in self._store.fetch(new).documents:
            self._known[document.id] = self._decide(document.metadata)

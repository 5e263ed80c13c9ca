"""Many searches over one store at once: what they ask of it is asked together, and each gets what is its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar, cast

import numpy as np

from logical_retriever.errors import StoreError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    Batch,
    Filter,
    IndexedStore,
    IndexedWords,
    NearestStore,
    PushdownAnswer,
    PushdownStore,
    PushdownTarget,
    Store,
    VectorBatch,
    WordQuery,
    WordStore,
)
from logical_retriever.stores.notes import SearchNotes, current_notes
from logical_retriever.stores.rows import in_order
from logical_retriever.stores.wrapped import Sent, WrappedEngine, WrappedStore
from logical_retriever.vectors import StoredVectors, Vectors, cosine_error, table_of_cosines, unit
from logical_retriever.vectors.approximate import ApproximateCosines

T = TypeVar("T")

AT_ONCE = 100
"""Searches that go on at once, each in a thread that mostly waits."""
MOST_ITEMS = 10_000
"""Vectors, queries of words, or documents in one request, unless one search alone wants more."""
PRODUCT_MEMORY = 256_000_000
"""Bytes that the cosines of all texts of a group of questions with all documents may take."""


class ComparedStore(WrappedStore):
    """Vectors in memory, compared with the texts of many questions in one pass over them.

    Args:
        store: The store below, whose scans bring its vectors in one batch.
        texts: Shape (T, d), of all questions.
    """

    def __init__(self, store: Store, texts: Vectors) -> None:
        super().__init__(store)
        self._texts = unit(texts)
        self._rows = {row.tobytes(): place for place, row in enumerate(self._texts)}
        self._latest: tuple[StoredVectors, ApproximateCosines] | None = None
        self._notes = SearchNotes()

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """As of the store below; what a filter leaves is compared question by question."""
        for batch in self.store.scan(filter):
            if filter is None and batch.scales is not None:
                yield replace(batch, known=partial(self._known, batch, batch.scales))
            else:
                yield batch

    def _known(self, batch: VectorBatch, scales: Vectors, texts: Vectors) -> ApproximateCosines | None:
        rows = [self._rows[key] for row in texts if (key := row.tobytes()) in self._rows]
        if len(rows) < len(texts) or texts.shape[1] != batch.vectors.shape[1]:
            return None
        if self._latest is None or self._latest[0] is not batch.vectors:  # documents were added or deleted
            self._latest = batch.vectors, self._table(batch, scales)
        if (notes := current_notes()) is not None:
            notes.take_over(self._notes)
        return self._latest[1].block(rows)

    def _table(self, batch: VectorBatch, scales: Vectors) -> ApproximateCosines:
        self._notes = SearchNotes()
        if batch.known is not None:
            with self._notes.taken():
                found = batch.known(self._texts)
            if found is not None:
                return found
        errors = np.full(len(batch.ids), cosine_error(self._texts.shape[1]), dtype=np.float32)
        return ApproximateCosines(table_of_cosines(self._texts, batch.vectors, scales), errors)


@dataclass(eq=False)
class _Request:
    """One search's request; those of one kind differ in their items alone, and any of them can ask for all items."""

    kind: tuple[Any, ...]
    items: Sequence[Any]
    ask: Callable[[Sequence[Any]], Sequence[Any]]
    notes: SearchNotes | None
    answer: Sequence[Any] = ()
    error: Exception | None = None
    done: bool = False


@dataclass
class Meeting:
    """Searches that wait until each of them wants something of the store, which is then asked for all of them.

    A request that fails is made once more for each of them alone, so that the fault of one is not that of all.
    """

    notes: SearchNotes = field(default_factory=SearchNotes)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _waiting: list[_Request] = field(default_factory=list)
    _running: int = 0

    def run(self, searches: Sequence[Callable[[], T]]) -> list[T]:
        """Carry out searches, each in a thread; none of them raises."""
        found: list[T] = []
        for start in range(0, len(searches), AT_ONCE):
            some = searches[start : start + AT_ONCE]
            self._running = len(some)
            with ThreadPoolExecutor(len(some), thread_name_prefix="search") as pool:
                found += [done.result() for done in [pool.submit(copy_context().run, self._one, one) for one in some]]
        return found

    def through(self, store: Store) -> Store:
        """A store, as each of the searches has to ask it."""
        return _MetEngine(store, self) if isinstance(store, PushdownStore) else _MetStore(store, self)

    def ask(
        self, kind: tuple[Any, ...], items: Sequence[Any], ask: Callable[[Sequence[Any]], Sequence[Any]]
    ) -> list[Any]:
        """One answer for each item, asked for together with those of other searches."""
        request = _Request(kind, items, ask, current_notes())
        with self._changed:
            self._waiting.append(request)
            self._ask_if_all_wait()
            while not request.done:
                self._changed.wait()
        if request.error is not None:
            raise request.error
        return list(request.answer)

    def _one(self, search: Callable[[], T]) -> T:
        try:
            return search()
        finally:
            with self._changed:
                self._running -= 1
                self._ask_if_all_wait()

    def _ask_if_all_wait(self) -> None:
        if not self._waiting or len(self._waiting) < self._running:
            return
        requests, self._waiting = self._waiting, []
        groups: dict[tuple[Any, ...], list[_Request]] = {}
        for request in requests:
            groups.setdefault(request.kind, []).append(request)
        for group in groups.values():
            while group:
                size, count = 0, 0
                while count < len(group) and (not count or size + len(group[count].items) <= MOST_ITEMS):
                    size, count = size + len(group[count].items), count + 1
                self._make(group[:count])
                del group[:count]
        self._changed.notify_all()

    def _make(self, requests: list[_Request]) -> None:
        try:
            with self.notes.taken():
                answers = requests[0].ask([item for request in requests for item in request.items])
        except Exception as error:  # whatever a client raises
            if len(requests) > 1:
                for request in requests:
                    self._make([request])
                return
            requests[0].error, answers = error, ()
        at = 0
        for request in requests:
            request.answer, at = answers[at : at + len(request.items)], at + len(request.items)
            if request.notes is not None:
                request.notes.take_over(self.notes)
            request.done = True


class _MetStore(WrappedStore):
    """A store whose lists and documents are asked for together with those of other searches."""

    def __init__(self, store: Store, meeting: Meeting) -> None:
        super().__init__(store)
        self._meeting = meeting

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """As of the store below."""

        def ask(rows: Sequence[Vectors]) -> list[list[DocumentId]]:
            distinct = {row.tobytes(): row for row in rows}
            lists = self.store.search(np.stack(list(distinct.values())), n, filter)
            found = dict(zip(distinct, self._each(lists, len(distinct)), strict=True))
            return [found[row.tobytes()] for row in rows]

        return self._meeting.ask(("search", id(self.store), n, id(filter), vectors.shape[1]), list(vectors), ask)

    def read_nearest(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """As of the store below."""

        def ask(rows: Sequence[Vectors]) -> list[tuple[list[DocumentId], dict[DocumentId, Any]]]:
            distinct = {row.tobytes(): row for row in rows}
            lists, batch = cast("NearestStore", self.store).read_nearest(np.stack(list(distinct.values())), n, filter)
            found = dict(zip(batch.ids, zip(batch.documents, batch.vectors, strict=True), strict=True))
            each = {
                key: (ids, {id: found[id] for id in ids if id in found})
                for key, ids in zip(distinct, self._each(lists, len(distinct)), strict=True)
            }
            return [each[row.tobytes()] for row in rows]

        kind = ("nearest", id(self.store), n, id(filter), vectors.shape[1])
        answers = self._meeting.ask(kind, list(vectors), ask)
        found = {id: pair for _, pairs in answers for id, pair in pairs.items()}
        return [ids for ids, _ in answers], in_order(list(found), found)

    def _each(self, lists: list[list[DocumentId]], count: int) -> list[list[DocumentId]]:
        """The lists of a request.

        Raises:
            StoreError: There are more or fewer than were asked for: whose each is cannot be told.
        """
        if len(lists) != count:
            raise StoreError(
                f"{self.capabilities.name} gave {len(lists)} lists where {count} were asked for.",
                hint="A store gives one for each; check the adapter with logical_retriever.testing.",
            )
        return lists

    @property
    def checks(self) -> bool:
        """Whether the store below decides conditions itself."""
        return bool(getattr(self.store, "checks", False))

    def indexed_words(self, language: str) -> IndexedWords | None:
        """As of the store below, where it has them."""
        return self.store.indexed_words(language) if isinstance(self.store, IndexedStore) else None

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """As of the store below."""

        def ask(items: Sequence[WordQuery]) -> list[list[DocumentId]]:
            return self._each(cast("WordStore", self.store).search_words(items, n, filter), len(items))

        return self._meeting.ask(("words", id(self.store), n, id(filter)), queries, ask)

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """As of the store below."""

        def ask(items: Sequence[DocumentId]) -> list[Any]:
            batch = self.store.fetch(list(dict.fromkeys(items)))
            found = {document.id: (document, row) for document, row in zip(batch.documents, batch.vectors, strict=True)}
            return [found.get(id) for id in items]

        found = [one for one in self._meeting.ask(("fetch", id(self.store)), ids, ask) if one is not None]
        if not found:
            return Batch((), np.empty((0, 0), np.float32))
        return Batch(tuple(document for document, _ in found), np.stack([row for _, row in found]))


class _MetEngine(_MetStore, WrappedEngine):
    """The same over a store whose engine computes scores itself: of all searches at once where it can."""

    def pushdown_target(self, filter: Filter = None) -> PushdownTarget:
        """As of the store below."""
        return self.many_target(filter) if self.many else super().pushdown_target(filter)

    def execute(self, statement: Any, parameters: Mapping[str, Any], filter: Filter = None) -> PushdownAnswer:
        """As of the store below."""
        if not self.many:
            return super().execute(statement, parameters, filter)

        def ask(items: Sequence[Sent]) -> Sequence[PushdownAnswer]:
            return self.execute_many(items, filter)

        [answer] = self._meeting.ask(("execute", id(self.store), id(filter)), [(statement, parameters)], ask)
        return cast("PushdownAnswer", answer)

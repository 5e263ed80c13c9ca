"""Many searches at once: texts encoded in one call, documents compared in one pass or asked for in shared requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from logical_retriever.embedding import Embedder, aembed_terms, embed_terms
from logical_retriever.errors import EmbeddingError, InvalidArgumentError
from logical_retriever.results import SearchResult
from logical_retriever.search.asked import AskedQuestion
from logical_retriever.stages import StageTimes, stage, timed
from logical_retriever.stores.base import Store
from logical_retriever.stores.together import PRODUCT_MEMORY, ComparedStore, Meeting
from logical_retriever.vectors import Vectors

Through = Callable[[Store], Store]
"""Gives the store through which a search has to ask another."""
Run = Callable[[AskedQuestion, Vectors, Through], SearchResult]


@dataclass
class _Search:
    """One of the searches: what is known of it so far, or why it failed."""

    times: StageTimes = field(default_factory=StageTimes)
    asked: AskedQuestion | None = None
    vectors: Vectors | None = None
    outcome: SearchResult | Exception | None = None


class ManySearches:
    """Searches of one store, stage by stage; the error of one is its own.

    Args:
        queries: Any number; an error in place of a query is its outcome.
        prepare: Makes of a query what is searched for.

    Raises:
        InvalidArgumentError: The queries are no sequence.
    """

    def __init__(self, queries: Sequence[Any], prepare: Callable[[Any], AskedQuestion]) -> None:
        if isinstance(queries, (str, bytes)) or not isinstance(queries, Sequence):
            raise InvalidArgumentError(
                f"{type(queries).__name__} is no sequence of queries or questions.", hint="Give a list of them."
            )
        self._all = [_Search() for _ in queries]
        for one, query in zip(self._all, queries, strict=True):
            if isinstance(query, Exception):
                one.outcome = query
                continue
            with timed(one.times), stage("plan"):
                try:
                    one.asked = prepare(query)
                except Exception as error:  # of this query alone
                    one.outcome = error

    def encode(self, embedder: Embedder) -> None:
        """Encode the texts of all in one call; where that fails, those of each in one, so that the fault is its own."""
        started, texts = time.perf_counter(), self._texts()
        try:
            self._give(texts, embed_terms(embedder, texts) if texts else None)
        except EmbeddingError:
            for one, asked in self._left():
                try:
                    one.vectors = embed_terms(embedder, asked.texts)
                except EmbeddingError as error:
                    one.outcome = error
        self._count_encoding(started)

    async def aencode(self, embedder: Embedder) -> None:
        """Asynchronous twin of :meth:`encode`."""
        started, texts = time.perf_counter(), self._texts()
        try:
            self._give(texts, await aembed_terms(embedder, texts) if texts else None)
        except EmbeddingError:
            for one, asked in self._left():
                try:
                    one.vectors = await aembed_terms(embedder, asked.texts)
                except EmbeddingError as error:
                    one.outcome = error
        self._count_encoding(started)

    def run(self, store: Store, run: Run) -> None:
        """Carry them out; :meth:`encode` has been called.

        Args:
            store: The documents.
            run: Carries one out.
        """
        if store.capabilities.in_process:
            for group in self._groups(store):
                self._run_over_one_pass(group, run)
        else:
            meeting = Meeting()
            meeting.run([partial(self._run_one, one, asked, run, meeting.through) for one, asked in self._left()])

    def check(self) -> None:
        """Raise the first error so far."""
        for one in self._all:
            if isinstance(one.outcome, Exception):
                raise one.outcome

    def results(self, *, return_exceptions: bool) -> list[Any]:
        """A result for each or, where that is wanted, an error.

        Raises:
            Exception: The first error, unless errors are wanted.
        """
        if not return_exceptions:
            self.check()
        return [one.outcome for one in self._all]

    def _run_over_one_pass(self, group: Sequence[tuple[_Search, AskedQuestion]], run: Run) -> None:
        """Searches of vectors in memory, one after another: all texts are compared with these in one pass."""
        vectors = [one.vectors for one, _ in group if one.vectors is not None and len(one.vectors)]
        stores: dict[int, Store] = {}

        def through(store: Store) -> Store:
            if len(group) == 1 or not vectors:
                return store
            if id(store) not in stores:
                stores[id(store)] = ComparedStore(store, np.concatenate(vectors))
            return stores[id(store)]

        for one, asked in group:
            self._run_one(one, asked, run, through)

    def _run_one(self, one: _Search, asked: AskedQuestion, run: Run, through: Through) -> None:
        with timed(one.times):
            try:
                vectors = np.empty((0, 0), np.float32) if one.vectors is None else one.vectors
                one.outcome = replace(run(asked, vectors, through), milliseconds=one.times.milliseconds)
            except Exception as error:  # of this search alone
                one.outcome = error

    def _left(self) -> list[tuple[_Search, AskedQuestion]]:
        """Those without an outcome so far."""
        return [(one, one.asked) for one in self._all if one.outcome is None and one.asked is not None]

    def _groups(self, store: Store) -> Iterator[list[tuple[_Search, AskedQuestion]]]:
        """Searches whose texts are compared together, within the memory for that."""
        most = PRODUCT_MEMORY // (4 * max(1, store.count() or 0))
        group: list[tuple[_Search, AskedQuestion]] = []
        size = 0
        for one, asked in self._left():
            if group and size + len(asked.texts) > most:
                yield group
                group, size = [], 0
            group.append((one, asked))
            size += len(asked.texts)
        if group:
            yield group

    def _texts(self) -> list[str]:
        return list(dict.fromkeys(text for _, asked in self._left() for text in asked.texts))

    def _give(self, texts: Sequence[str], vectors: Vectors | None) -> None:
        rows = {text: row for row, text in enumerate(texts)}
        for one, asked in self._left():
            if vectors is not None and asked.searches:
                one.vectors = vectors[[rows[text] for text in asked.texts]]

    def _count_encoding(self, started: float) -> None:
        """Encoding counts for each search in equal shares."""
        left = self._left()
        for one, _ in left:
            one.times.add("encode", (time.perf_counter() - started) / len(left))

"""The gate for all that a store gives: its own exceptions and answers of a wrong shape come out as StoreError."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from logical_retriever.errors import StoreError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    Batch,
    EngineRanking,
    Filter,
    ScoreExpression,
    ScoringStore,
    Store,
    StoredDocument,
    VectorBatch,
    WordQuery,
    WordStore,
)
from logical_retriever.stores.rows import engine_errors
from logical_retriever.vectors import Vectors

SHOWN = 60
"""Most characters of a wrong answer in a message."""
_END = object()


class Gate:
    """A store whose answers have the shapes and types of the contract.

    Args:
        store: The store. Its methods return what :class:`~logical_retriever.Store` says, or raise StoreError here.

    Attributes:
        capabilities: The store's, read once: some stores ask their engine for them.
    """

    def __init__(self, store: Store) -> None:
        self.store, self.capabilities = store, store.capabilities
        self.name = self.capabilities.name

    def count(self) -> int | None:
        """Return the number of documents; None if the store cannot tell."""
        with engine_errors(self.name, "count its documents"):
            count: Any = self.store.count()
        if count is None or (isinstance(count, (int, np.integer)) and not isinstance(count, bool) and count >= 0):
            return None if count is None else int(count)
        raise self._wrong("count", "a whole number, or None", count)

    def search(self, vectors: Vectors, n: int, filter: Filter) -> tuple[list[list[DocumentId]], Batch]:
        """Return a list of ids for each vector, and their documents."""
        with engine_errors(self.name, "search"):
            answer: Any = self.store.search(vectors, n, filter)
        try:
            lists, batch = answer
        except (TypeError, ValueError):
            raise self._wrong("search", "lists of ids and a batch of documents", answer) from None
        return self._lists("search", lists, len(vectors)), self._batch("search", batch)

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter) -> list[list[DocumentId]]:
        """Return a list of ids for each query."""
        with engine_errors(self.name, "search words"):
            answer: Any = cast("WordStore", self.store).search_words(queries, n, filter)
        return self._lists("search_words", answer, len(queries))

    def search_by_score(self, expression: ScoreExpression, n: int, filter: Filter) -> EngineRanking:
        """Return the best documents by the engine's own scores."""
        with engine_errors(self.name, "score its documents"):
            answer = cast("ScoringStore", self.store).search_by_score(expression, n, filter)
        if not isinstance(answer, EngineRanking):
            raise self._wrong("search_by_score", "an EngineRanking", answer)
        return answer

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Return documents by id; those that fail the filter are left out."""
        with engine_errors(self.name, "fetch documents"):
            batch = self.store.fetch(ids, filter)
        return self._batch("fetch", batch)

    def sample(self, n: int, seed: int) -> Batch:
        """Return documents drawn at random."""
        with engine_errors(self.name, "draw a sample"):
            batch = self.store.sample(n, seed)
        return self._batch("sample", batch)

    def scan(self, filter: Filter) -> Iterator[VectorBatch]:
        """Yield the vectors of all documents that pass the filter."""
        with engine_errors(self.name, "list its documents"):
            batches: Any = self.store.scan(filter)
        try:
            batches = iter(batches)
        except TypeError:
            raise self._wrong("scan", "batches of ids and vectors", batches) from None
        while True:
            with engine_errors(self.name, "list its documents"):
                batch: Any = next(batches, _END)
            if batch is _END:
                return
            if not hasattr(batch, "ids") or not hasattr(batch, "vectors"):
                raise self._wrong("scan", "batches of ids and vectors", batch)
            if not isinstance(batch.vectors, np.ndarray) or batch.vectors.dtype.kind not in "fiu":
                raise self._wrong("scan", "vectors of numbers, all of one length", batch.vectors)
            yield batch

    def _lists(self, method: str, lists: Any, count: int) -> list[list[DocumentId]]:
        try:
            found = [list(ids) for ids in lists if not isinstance(ids, (str, bytes))]
        except TypeError:
            raise self._wrong(method, "lists of ids", lists) from None
        if len(found) != count:
            raise StoreError(
                f"{self.name} gave {len(found)} lists for {count} vectors or queries.",
                hint="A store returns one list for each vector or query; check its adapter.",
            )
        return found

    def _batch(self, method: str, batch: Any) -> Batch:
        documents, vectors = getattr(batch, "documents", None), getattr(batch, "vectors", None)
        if not isinstance(documents, (tuple, list)) or vectors is None:
            raise self._wrong(method, "a batch of documents and vectors", batch)
        for document in documents:
            if not isinstance(document, StoredDocument) or not isinstance(document.text, str):
                raise self._wrong(method, "documents with a text", document)
            if not isinstance(document.metadata, Mapping):
                raise self._wrong(method, "metadata by name", document.metadata)
        return Batch(tuple(documents), self._numbers(method, vectors))

    def _numbers(self, method: str, vectors: Any) -> Vectors:
        try:
            array = np.asarray(vectors)
        except ValueError:
            array = np.empty(0, object)
        if array.dtype.kind not in "fiu":
            raise self._wrong(method, "vectors of numbers, all of one length", vectors)
        return array.astype(np.float32, copy=False)

    def _wrong(self, method: str, expected: str, given: Any) -> StoreError:
        shown = repr(given)
        return StoreError(
            f"{self.name} gave in {method} {shown[:SHOWN]}{'...' * (len(shown) > SHOWN)}; expected: {expected}.",
            hint="Check the store's adapter: the contract is logical_retriever.Store, and "
            "logical_retriever.testing has a suite for it.",
        )

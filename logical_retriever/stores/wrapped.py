"""Stores around another store: they pass every call on, and subclasses change one thing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    Batch,
    Capabilities,
    ConditionStore,
    Filter,
    Store,
    VectorBatch,
    WordQuery,
    WordStore,
    capabilities_property,
)
from logical_retriever.vectors import Vectors


def wrapped_capabilities(best: Capabilities) -> capabilities_property:
    """Build ``capabilities``. On the class: the best case. On an instance: those of the wrapped store."""
    return capabilities_property(best)(lambda wrapped: vars(wrapped.store.capabilities))


@dataclass(frozen=True)
class InnerFilter:
    """A filter that is already in the wrapped store's language.

    Attributes:
        filter: In that language.
    """

    filter: Filter


class WrappedStore:
    """A store that passes every call on to another.

    Args:
        store: The wrapped store.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def store(self) -> Store:
        """The wrapped store."""
        return self._store

    @property
    def capabilities(self) -> Capabilities:
        """Those of the wrapped store."""
        return self.store.capabilities

    @property
    def cache_key(self) -> Hashable | None:
        """The wrapped store's key for this class; None where it has none."""
        key = getattr(self.store, "cache_key", None)
        return None if key is None else (type(self), key)

    def count(self) -> int | None:
        """Return the number of documents."""
        return self.store.count()

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """Find the n nearest documents of each vector."""
        lists, batch = self.store.search(vectors, n, self._translated(filter))
        return lists, self.outer_batch(batch)

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """Find documents by their words; only where ``capabilities.word_search`` is not None."""
        return cast("WordStore", self.store).search_words(queries, n, self._translated(filter))

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Read documents by id, in the order asked. Leave out those that are missing or fail the filter."""
        # A user's own store may take ids alone.
        return self.outer_batch(
            self.store.fetch(ids) if filter is None else self.store.fetch(ids, self._translated(filter))
        )

    def sample(self, n: int, seed: int) -> Batch:
        """Draw up to n documents at random, without replacement; the same ones for the same seed and content."""
        return self.outer_batch(self.store.sample(n, seed))

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """Read the vectors of all documents that pass the filter."""
        return self.store.scan(self._translated(filter))

    def with_condition(self, filter: Filter, condition: LogicalQuery) -> Filter | None:
        """Join a condition to the filter, in the wrapped store's language; see :class:`ConditionStore`."""
        if not isinstance(self.store, ConditionStore):
            return None
        inner = self.store.with_condition(self._translated(filter), condition)
        return None if inner is None else InnerFilter(inner)

    def _translated(self, filter: Filter) -> Filter:
        return filter.filter if isinstance(filter, InnerFilter) else self.inner_filter(filter)

    def inner_filter(self, filter: Filter) -> Filter:
        """Translate a filter into the wrapped store's language."""
        return filter

    def outer_batch(self, batch: Batch) -> Batch:
        """Convert a batch of the wrapped store to this store's documents."""
        return batch

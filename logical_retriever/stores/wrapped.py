"""Stores over a store: everything is passed on, and subclasses change one thing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    AtBest,
    Batch,
    Capabilities,
    Filter,
    NarrowingStore,
    Store,
    VectorBatch,
    WordQuery,
    WordStore,
)
from logical_retriever.vectors import Vectors


def capabilities_below(best: Capabilities) -> AtBest:
    """``capabilities`` of a class of wrapped stores: of the class, the best; of a store, those of the store below."""
    return AtBest(best)(lambda wrapped: vars(wrapped.store.capabilities))


@dataclass(frozen=True)
class Inner:
    """A filter that is in the language of the store below already.

    Attributes:
        filter: In that language.
    """

    filter: Filter


class WrappedStore:
    """Passes everything on.

    Args:
        store: The store below.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def store(self) -> Store:
        """The store below."""
        return self._store

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store below."""
        return self.store.capabilities

    @property
    def identity(self) -> Hashable | None:
        """Tells these documents apart from all others in this process; see :attr:`ChromaStore.identity`."""
        below = getattr(self.store, "identity", None)
        return None if below is None else (type(self), below)

    def count(self) -> int | None:
        """Number of documents."""
        return self.store.count()

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """The n nearest documents of each vector."""
        lists, batch = self.store.search(vectors, n, self._below(filter))
        return lists, self.outer_batch(batch)

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """Documents that have words of each query, where the store below finds any: see ``capabilities.words``."""
        return cast("WordStore", self.store).search_words(queries, n, self._below(filter))

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that are there and pass the filter."""
        # Stores of others may fetch by ids alone.
        return self.outer_batch(self.store.fetch(ids) if filter is None else self.store.fetch(ids, self._below(filter)))

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement, the same ones for the same seed and content."""
        return self.outer_batch(self.store.sample(n, seed))

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """Vectors of all documents that pass the filter."""
        return self.store.scan(self._below(filter))

    def narrowed(self, filter: Filter, condition: LogicalQuery) -> Filter | None:
        """The filter of the store below, where that can say the condition; see :class:`NarrowingStore`."""
        if not isinstance(self.store, NarrowingStore):
            return None
        below = self.store.narrowed(self._below(filter), condition)
        return None if below is None else Inner(below)

    def _below(self, filter: Filter) -> Filter:
        return filter.filter if isinstance(filter, Inner) else self.inner_filter(filter)

    def inner_filter(self, filter: Filter) -> Filter:
        """A filter in the language of the store below."""
        return filter

    def outer_batch(self, batch: Batch) -> Batch:
        """Documents as this store gives them."""
        return batch

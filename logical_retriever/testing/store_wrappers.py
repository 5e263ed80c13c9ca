"""Stores around a store that make one thing happen: a delay, a deletion, a missing capability."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.results import DocumentId
from logical_retriever.stores import Batch, Capabilities, Filter, Store, VectorBatch
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.vectors import Vectors


class WithoutScan(WrappedStore):
    """A store that cannot be walked through, so that searches go by its index."""

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store, without the scan."""
        return replace(self.store.capabilities, scan=False, in_process=False)

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:  # noqa: ARG002  the protocol's
        """Refuse.

        Raises:
            StoreCapabilityError: Always.
        """
        raise StoreCapabilityError("This store cannot be scanned.", hint="Wrap it in WithoutScan in tests only.")


class TwoRequests(WrappedStore):
    """A store whose documents are read in a request of their own, after they were found."""

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store, without lists that bring documents."""
        return replace(self.store.capabilities, reads_nearest=False)


class SlowStore(TwoRequests):
    """A store each of whose answers takes so many seconds, as over a network."""

    def __init__(self, store: Store, seconds: float) -> None:
        super().__init__(store)
        self.seconds = seconds

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The store's answer, late."""
        time.sleep(self.seconds)
        return self.store.search(vectors, n, filter)

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """The store's answer, late."""
        time.sleep(self.seconds)
        return super().fetch(ids, filter)


class StoreLosingDocuments(TwoRequests):
    """A store from which documents are deleted before the first fetch: after they were found."""

    def __init__(self, store: Store, delete: Callable[[], None]) -> None:
        super().__init__(store)
        self.delete: Callable[[], None] | None = delete

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """The store's answer, after the deletion."""
        if self.delete is not None:
            self.delete()
            self.delete = None
        return super().fetch(ids, filter)

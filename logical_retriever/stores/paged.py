"""The common part of stores behind a client that searches, lists ids and reads documents by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    Batch,
    Capabilities,
    Filter,
    StoredDocument,
    VectorBatch,
    capabilities_property,
    checked_ids,
)
from logical_retriever.stores.rows import drawn, engine_errors, in_order, nearest_with_documents, pages
from logical_retriever.vectors import Vectors

Rows = Iterable[tuple[StoredDocument, Any]]
"""Documents with their vectors; None for a document without one."""


class PagedStore:
    """A store made of three requests: :meth:`nearest`, :meth:`ids` and :meth:`read`.

    Attributes:
        page: Most ids in one request.
        step: Larger requests are rounded down to a multiple of ``step``.
    """

    capabilities: capabilities_property | Capabilities
    page: ClassVar[int] = 1000
    step: ClassVar[int] = 1

    def nearest(self, vectors: Vectors, n: int, filter: Filter) -> Iterable[Rows]:
        """Find the n nearest documents of each vector, nearest first.

        Args:
            vectors: Shape (T, d).
            n: At least 1.
            filter: In the store's own language; None for all documents.
        """
        raise NotImplementedError

    def ids(self, filter: Filter) -> Iterable[DocumentId]:  # noqa: ARG002  for subclasses
        """List the ids of all documents that pass a filter.

        Raises:
            StoreCapabilityError: The store cannot list them.
        """
        raise StoreCapabilityError(
            f"{type(self).capabilities.name} cannot be walked through.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
        )

    def read(self, ids: list[DocumentId], filter: Filter) -> Rows:
        """Read documents by id, in any order. Leave out those that are missing or fail the filter.

        Args:
            ids: At least one and at most ``page``, distinct.
            filter: In the store's own language; None for all documents.
        """
        raise NotImplementedError

    def errors(self, doing: str) -> AbstractContextManager[None]:
        """Turn any exception of the store's client into a StoreError that says what could not be done."""
        return engine_errors(type(self).capabilities.name, doing)

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """Find the n nearest documents of each vector, without those that have no vector."""
        return nearest_with_documents(self.nearest(vectors, n, filter))

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Read documents by id, in the order asked. Leave out those that are missing or fail the filter."""
        rows: dict[DocumentId, tuple[StoredDocument, Any]] = {}
        for page in pages(ids, self.page, self.step):
            rows.update((document.id, (document, row)) for document, row in self.read(page, filter) if row is not None)
        return in_order(ids, rows)

    def sample(self, n: int, seed: int) -> Batch:
        """Draw up to n documents at random, without replacement, from the list of all ids."""
        return self.fetch(drawn(list(self.ids(None)), n, seed))

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """Read all vectors, page by page. The ids are listed once, so that no document comes twice."""
        for page in pages(checked_ids(self.ids(filter)), self.page, self.step):
            batch = self.fetch(page)
            if batch.ids:
                yield VectorBatch(batch.ids, batch.vectors)

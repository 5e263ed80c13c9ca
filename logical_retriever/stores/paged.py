"""The common part of stores whose client searches, lists ids and reads documents by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import AtBest, Batch, Capabilities, Filter, StoredDocument, VectorBatch, checked_ids
from logical_retriever.stores.rows import drawn, engine_errors, in_order, nearest_with_documents, pages
from logical_retriever.vectors import Vectors

Rows = Iterable[tuple[StoredDocument, Any]]
"""Documents, each with its vector, or None where it has none."""


class PagedStore:
    """A store, of three requests: :meth:`nearest`, :meth:`ids` and :meth:`read`.

    Attributes:
        page: Most documents in one request by id.
        step: Ids of a request of more are a multiple of this.
    """

    capabilities: AtBest | Capabilities
    page: ClassVar[int] = 1000
    step: ClassVar[int] = 1

    def nearest(self, vectors: Vectors, n: int, filter: Filter) -> Iterable[Rows]:
        """The n nearest documents of each vector, nearest first.

        Args:
            vectors: Shape (T, d).
            n: At least 1.
            filter: In the store's own language; None for all documents.
        """
        raise NotImplementedError

    def ids(self, filter: Filter) -> Iterable[DocumentId]:  # noqa: ARG002  for subclasses
        """Ids of all documents that pass a filter.

        Raises:
            StoreCapabilityError: The store does not list them.
        """
        raise StoreCapabilityError(
            f"{type(self).capabilities.name} cannot be walked through.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
        )

    def read(self, ids: list[DocumentId], filter: Filter) -> Rows:
        """Documents by id, in any order, those that are there and pass a filter.

        Args:
            ids: At least one and at most ``page``, distinct.
            filter: In the store's own language; None for all documents.
        """
        raise NotImplementedError

    def errors(self, doing: str) -> AbstractContextManager[None]:
        """Turns whatever the store's client raises into a StoreError that says what was being done."""
        return engine_errors(type(self).capabilities.name, doing)

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """The n nearest documents of each vector; those without a vector are left out."""
        return nearest_with_documents(self.nearest(vectors, n, filter))

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that are there and pass the filter."""
        rows: dict[DocumentId, tuple[StoredDocument, Any]] = {}
        for page in pages(ids, self.page, self.step):
            rows.update((document.id, (document, row)) for document, row in self.read(page, filter) if row is not None)
        return in_order(ids, rows)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement; the ids of all are read first."""
        return self.fetch(drawn(list(self.ids(None)), n, seed))

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """All vectors, page by page; the ids are listed once, so that nothing is met twice."""
        for page in pages(checked_ids(self.ids(filter)), self.page, self.step):
            batch = self.fetch(page)
            if batch.ids:
                yield VectorBatch(batch.ids, batch.vectors)

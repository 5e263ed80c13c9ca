"""The common part of stores whose client reads documents by id, and walks through them page by page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Batch, Filter, StoredDocument, VectorBatch, checked_ids
from logical_retriever.stores.rows import drawn, in_order, matrix, pages


class PagedStore:
    """``fetch``, ``sample`` and ``scan`` by pages.

    Attributes:
        page: Most documents in one request by id.
        step: Ids of a request of more are a multiple of this.
    """

    page: ClassVar[int] = 1000
    step: ClassVar[int] = 1

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Those ids that can be keys of the store; others are not asked for."""
        return ids

    def read(self, ids: list[DocumentId], filter: Filter = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Documents by id, those that pass a filter, each with its vector, or None where it has none; in any order.

        Args:
            ids: At least one and at most ``page``, distinct.
            filter: In the store's own language.
        """
        raise NotImplementedError

    def walk(self, filter: Filter, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """Ids of all documents that pass a filter, each with its vector, or None where it has none.

        Args:
            filter: In the store's own language.
            vectors: Whether the vectors are wanted, or the ids alone.
        """
        raise NotImplementedError

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that are there and pass the filter."""
        known: dict[DocumentId, tuple[StoredDocument, Any]] = {}
        for page in pages(self.possible(ids), self.page, self.step):
            known.update((document.id, (document, row)) for document, row in self.read(page, filter) if row is not None)
        return in_order(ids, known)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement; the ids of all are read first."""
        ids = [id for page in self.walk(None, vectors=False) for id, _ in page]
        return self.fetch(drawn(ids, n, seed))

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """All vectors, page by page."""
        for page in self.walk(filter, vectors=True):
            rows = [(id, row) for id, row in page if row is not None]
            if rows:
                yield VectorBatch(checked_ids(id for id, _ in rows), matrix([row for _, row in rows]))

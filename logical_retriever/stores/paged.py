"""The common part of stores whose client reads documents by id, and walks through them page by page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

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

    def read(self, ids: list[DocumentId]) -> Iterable[tuple[StoredDocument, Any]]:
        """Documents by id, each with its vector, or None where it has none; in any order.

        Args:
            ids: At least one and at most ``page``, distinct.
        """
        raise NotImplementedError

    def read_texts(self, ids: list[DocumentId]) -> Iterable[StoredDocument]:
        """The same documents, those with a vector; for clients that can leave out vectors, most of what is sent.

        Args:
            ids: As of :meth:`read`.
        """
        return (document for document, row in self.read(ids) if row is not None)

    def walk(self, filter: Filter, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """Ids of all documents that pass a filter, each with its vector, or None where it has none.

        Args:
            filter: In the store's own language.
            vectors: Whether the vectors are wanted, or the ids alone.
        """
        raise NotImplementedError

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        found: dict[DocumentId, tuple[StoredDocument, Any]] = {}
        for page in pages(self.possible(ids), self.page, self.step):
            found.update((document.id, (document, row)) for document, row in self.read(page) if row is not None)
        return in_order(ids, found)

    def fetch_texts(self, ids: Sequence[DocumentId]) -> Batch:
        """As :meth:`fetch`, with vectors of shape (N, 0)."""
        found: dict[DocumentId, StoredDocument] = {}
        for page in pages(self.possible(ids), self.page, self.step):
            found.update((document.id, document) for document in self.read_texts(page))
        documents = tuple(found[id] for id in ids if id in found)
        return Batch(documents, np.empty((len(documents), 0), np.float32))

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

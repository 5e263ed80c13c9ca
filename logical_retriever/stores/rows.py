"""Helpers of stores, and the common part of those behind a client: search, list ids, read documents by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import LogicalRetrieverError, StoreCapabilityError, StoreError, VectorMismatchError
from logical_retriever.lexical import WordIndex, ranked, tokenize
from logical_retriever.results import DocumentId, id_order
from logical_retriever.stores.base import (
    Batch,
    Capabilities,
    Filter,
    StoredDocument,
    VectorBatch,
    WordQuery,
    capabilities_property,
    checked_ids,
)
from logical_retriever.vectors import Vectors

Rows = Iterable[tuple[StoredDocument, Any]]
"""Documents with their vectors; None for a document without one."""


@dataclass(frozen=True)
class IndexedDocuments:
    """Documents with an index of their words.

    Attributes:
        ids: N ids.
        index: The words of the N texts, in the order of ``ids``.
    """

    ids: Sequence[DocumentId]
    index: WordIndex

    def search(self, query: WordQuery, n: int) -> list[DocumentId]:
        """Find the n documents of greatest BM25, ties in the order of ``ids``. Words match by their stems."""
        stems = [stem for word in query.words for stem in tokenize(word, query.language)]
        return [self.ids[row] for row in ranked(self.index, stems)[0].tolist()[:n]]


def in_order(ids: Sequence[DocumentId], known: Mapping[DocumentId, tuple[StoredDocument, npt.ArrayLike]]) -> Batch:
    """Return the documents in the order asked. Leave out the unknown ones."""
    present = [known[id] for id in ids if id in known]
    return Batch(tuple(document for document, _ in present), matrix([vector for _, vector in present]))


def nearest_with_documents(
    lists: Iterable[Rows],
) -> tuple[list[list[DocumentId]], Batch]:
    """Build the answer of :meth:`Store.search` from lists of documents. Leave out those without a vector."""
    complete = [[(document, row) for document, row in rows if row is not None] for rows in lists]
    by_id = {document.id: (document, row) for rows in complete for document, row in rows}
    return [[document.id for document, _ in rows] for rows in complete], in_order(list(by_id), by_id)


def drawn(ids: Sequence[DocumentId], n: int, seed: int) -> list[DocumentId]:
    """Draw up to n ids: the same ones for the same seed and ids, whatever the order of these."""
    ordered = sorted(ids, key=id_order)
    return [ordered[i] for i in np.random.default_rng(seed).permutation(len(ordered))[:n]]


def pages(ids: Sequence[DocumentId], size: int, step: int = 1) -> Iterator[list[DocumentId]]:
    """Split distinct ids into pages of at most ``size``. Pages above ``step`` are rounded down to a multiple of it."""
    distinct = list(dict.fromkeys(ids))
    while distinct:
        count = min(size, len(distinct))
        count -= count % step if count > step else 0
        yield distinct[:count]
        del distinct[:count]


def matrix(vectors: Sequence[Any]) -> Vectors:
    """Convert rows to an array of shape (N, d), float32; (0, 0) for no rows.

    Raises:
        VectorMismatchError: Rows of several lengths, or a row that is missing.
    """
    if not vectors:
        return np.empty((0, 0), dtype=np.float32)
    try:
        return np.array(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:
        lengths = sorted({len(row) for row in vectors if hasattr(row, "__len__")})
        raise VectorMismatchError(
            f"Stored vectors do not fit together: {', '.join(map(str, lengths))} components, or none.",
            hint="Encode all documents of a store with one model.",
        ) from error


@contextmanager
def engine_errors(engine: str, doing: str) -> Iterator[None]:
    """Turn any exception of an engine's client into a StoreError: the engine "could not {doing}"."""
    try:
        yield
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise StoreError(
            f"{engine} could not {doing}: {type(error).__name__}: {error}",
            hint="Check that the engine and every server of it answer, that the connection is open, that what is "
            "searched is still there, that it was filled with the same embedding model, and the filter's spelling and "
            "types if there is one.",
        ) from error


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
        """Turn any exception of the store's client into a StoreError: the store "could not {doing}"."""
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

"""Helpers of stores: documents by words or in the order asked, random ids, pages, arrays, engines' errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import LogicalRetrieverError, StoreError, VectorMismatchError
from logical_retriever.lexical import WordIndex, ranked, tokenize
from logical_retriever.results import DocumentId, id_order
from logical_retriever.stores.base import Batch, StoredDocument, WordQuery
from logical_retriever.vectors import Vectors


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
    lists: Iterable[Iterable[tuple[StoredDocument, Any]]],
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
    """Turn any exception of an engine's client into a StoreError that says what could not be done."""
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

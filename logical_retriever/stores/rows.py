"""Shared by stores: documents in the order asked, ids drawn at random, pages, arrays of vectors, errors of engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import LogicalRetrieverError, StoreCapabilityError, StoreError, VectorMismatchError
from logical_retriever.results import DocumentId, id_order
from logical_retriever.stores.base import AtBest, Batch, Capabilities, StoredDocument
from logical_retriever.vectors import Vectors

Found = Mapping[DocumentId, tuple[StoredDocument, npt.ArrayLike]]
"""Documents and vectors by id."""


def in_order(ids: Sequence[DocumentId], found: Found) -> Batch:
    """The documents asked for, in that order; what was not found is left out."""
    present = [found[id] for id in ids if id in found]
    return Batch(tuple(document for document, _ in present), matrix([vector for _, vector in present]))


def found_nearest(lists: Iterable[Iterable[tuple[StoredDocument, Any]]]) -> tuple[list[list[DocumentId]], Batch]:
    """An answer of :meth:`NearestStore.read_nearest`, of documents with their vectors; without one, left out."""
    kept = [[(document, row) for document, row in found if row is not None] for found in lists]
    known = {document.id: (document, row) for found in kept for document, row in found}
    return [[document.id for document, _ in found] for found in kept], in_order(list(known), known)


def drawn(ids: Sequence[DocumentId], n: int, seed: int) -> list[DocumentId]:
    """Up to n of the ids, the same ones for the same seed and ids, in whatever order these come."""
    ordered = sorted(ids, key=id_order)
    return [ordered[i] for i in np.random.default_rng(seed).permutation(len(ordered))[:n]]


def pages(ids: Sequence[DocumentId], size: int, step: int = 1) -> Iterator[list[DocumentId]]:
    """Distinct ids in pieces of at most ``size``, those of ``step`` or more being multiples of it."""
    distinct = list(dict.fromkeys(ids))
    while distinct:
        count = min(size, len(distinct))
        count -= count % step if count > step else 0
        yield distinct[:count]
        del distinct[:count]


def matrix(vectors: Sequence[Any] | npt.NDArray[Any]) -> Vectors:
    """Rows as an array of shape (N, d), float32; (0, 0) for none.

    Raises:
        VectorMismatchError: Rows of several lengths, or a row that is missing.
    """
    if not len(vectors):
        return np.empty((0, 0), dtype=np.float32)
    if isinstance(vectors, np.ndarray) and vectors.ndim == 2:
        return vectors.astype(np.float32)
    numbers = [_numbers(vector) for vector in vectors]
    try:
        rows: Vectors = np.array(numbers, dtype=np.float32)
    except (TypeError, ValueError) as error:
        lengths = sorted({len(row) for row in numbers if hasattr(row, "__len__")})
        raise VectorMismatchError(
            f"Stored vectors do not fit together: {', '.join(map(str, lengths))} components, or none.",
            hint="Encode all documents of a store with one model.",
        ) from error
    return rows


def _numbers(vector: Any) -> Any:
    """The half-precision vectors of pgvector's client are no sequences."""
    return vector.to_numpy() if hasattr(vector, "to_numpy") else vector


@contextmanager
def engine_errors(engine: str, doing: str) -> Iterator[None]:
    """Turn whatever an engine's client raises into a StoreError that says what was being done."""
    try:
        yield
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise StoreError(
            f"{engine} could not {doing}: {type(error).__name__}: {error}",
            hint="Check that the connection is open, that what is searched is still there, and the filter's spelling "
            "and types if there is one.",
        ) from error


class OfCapabilities:
    """The part of a store that its capabilities settle: its name, its errors, the length of its lists."""

    capabilities: AtBest | Capabilities

    @property
    def name(self) -> str:
        """Name of the store in messages."""
        return type(self).capabilities.name

    def errors(self, doing: str) -> AbstractContextManager[None]:
        """Turns whatever the store's client raises into a StoreError that says what was being done."""
        return engine_errors(self.name, doing)

    def check_length(self, n: int) -> None:
        """Refuse lists longer than the store gives.

        Raises:
            StoreCapabilityError: n is more than ``max_results`` of the capabilities.
        """
        most = type(self).capabilities.max_results
        if most is not None and n > most:
            raise StoreCapabilityError(
                f"{self.name} returns at most {most} documents for a vector, asked for {n}.", hint="Lower fetch_k."
            )


def without_vectors(body: Any) -> Any:
    """A request's body without the components of its vectors, to be shown."""
    if isinstance(body, Mapping):
        return {key: without_vectors(value) for key, value in body.items()}
    if isinstance(body, list):
        numbers = len(body) > 1 and all(isinstance(value, float) for value in body)
        return f"<vector of {len(body)}>" if numbers else [without_vectors(value) for value in body]
    return body

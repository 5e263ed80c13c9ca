"""What the adapters share: order, pages, samples, and errors that say which store failed."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from langchain_logical_retriever.stores.registry import refuse_unknown
from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError, StoreError, VectorMismatchError
from logical_retriever.stores import Batch, Capabilities, Filter, StoredDocument
from logical_retriever.vectors import Vectors

Found = Mapping[str, tuple[StoredDocument, npt.ArrayLike]]
"""Documents and vectors by id."""


class VectorStoreAdapter:
    """What all adapters of this package have in common.

    Args:
        vectorstore: The LangChain vector store; only read.
    """

    record: ClassVar[Capabilities]
    """What the class of stores can do at best; the README's table shows it."""
    filter_argument: ClassVar[str] = "filter"
    """What the class's own search calls its filter; ``filter`` is understood as well."""
    filter_types: ClassVar[tuple[type, ...]] = (dict,)
    filter_example: ClassVar[str] = 'filter={"year": 2024}'

    def __init__(self, vectorstore: Any) -> None:
        self.vectorstore = vectorstore

    @property
    def capabilities(self) -> Capabilities:
        """What this store can do."""
        return self.record

    @property
    def name(self) -> str:
        """How the store is called in messages."""
        return self.record.name

    def recorded(self, **facts: Any) -> Capabilities:
        """The record of the class, with what is known about this instance."""
        return replace(self.record, **facts)

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> Filter:
        """The filter, in the store's own language.

        Raises:
            InvalidArgumentError: Another argument, two filters, or one of another type.
        """
        known = tuple(dict.fromkeys(("filter", self.filter_argument)))
        refuse_unknown(self.name, search_kwargs, known=known)
        given = [value for name in known if (value := search_kwargs.get(name)) is not None]
        if len(given) > 1:
            raise InvalidArgumentError(
                f"A filter was given twice: as filter and as {self.filter_argument}.", hint="Keep one of the two."
            )
        for filter in given:
            self.check_filter(filter)
        return given[0] if given else None

    def check_filter(self, filter: Filter) -> None:
        """Refuse what cannot be a filter of this store.

        Raises:
            InvalidArgumentError: It is of another type.
        """
        if not isinstance(filter, self.filter_types):
            expected = " or ".join(t.__name__ for t in self.filter_types)
            raise InvalidArgumentError(
                f"A filter of {self.name} must be a {expected}, got {type(filter).__name__}.",
                hint=f"For example: {self.filter_example}.",
            )

    @contextmanager
    def errors(self, doing: str) -> Iterator[None]:
        """Turn whatever the store's client raises into a StoreError that says what was being done."""
        try:
            yield
        except LogicalRetrieverError:
            raise
        except Exception as error:
            raise StoreError(
                f"{self.name} could not {doing}: {type(error).__name__}: {error}",
                hint="Check that the store can be reached and still exists, and the filter's spelling if there is one.",
            ) from error

    def check_dimension(self, vectors: Vectors, dimension: int) -> None:
        """Refuse query vectors of another dimension than the store's.

        Raises:
            VectorMismatchError: Naming both.
        """
        if vectors.shape[1] != dimension:
            raise VectorMismatchError(
                f"The embedder's vectors have dimension {vectors.shape[1]}, those of {self.name} {dimension}.",
                hint="Use the embedding model that the store was filled with.",
            )


def in_order(ids: Sequence[str], found: Found) -> Batch:
    """The documents asked for, in that order; what was not found is left out."""
    present = [found[id] for id in ids if id in found]
    return Batch(tuple(document for document, _ in present), matrix([vector for _, vector in present]))


def drawn(ids: Sequence[str], n: int, seed: int) -> list[str]:
    """Up to n of the ids, the same ones for the same seed and ids, in whatever order these come."""
    ordered = sorted(ids)
    return [ordered[i] for i in np.random.default_rng(seed).permutation(len(ordered))[:n]]


def pages(ids: Sequence[str], size: int) -> Iterator[list[str]]:
    """Distinct ids in pieces of at most ``size``."""
    distinct = list(dict.fromkeys(ids))
    for start in range(0, len(distinct), size):
        yield distinct[start : start + size]


def matrix(vectors: Sequence[Any]) -> Vectors:
    """Rows as an array of shape (N, d), float32; (0, 0) for none.

    Raises:
        VectorMismatchError: Rows of several lengths, or a row that is missing.
    """
    if not len(vectors):
        return np.empty((0, 0), dtype=np.float32)
    try:
        rows: Vectors = np.array(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise VectorMismatchError(
            f"Stored vectors do not fit together: {error}", hint="Encode all documents of a store with one model."
        ) from error
    return rows


def is_uuid(id: str) -> bool:
    """Whether a text can be an identity where identities are UUIDs."""
    try:
        uuid.UUID(id)
    except ValueError:
        return False
    return True

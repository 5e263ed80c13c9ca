"""Documents that fulfil a query of conditions alone: nothing scores them."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query.values import is_missing
from logical_retriever.results import Cost, RankedDocument, SearchResult, id_order
from logical_retriever.search.filters import Narrowing
from logical_retriever.search.store_reader import StoreReader
from logical_retriever.stores.base import StoredDocument

READ_AT_ONCE = 1_000
"""Documents whose metadata is read in one request."""
LISTED = 10_000
"""Most documents that are listed of a store that cannot be walked through."""


@dataclass(frozen=True)
class Order:
    """An order of documents by a field of their metadata.

    Attributes:
        field: The field's name.
        descending: Whether the greatest come first. Documents without a value come last either way.
    """

    field: str
    descending: bool = False

    @classmethod
    def of(cls, order_by: str | None) -> Order | None:
        """``"year"``, or ``"-year"`` for the greatest first.

        Raises:
            InvalidArgumentError: It names no field.
        """
        if order_by is None:
            return None
        if not isinstance(order_by, str) or not order_by.removeprefix("-").strip():
            raise InvalidArgumentError(
                f"order_by names a field, got {order_by!r}.", hint='Write order_by="year", or "-year".'
            )
        return cls(order_by.removeprefix("-"), order_by.startswith("-"))

    def sorted(self, documents: Sequence[StoredDocument]) -> list[StoredDocument]:
        """The documents in this order, ties by id; values of several kinds kind by kind."""
        by_id = sorted(documents, key=lambda document: id_order(document.id))
        with_value = [document for document in by_id if not is_missing(document.metadata.get(self.field))]
        ordered = sorted(with_value, key=lambda d: _kind(d.metadata[self.field]), reverse=self.descending)
        return ordered + [document for document in by_id if is_missing(document.metadata.get(self.field))]


def list_documents(
    reader: StoreReader, narrowing: Narrowing, k: int, order: Order | None, count: int | None, searched: str
) -> SearchResult:
    """The first k documents that fulfil the conditions: by a field, or by id.

    Args:
        reader: Of the store, with the filter.
        narrowing: The filter, and what is left to be decided on metadata.
        k: Documents wanted.
        order: By a field; None for the order of ids.
        count: Documents in the store.
        searched: The query's canonical text.
    """
    scans = reader.capabilities.scan
    if scans:
        ids = list(chain.from_iterable(batch.ids for batch in reader.scan()))
    else:
        sample = reader.store.sample(1, 0)
        ids = list(reader.nearest(np.asarray(sample.vectors, np.float32), LISTED)) if sample.documents else []
    if order is None and narrowing.passes is None:
        documents = [document for document, _ in reader.fetch(heapq.nsmallest(k, ids, key=id_order)).values()]
    else:
        documents = _passing(reader, narrowing, ids)
        ids = [document.id for document in documents]
        by_id = sorted(documents, key=lambda document: id_order(document.id))
        documents = (by_id if order is None else order.sorted(documents))[:k]
    name = reader.capabilities.name
    exact = scans and not reader.missing
    return SearchResult(
        documents=tuple(
            RankedDocument(d.id, d.text, score=1.0, metadata=d.metadata, native=d.native, relevance=1.0)
            for d in documents
        ),
        left_out=(),
        exact=exact,
        reason=(
            "every document was looked at"
            if scans
            else f"{name} cannot be scanned: these are the first of {len(ids)} that it named"
        ),
        searched=searched,
        cost=Cost(
            "listing",
            count=count,
            scored=len(ids),
            requests=reader.requests,
            vectors=reader.vectors,
            told=None if narrowing.told is None else str(narrowing.told),
            checked=None if narrowing.checked is None else str(narrowing.checked),
        ),
    )


def _passing(reader: StoreReader, narrowing: Narrowing, ids: Sequence[Any]) -> list[StoredDocument]:
    """The documents whose metadata fulfils what the filter does not say."""
    passes, documents = narrowing.passes, []
    for start in range(0, len(ids), READ_AT_ONCE):
        for document, _ in reader.fetch(ids[start : start + READ_AT_ONCE]).values():
            if passes is None or passes(document.metadata):
                documents.append(document)
    return documents


def _kind(value: Any) -> tuple[str, Any]:
    """Sort key of a value of metadata: numbers among numbers, texts among texts, and so on."""
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, (int, float)):
        return "number", value
    if isinstance(value, str):
        return "text", value
    return ("date", value.isoformat()) if isinstance(value, date) else ("other", repr(value))

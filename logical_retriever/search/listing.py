"""Documents that fulfil a query of conditions alone: nothing scores them."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from logical_retriever.results import Cost, RankedDocument, SearchResult, id_order
from logical_retriever.search.filters import Narrowing
from logical_retriever.search.store_reader import StoreReader
from logical_retriever.stores.base import StoredDocument

READ_AT_ONCE = 1_000
"""Documents whose metadata is read in one request."""
LISTED = 10_000
"""Most documents that are listed of a store that cannot be walked through."""


def list_documents(reader: StoreReader, narrowing: Narrowing, k: int, count: int | None, searched: str) -> SearchResult:
    """The first k documents, by id, that fulfil the conditions.

    Args:
        reader: Of the store, with the filter.
        narrowing: The filter, and what is left to be decided on metadata.
        k: Documents wanted.
        count: Documents in the store.
        searched: The query's canonical text.
    """
    scans = reader.capabilities.scan
    if scans:
        ids = list(chain.from_iterable(batch.ids for batch in reader.scan()))
    else:
        sample = reader.store.sample(1, 0)
        ids = list(reader.nearest(np.asarray(sample.vectors, np.float32), LISTED)) if sample.documents else []
    if narrowing.passes is None:
        documents = [document for document, _ in reader.fetch(heapq.nsmallest(k, ids, key=id_order)).values()]
    else:
        documents = _passing(reader, narrowing, ids)
        ids = [document.id for document in documents]
        documents = sorted(documents, key=lambda document: id_order(document.id))[:k]
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

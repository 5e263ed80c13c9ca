"""Answers that no score ranks alone: documents that fulfil conditions, and the best of several kinds of documents."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query.values import is_missing
from logical_retriever.results import DocumentId, Plan, RankedDocument, SearchResult, SecondOpinion, id_order
from logical_retriever.search.access import Reader
from logical_retriever.search.narrowing import CheckedStore, Narrowed
from logical_retriever.stores.base import StoredDocument
from logical_retriever.stores.notes import current_notes

READ_AT_ONCE = 1_000
"""Documents whose metadata is read in one request to order them by a field."""
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


def list_documents(narrowed: Narrowed, k: int, order: Order | None, count: int | None, searched: str) -> SearchResult:
    """The first k documents that fulfil conditions alone: by a field, or by id.

    Args:
        narrowed: The store and the filter that give them.
        k: Documents wanted.
        order: By a field; None for the order of ids.
        count: Documents in the store.
        searched: The query's canonical text.
    """
    reader = Reader(narrowed.store, narrowed.filter)
    ids, complete = _ids(reader, narrowed)
    if order is None:
        first = heapq.nsmallest(k, ids, key=id_order)
        documents = list(reader.fetch(first).documents) if first else []
    else:
        documents = order.sorted([document for batch in _batches(ids) for document in reader.fetch(batch).documents])[
            :k
        ]
    by = "by id" if order is None else f"by {order.field}, {'the greatest' if order.descending else 'the least'} first"
    plan = Plan("listing", f"the query has conditions alone: documents that fulfil them, {by}", (), count=count, k=k)
    reason = "every document was looked at"
    if not complete:
        reason = f"{reader.capabilities.name} cannot be scanned: these are the first of {len(ids)} that it named"
    notes = current_notes()
    if notes is not None and notes.absent:
        complete, reason = False, f"{'; '.join(notes.absent)}; of the others: {reason}"
    return SearchResult(
        documents=tuple(
            RankedDocument(d.id, d.text, score=1.0, metadata=d.metadata, native=d.native, relevance=1.0)
            for d in documents
        ),
        exact=complete and not reader.missing,
        candidates=len(ids),
        plan=with_conditions(plan, narrowed),
        proved=complete and not reader.missing,
        reason=reason,
        store_calls=reader.calls,
        store_milliseconds=reader.milliseconds,
        vectors_read=reader.vectors,
        searched=searched,
        missing=tuple(reader.missing),
    )


def with_conditions(plan: Plan, narrowed: Narrowed) -> Plan:
    """A plan that says which conditions the store is told and which are decided here."""
    told, checked = (None if one is None else str(one) for one in (narrowed.told, narrowed.checked))
    return replace(plan, told=told, checked=checked)


def after_absences(result: SearchResult, absent: Sequence[str]) -> SearchResult:
    """A result, not exact where a part of the store did not answer, were it after the documents had been found."""
    if not absent or not result.exact:
        return result
    reason = f"{'; '.join(absent)}; of the others: {result.reason}"
    return replace(result, exact=False, proved=False, reason=reason)


def after_checks(result: SearchResult, narrowed: Narrowed) -> SearchResult:
    """A result, not exact where too few documents of a list had passed for it to be read to its end."""
    if not isinstance(narrowed.store, CheckedStore) or not narrowed.store.cut:
        return result
    lost = f"too few documents of a list fulfil {narrowed.checked}, which the store's filter does not say"
    return replace(result, exact=False, proved=False, reason=f"{lost}; of the others: {result.reason}")


def merged(found: Sequence[tuple[SearchResult, bool]], k: int, searched: str) -> SearchResult:
    """The best k of several kinds of documents, no document being of two.

    Args:
        found: Each kind's result, and whether its documents fulfil the query by their metadata alone: these come first.
        k: Documents wanted.
        searched: The query's canonical text.
    """
    if not found:  # no document can fulfil the query
        plan = Plan("listing", "no document can fulfil the query", (), k=k)
        return SearchResult((), exact=True, candidates=0, plan=plan, proved=True, reason=plan.reason, searched=searched)
    ranked = [
        (not fulfilled, -document.score, document) for result, fulfilled in found for document in result.documents
    ]
    ranked.sort(key=lambda entry: (entry[0], entry[1], id_order(entry[2].id)))
    results = [result for result, _ in found]
    lowest = -ranked[k - 1][1] if len(ranked) >= k else -math.inf
    left_out = [one for result in results for one in result.left_out if one.score >= lowest]
    first = results[0]
    approximate = next((result for result in results if not result.exact), first)
    plan = replace(
        first.plan,
        reason=f"{len(results)} kinds of documents, told apart by conditions; of the first: {first.plan.reason}",
        texts=tuple(dict.fromkeys(text for result in results for text in result.plan.texts)),
        told=_either([result.plan.told for result in results]),
        checked=_either([result.plan.checked for result in results]),
        k=k,
    )
    best: list[RankedDocument] = []
    for _, _, document in ranked[:k]:  # relevance is told by the best of a kind: no document's is above a better one's
        most = best[-1].relevance if best else 1.0
        best.append(replace(document, relevance=min(document.relevance, most)))
    return SearchResult(
        documents=tuple(best),
        exact=all(result.exact for result in results),
        candidates=sum(result.candidates for result in results),
        plan=plan,
        proved=all(result.proved for result in results),
        reason=approximate.reason,
        rounds=sum(result.rounds for result in results),
        store_calls=sum(result.store_calls for result in results),
        store_milliseconds=sum(result.store_milliseconds for result in results),
        vectors_read=sum(result.vectors_read for result in results),
        searched=searched,
        missing=tuple(dict.fromkeys(id for result in results for id in result.missing)),
        left_out=tuple(sorted(left_out, key=lambda one: (-one.score, id_order(one.id)))),
        too_low=min(k - len(ranked[:k]), sum(result.too_low for result in results)),
        second_opinion=_together([one.second_opinion for one in results if one.second_opinion is not None]),
        always_excluded=first.always_excluded,
        barred=all(result.barred for result in results),
    )


def _together(said: Sequence[SecondOpinion]) -> SecondOpinion | None:
    """All that a verifier did for one question."""
    if not said:
        return None
    return SecondOpinion(
        verifier=said[0].verifier,
        documents=sum(one.documents for one in said),
        calls=sum(one.calls for one in said),
        remembered=sum(one.remembered for one in said),
        milliseconds=sum(one.milliseconds for one in said),
        problems=tuple(dict.fromkeys(problem for one in said for problem in one.problems)),
    )


def _either(conditions: Sequence[str | None]) -> str | None:
    given = [condition for condition in conditions if condition is not None]
    return None if not given else " | ".join(dict.fromkeys(given))


def _ids(reader: Reader, narrowed: Narrowed) -> tuple[list[DocumentId], bool]:
    """Identities of the documents, and whether these are all."""
    if reader.capabilities.scan:
        return [id for batch in reader.scan() for id in batch.ids], True
    sample = narrowed.store.sample(1, 0)
    if not sample.documents:
        return [], True
    (ids,) = reader.search(np.asarray(sample.vectors, np.float32), LISTED)
    return ids, False


def _batches(ids: Sequence[DocumentId]) -> Iterator[Sequence[DocumentId]]:
    return (ids[start : start + READ_AT_ONCE] for start in range(0, len(ids), READ_AT_ONCE))


def _kind(value: Any) -> tuple[str, Any]:
    """Sort key of a value of metadata: numbers among numbers, texts among texts, and so on."""
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, (int, float)):
        return "number", value
    if isinstance(value, str):
        return "text", value
    return ("date", value.isoformat()) if isinstance(value, date) else ("other", repr(value))

"""Conditions of a query: what the store's filter says of them, and what they leave of the query for each document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from logical_retriever.query import Condition, LogicalQuery, Not, Or, Term, decider
from logical_retriever.query.conditions import all_of, conjuncts
from logical_retriever.query.nodes import And
from logical_retriever.stores.base import Filter, NarrowingStore, Store, StoredDocument

MOST_UNITS = 6
"""Conditions under OR of which all outcomes are looked at before any document is."""


@dataclass(frozen=True)
class Narrowing:
    """A filter for a condition, as far as the store can say it.

    Attributes:
        filter: In the store's own language: the caller's, and what could be said beside it.
        told: The condition that the filter says exactly, or None.
        checked: The condition that is decided on the documents' metadata, or None.
        passes: Decides that; None where the filter says everything.
    """

    filter: Filter
    told: LogicalQuery | None = None
    checked: LogicalQuery | None = None
    passes: Callable[[Mapping[str, Any]], bool] | None = None


def narrow(store: Store, filter: Filter, condition: LogicalQuery, *, exact: bool) -> Narrowing:
    """Have the store's filter say a condition, conjunct by conjunct.

    Args:
        store: The documents.
        filter: The caller's, in the store's own language. It is joined by AND with the condition, never changed.
        condition: Without terms.
        exact: Whether the store's filters say conditions exactly; else they are decided on metadata as well.
    """
    told: list[LogicalQuery] = []
    checked: list[LogicalQuery] = []
    for part in conjuncts(condition):
        narrower = store.narrowed(filter, part) if isinstance(store, NarrowingStore) else None
        (checked if narrower is None or not exact else told).append(part)
        filter = filter if narrower is None else narrower
    left = all_of(checked)
    return Narrowing(filter, all_of(told), left, None if left is None else decider(left))


def without_necessary(query: LogicalQuery) -> LogicalQuery | bool:
    """The rest of a query in a document that fulfils all conditions that must hold whatever it is about.

    Examples:
        >>> from logical_retriever.query import parse
        >>> print(without_necessary(parse('"grief" AND [year >= 1990] AND NOT ([country = "Iran"] OR "war")')))
        "grief" AND NOT "war"
    """
    return _simplified(query, dict(_necessary(query, positive=True)))


def patterns(query: LogicalQuery | bool, documents: Sequence[StoredDocument]) -> dict[LogicalQuery | bool, list[int]]:
    """Positions of documents by what the conditions leave of a query, those of which they leave False apart.

    What metadata says is true or false: a true condition is no part of an AND and fulfils an OR, a false one makes an
    AND impossible and is no part of an OR. That needs no law of any semantics.
    """
    units = _units(query) if isinstance(query, LogicalQuery) else []
    decide = [decider(unit) for unit in units]
    by_truth: dict[tuple[bool, ...], list[int]] = {}
    for row, document in enumerate(documents):
        by_truth.setdefault(tuple([holds(document.metadata) for holds in decide]), []).append(row)
    groups: dict[LogicalQuery | bool, list[int]] = {}
    for truths, rows in by_truth.items():
        left = _simplified(query, dict(zip(units, truths, strict=True)))
        if left is not False:
            groups.setdefault(left, []).extend(rows)
    return groups


def possible_queries(query: LogicalQuery) -> list[LogicalQuery]:
    """The queries that :func:`patterns` may leave; by the outcomes of the first :data:`MOST_UNITS` conditions."""
    units = _units(query)[:MOST_UNITS]
    truths = product((True, False), repeat=len(units))
    left = [_simplified(query, dict(zip(units, values, strict=True))) for values in truths]
    return list(dict.fromkeys(one for one in left if isinstance(one, LogicalQuery)))


def _units(query: LogicalQuery) -> list[LogicalQuery]:
    """The largest parts that are conditions alone."""
    if not query.terms():
        return [query]
    return list(dict.fromkeys(unit for child in query.children for unit in _units(child)))


def _necessary(query: LogicalQuery, *, positive: bool) -> list[tuple[LogicalQuery, bool]]:
    """Parts of conditions alone that every answer must fulfil, or must not, with that truth value."""
    if not query.terms():
        return [(query, positive)]
    if isinstance(query, Not):
        return _necessary(query.operand, positive=not positive)
    if isinstance(query, And if positive else Or):
        return [pair for child in query.children for pair in _necessary(child, positive=positive)]
    return []


def _simplified(query: LogicalQuery | bool, known: Mapping[LogicalQuery, bool]) -> LogicalQuery | bool:
    """A query of which the truth of some parts is known."""
    if isinstance(query, bool) or query in known:
        return query if isinstance(query, bool) else known[query]
    if isinstance(query, (Term, Condition)):
        return query
    parts = [_simplified(child, known) for child in query.children]
    if isinstance(query, Not):
        return not parts[0] if isinstance(parts[0], bool) else Not(parts[0], query.span)
    deciding = isinstance(query, Or)  # the value of one part that decides
    if deciding in [part for part in parts if isinstance(part, bool)]:
        return deciding
    left = [part for part in parts if isinstance(part, LogicalQuery)]
    if len(left) < 2:
        return left[0] if left else not deciding
    return query.rebuilt(left)

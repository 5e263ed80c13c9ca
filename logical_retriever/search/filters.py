"""Conditions of a query: what the store's filter says of them, and what documents' metadata decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logical_retriever.query import Condition, LogicalQuery, Not, Or, Term, decider, to_nnf
from logical_retriever.query.conditions import all_of, conjuncts
from logical_retriever.query.metadata import Decider
from logical_retriever.stores.base import ConditionStore, Filter, Store, StoredDocument

Rows = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Outcomes = Mapping[LogicalQuery, Flags]
"""For conditions, whether each of N documents fulfils them, shape (N,)."""


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
    passes: Decider | None = None


def narrow(store: Store, filter: Filter, condition: LogicalQuery, *, exact: bool) -> Narrowing:
    """Have the store's filter say a condition, conjunct by conjunct.

    Args:
        store: The documents.
        filter: The caller's, in the store's own language. It is joined by AND with the condition, never changed.
        condition: Without terms.
        exact: Whether the store's filters say conditions exactly; else they are decided on metadata as well.
    """
    clauses: list[LogicalQuery] = []
    checked: list[LogicalQuery] = []
    for part in conjuncts(condition):
        narrower = store.with_condition(filter, part) if isinstance(store, ConditionStore) else None
        (checked if narrower is None or not exact else clauses).append(part)
        filter = filter if narrower is None else narrower
    left = all_of(checked)
    return Narrowing(filter, all_of(clauses), left, None if left is None else decider(left))


def decided(query: LogicalQuery, passes: Decider | None, documents: Sequence[StoredDocument]) -> tuple[Rows, Outcomes]:
    """Positions of the documents that may be an answer, and what their metadata says of each condition of a query.

    Args:
        query: With conditions under OR, or none.
        passes: What else their metadata must fulfil; None for nothing.
        documents: Those looked at.
    """
    conditions = query.conditions()
    if passes is None and not conditions:
        return np.arange(len(documents)), {}
    rows = np.array(
        [row for row, document in enumerate(documents) if passes is None or passes(document.metadata)], np.intp
    )
    outcomes = dict[LogicalQuery, Flags]()
    for condition in conditions:
        decide = decider(condition)
        outcomes[condition] = np.array([decide(documents[row].metadata) for row in rows.tolist()], bool)
    if conditions:
        stay = possible(query, outcomes)
        rows, outcomes = rows[stay], {condition: values[stay] for condition, values in outcomes.items()}
    return rows, outcomes


def possible(query: LogicalQuery, outcomes: Outcomes) -> Flags:
    """Whether each of N documents can fulfil a query, whatever it is about."""
    return _fulfils(query, outcomes, terms=True)


def certain(query: LogicalQuery, outcomes: Outcomes) -> Flags:
    """Whether each of N documents fulfils a query, whatever it is about."""
    return _fulfils(query, outcomes, terms=False)


def _fulfils(query: LogicalQuery, outcomes: Outcomes, *, terms: bool) -> Flags:
    """Whether documents fulfil a query where each term, negated or not, is true or is false."""

    def visit(node: LogicalQuery, parts: tuple[Flags, ...]) -> Flags:
        if isinstance(node, Condition):
            return outcomes[node]
        if isinstance(node, Not):
            return ~parts[0] if isinstance(node.operand, Condition) else parts[0]
        if isinstance(node, Term):
            return np.full(len(next(iter(outcomes.values()))), terms)
        join = np.logical_or if isinstance(node, Or) else np.logical_and
        together: Flags = join.reduce(parts)
        return together

    return to_nnf(query).fold(visit)

"""Conditions of a query: what the store's filter says of them, and what documents' metadata decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.query import Condition, Decider, LogicalQuery, Not, Or, Term, all_of, conjuncts, decider, to_nnf
from logical_retriever.scoring.evidence import Flags
from logical_retriever.stores.base import ConditionStore, Filter, Store, StoredDocument

Rows = npt.NDArray[np.intp]
Outcomes = Mapping[LogicalQuery, Flags]
"""For conditions, whether each of N documents fulfils them, shape (N,)."""


def store_filter(store: Store, filter: Filter, condition: LogicalQuery | None) -> tuple[Filter, Decider | None]:
    """Have the store's filter say a condition, conjunct by conjunct.

    What a store does not say exactly is decided on metadata as well.

    Args:
        store: The documents.
        filter: The caller's, in the store's own language. It is joined by AND with the condition, never changed.
        condition: Without terms; None for none.

    Returns:
        The filter with the condition, as far as the store can say it; and what decides the rest on a document's
        metadata, None where the filter says everything.
    """
    if condition is None:
        return filter, None
    exact, left = store.capabilities.conditions == "all", list[LogicalQuery]()
    for part in conjuncts(condition):
        narrower = store.with_condition(filter, part) if isinstance(store, ConditionStore) else None
        if narrower is None or not exact:
            left.append(part)
        filter = filter if narrower is None else narrower
    rest = all_of(left)
    return filter, None if rest is None else decider(rest)


def decided(
    query: LogicalQuery, passes: Decider | None, documents: Sequence[StoredDocument]
) -> tuple[Rows, dict[LogicalQuery, Flags]]:
    """Return the positions of documents that may be an answer, and what their metadata says of each condition.

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
    """Tell whether each of N documents can fulfil a query, whatever it is about."""
    return _fulfils(query, outcomes, terms=True)


def certain(query: LogicalQuery, outcomes: Outcomes) -> Flags:
    """Tell whether each of N documents fulfils a query, whatever it is about."""
    return _fulfils(query, outcomes, terms=False)


def _fulfils(query: LogicalQuery, outcomes: Outcomes, *, terms: bool) -> Flags:
    """Tell whether documents fulfil a query where each term, negated or not, is true or is false."""

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

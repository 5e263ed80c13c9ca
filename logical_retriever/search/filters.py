"""Conditions of a query: by the store's filter as far as it can express them, else by documents' metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.query import Condition, Decider, LogicalQuery, Not, Or, Term, all_of, conjuncts, decider, to_nnf
from logical_retriever.scoring.evidence import Flags
from logical_retriever.stores.base import ConditionStore, Filter, Store, StoredDocument

Rows = npt.NDArray[np.intp]
Outcomes = Mapping[LogicalQuery, Flags]
"""For each condition, whether each of N documents fulfils it, shape (N,)."""


def store_filter(store: Store, filter: Filter, condition: LogicalQuery | None) -> tuple[Filter, Decider | None]:
    """Join a condition to the store's filter, conjunct by conjunct.

    Conjuncts that the store cannot express exactly are decided on metadata as well.

    Args:
        store: The documents.
        filter: The caller's, in the store's own language. It is joined by AND with the condition, never changed.
        condition: Without terms; None for none.

    Returns:
        The filter with the condition, as far as the store can express it; and a decider of the rest on a document's
        metadata, None if there is no rest.
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


def with_outcomes(
    query: LogicalQuery, passes: Decider | None, documents: Sequence[StoredDocument]
) -> tuple[Rows, dict[LogicalQuery, Flags]]:
    """Return the positions of possible answers among documents, and the outcome of each condition for these.

    Args:
        query: The query; its conditions, if any, stand under an OR.
        passes: Decides further conditions on metadata; None for no further ones.
        documents: The documents to decide on.
    """
    conditions = query.conditions()
    rows = np.array(
        [row for row, document in enumerate(documents) if passes is None or passes(document.metadata)], np.intp
    )
    metadata = [documents[row].metadata for row in rows.tolist()]
    outcomes: dict[LogicalQuery, Flags] = {
        condition: np.array(list(map(decider(condition), metadata)), bool) for condition in conditions
    }
    if conditions:
        stay = fulfils(query, outcomes, terms=True)
        rows, outcomes = rows[stay], {condition: values[stay] for condition, values in outcomes.items()}
    return rows, outcomes


def fulfils(query: LogicalQuery, outcomes: Outcomes, *, terms: bool) -> Flags:
    """Tell whether each of N documents fulfils a query by its conditions, shape (N,).

    Args:
        query: The query.
        outcomes: Whether the documents fulfil each of its conditions, shape (N,); at least one.
        terms: Whether every term, and every NOT of a term, counts as true: with True a document may fulfil the query,
            with False it surely does.
    """

    def visit(node: LogicalQuery, parts: tuple[Flags, ...]) -> Flags:
        if isinstance(node, Condition):
            return outcomes[node]
        if isinstance(node, Not):
            return ~parts[0] if isinstance(node.operand, Condition) else parts[0]
        if isinstance(node, Term):
            return np.full(len(next(iter(outcomes.values()))), terms)
        return np.asarray((np.logical_or if isinstance(node, Or) else np.logical_and).reduce(parts))

    return to_nnf(query).fold(visit)

"""Exclusions that hold for every question: the operator's, like a filter that no question lifts."""

from __future__ import annotations

from collections.abc import Sequence

from logical_retriever.query import And, LogicalQuery, Not, Term


def with_standing(query: LogicalQuery, terms: Sequence[str]) -> LogicalQuery:
    """The query with these terms excluded as well, each like a NOT of its own."""
    return And((query, *(Not(Term(term)) for term in terms))) if terms else query


def standing_alone(terms: Sequence[str]) -> LogicalQuery | None:
    """The query that excludes these terms and says nothing else; None for no term."""
    parts = tuple(Not(Term(term)) for term in terms)
    return None if not parts else parts[0] if len(parts) == 1 else And(parts)

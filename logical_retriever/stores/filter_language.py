"""Conditions on metadata, translated into a store's own filters.

A filter passes all documents that fulfil the condition, and maybe others: documents that come back are checked on their
metadata, so a filter only saves reading them. Where engines and Python may compare differently (NOT, the order of
texts, dates, whole numbers beyond 2⁵³), nothing is translated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeGuard, TypeVar

from logical_retriever.query import And, Condition, LogicalQuery, Or, to_nnf

T = TypeVar("T")

EXACT = 1 << 53
"""Whole numbers below this in size are exact in double precision."""


def filter_with_condition(
    filter: T | None,
    condition: LogicalQuery,
    every: Callable[[list[T]], T],
    some: Callable[[list[T]], T],
    compared: Callable[[str, str, Any], T | None],
) -> T | None:
    """Join to a filter as much of a condition as its language can express; None for nothing of it.

    Args:
        filter: The caller's; None for all documents.
        condition: Conditions, AND, OR and NOT, without terms.
        every: Returns the conjunction of two or more filters.
        some: Returns their disjunction.
        compared: Returns a comparison of a field with a value by an operator: "in" with a list of texts, of numbers or
            of booleans; "contains" with one of these; "<=" and ">=" with a whole number. None where the language might
            miss a document that Python would let through.
    """

    def visit(node: LogicalQuery, parts: tuple[T | None, ...]) -> T | None:
        clauses = [part for part in parts if part is not None]
        if isinstance(node, And):
            return _joined(every, clauses)
        if isinstance(node, Or):
            return _joined(some, clauses) if len(clauses) == len(parts) else None
        return _clause(node, compared) if isinstance(node, Condition) else None

    clause = to_nnf(condition).fold(visit)
    return clause if filter is None or clause is None else every([filter, clause])


def _clause(condition: Condition, compared: Callable[[str, str, Any], T | None]) -> T | None:
    field, operator, value = condition.field, condition.operator, condition.value
    values = value if isinstance(value, tuple) else (value,)
    if len(kinds := set(map(_kind, values))) > 1 or None in kinds:
        return None
    if operator in ("=", "in"):
        return compared(field, "in", list(values))
    if operator == "contains":
        return compared(field, "contains", value)
    if operator in ("<", "<=", ">", ">=") and is_number(value):
        return compared(field, f"{operator[0]}=", math.ceil(value) if operator[0] == "<" else math.floor(value))
    return None


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number that languages of double precision compare exactly."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < EXACT


def _kind(value: Any) -> type | None:
    """Return the type that a value compares as; None for values that languages may compare in their own ways."""
    return float if is_number(value) else type(value) if isinstance(value, (str, bool)) else None


def _joined(join: Callable[[list[T]], T], parts: list[T]) -> T | None:
    return join(parts) if len(parts) > 1 else parts[0] if parts else None

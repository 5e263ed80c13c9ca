"""Conditions in Qdrant's own JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from logical_retriever.compile.base import Condition
from logical_retriever.errors import UnsupportedByEngineError

Body = dict[str, Any]

MOST_EXACT = 2**53
"""Qdrant compares numbers in double precision."""
_RANGES = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}


def qdrant_filter(conditions: Sequence[Condition]) -> Body | None:
    """A filter that all conditions must pass; None where there is none.

    Raises:
        UnsupportedByEngineError: A comparison that Qdrant cannot make of such values.

    Examples:
        >>> qdrant_filter([Condition("year", ">=", 2000)])
        {'must': [{'key': 'year', 'range': {'gte': 2000}}]}
    """
    return {"must": [_clause(condition) for condition in conditions]} if conditions else None


def _clause(condition: Condition) -> Body:
    key, comparison, value = condition.column, condition.comparison, condition.value
    if comparison == "=":
        return _equal(key, value)
    if comparison == "in":
        return {"should": [_equal(key, one) for one in value]}
    if comparison == "!=":
        # A point without the value passes every must_not.
        return {"must_not": [_equal(key, value), {"is_empty": {"key": key}}]}
    if not _is_number(value):
        raise UnsupportedByEngineError(
            f"Qdrant orders numbers alone and cannot compare {key!r} {comparison} {value!r}.",
            hint="Compare with a number; dates are compared by a native_filter with a datetime range.",
        )
    return {"key": key, "range": {_RANGES[comparison]: _checked(key, value)}}


def _equal(key: str, value: Any) -> Body:
    if not _is_number(value):
        return {"key": key, "match": {"value": value}}
    # Matches are for whole numbers, and a whole number does not match 2000.0.
    number = _checked(key, value)
    return {"key": key, "range": {"gte": number, "lte": number}}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _checked(key: str, value: float) -> float:
    if isinstance(value, int) and abs(value) > MOST_EXACT:
        raise UnsupportedByEngineError(
            f"Qdrant compares numbers in double precision, which {value} in {key!r} exceeds.",
            hint='Give native_filter={"must": [{"key": ..., "match": {"value": ...}}]}.',
        )
    return value

"""The meaning of conditions on metadata, in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query._nodes import And, Condition, LogicalQuery, Not, Or
from logical_retriever.query._values import COMPARE, compare, is_missing


def holds(query: LogicalQuery, metadata: Mapping[str, Any]) -> bool:
    """Decide a query of conditions on one document's metadata. Every store must agree with this function.

    A missing field, None or NaN makes every condition on it false, and NOT makes that true. Otherwise:

    - ``=`` holds for equal values of one kind: texts by their characters, numbers by value, truth values, dates and
      times. A list equals nothing. ``!=`` holds for all other values, those of another kind included.
    - ``<``, ``<=``, ``>`` and ``>=`` order numbers, texts (by code points), and dates and times. Between two kinds they
      are false.
    - ``in`` holds for a value equal to one of the list, ``not in`` for one equal to none.
    - ``contains`` holds for a list, tuple or set with an equal element. It is false for a text.
    - A date or time compares with dates, times, and texts in ISO 8601 form. A date is a whole day; compared with a
      time, it begins at midnight. A time without a zone is in UTC.

    Args:
        query: A query without terms.
        metadata: Of one document.

    Raises:
        InvalidArgumentError: The query has a term.

    Examples:
        >>> from logical_retriever.query import parse
        >>> film = {"year": 1998, "genres": ["drama", "western"]}
        >>> holds(parse('[year >= 1990] AND NOT [genres contains "comedy"]'), film)
        True
        >>> holds(parse('[director != "Ford"]'), film), holds(parse('NOT [director = "Ford"]'), film)
        (False, True)
    """
    return decider(query)(metadata)


Decider = Callable[[Mapping[str, Any]], bool]
"""A function from one document's metadata to true or false."""


def decider(query: LogicalQuery) -> Decider:
    """Build the function that decides a query of conditions, for many documents; see :func:`holds`.

    Raises:
        InvalidArgumentError: The query has a term.
    """

    def visit(node: LogicalQuery, parts: tuple[Decider, ...]) -> Decider:
        if isinstance(node, Condition):
            return _decider(node)
        if isinstance(node, Not):
            return lambda metadata: not parts[0](metadata)
        if isinstance(node, (And, Or)):
            every = all if isinstance(node, And) else any
            return lambda metadata: every(part(metadata) for part in parts)
        raise InvalidArgumentError(
            f"Metadata does not decide the term {node}.", hint="Give conditions alone; terms are scored."
        )

    return query.fold(visit)


def _decider(condition: Condition) -> Decider:
    """Build the function for one condition, with a short cut for texts and whole numbers, the most frequent values."""
    name, value, native = condition.field, condition.value, COMPARE.get(condition.operator)
    plain = type(value) if native is not None and type(value) in (str, int) else None

    def decide(metadata: Mapping[str, Any]) -> bool:
        actual = metadata.get(name)
        return native(actual, value) if native and type(actual) is plain else _holds_of(condition, actual)

    return decide


def _holds_of(condition: Condition, actual: object) -> bool:
    """Decide one condition on a field's value, None if it is missing."""
    value, sign = cast("Any", condition.value), condition.operator
    if is_missing(actual) or sign == "exists":
        return not is_missing(actual)
    if sign == "contains":
        return isinstance(actual, (list, tuple, set, frozenset)) and any(
            compare(element, "=", value) for element in actual
        )
    if sign in ("in", "not in"):
        return any(compare(actual, "=", option) for option in value) is (sign == "in")
    return compare(actual, sign, value)

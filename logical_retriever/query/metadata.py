"""Conditions on metadata, decided in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query.nodes import And, Condition, LogicalQuery, Not, Or
from logical_retriever.query.values import COMPARE, compare, is_missing


def holds(query: LogicalQuery, metadata: Mapping[str, Any]) -> bool:
    """Decide a query of conditions on one document's metadata; the meaning that every store has to keep.

    A field that is not there, or is None or NaN, makes every condition on it false, and a NOT makes that true. Of a
    field that is there:

    - ``=`` is equality of two values of one kind: texts by their characters, numbers by value, true and false among
      themselves, dates and times. A list equals nothing. ``!=`` is whatever is not equal, of another kind included.
    - ``<``, ``<=``, ``>`` and ``>=`` order numbers, texts (by code points), and dates and times; between two kinds they
      are false.
    - ``in`` is equality with one of the values, ``not in`` with none.
    - ``contains`` is true of a list (or tuple, or set) with an element that is equal; of anything else false, a text
      among them.
    - A date or time compares with dates, times, and texts in ISO 8601 form. A date stands for its whole day; a time
      without a zone is in UTC; where a time is compared with a day, the day begins at midnight.

    Args:
        query: A tree of conditions, without terms.
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
"""Decides on one document's metadata."""


def decider(query: LogicalQuery) -> Decider:
    """The meaning of a query of conditions as a function, for many documents; see :func:`holds`.

    Raises:
        InvalidArgumentError: The query has a term.
    """

    def visit(node: LogicalQuery, parts: tuple[Decider, ...]) -> Decider:
        if isinstance(node, Condition):
            return _decider(node)
        if isinstance(node, Not):
            (part,) = parts
            return lambda metadata: not part(metadata)
        if isinstance(node, (And, Or)):
            every = all if isinstance(node, And) else any
            return lambda metadata: every(part(metadata) for part in parts)
        raise InvalidArgumentError(
            f"Metadata does not decide the term {node}.", hint="Give conditions alone; terms are scored."
        )

    return query.fold(visit)


def _decider(condition: Condition) -> Decider:
    """One condition as a function; texts and whole numbers, which most values are, are compared by Python itself."""
    name, value, native = condition.field, condition.value, COMPARE.get(condition.operator)
    plain = type(value) if native is not None and type(value) in (str, int) else None

    def decide(metadata: Mapping[str, Any]) -> bool:
        actual = metadata.get(name)
        return native(actual, value) if native and type(actual) is plain else _holds_of(condition, actual)

    return decide


def _holds_of(condition: Condition, actual: object) -> bool:
    """Whether one condition holds of what a document has in the field; None where it has nothing."""
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

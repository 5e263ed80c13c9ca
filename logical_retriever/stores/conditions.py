"""Conditions on metadata in the filter languages of stores: with exactly the meaning that they have in Python."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, timezone
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from logical_retriever.query import And, Condition, LogicalQuery, Not, Or, Scalar, to_nnf

T = TypeVar("T")

EXACT = 1 << 53
"""Below this in size, a whole number is the same as a float of double precision."""


class FilterLanguage(ABC, Generic[T]):
    """A filter language in which conditions are said exactly, or not at all.

    The meaning to be kept is that of :func:`logical_retriever.query.holds`: two-valued, a missing field failing every
    condition. What an engine makes of NULL, of a value of another type or of a list differs from it in most of them.
    ``exists``, ``!=`` and ``not in`` are decided on the documents' metadata.
    """

    @abstractmethod
    def every(self, parts: Sequence[T]) -> T:
        """All of one or more filters."""

    @abstractmethod
    def some(self, parts: Sequence[T]) -> T:
        """At least one of one or more filters."""

    def inverse(self, part: T) -> T | None:  # noqa: ARG002  for languages with a NOT
        """The documents that a filter does not let through; None where the language has no such NOT."""
        return None

    @abstractmethod
    def equals(self, field: str, values: Sequence[Scalar]) -> T | None:
        """The field has one of these values; a list of values is none."""

    @abstractmethod
    def ordered(self, field: str, operator: str, value: Scalar) -> T | None:
        """The field has a value of the same kind that is less or greater than this."""

    @abstractmethod
    def contains(self, field: str, value: Scalar) -> T | None:
        """The field has a list with this value in it."""

    def condition(self, condition: Condition) -> T | None:
        """One condition; None where the language cannot say it."""
        value: Any = condition.value
        match condition.operator:
            case "=" | "in":
                return self.equals(condition.field, named_values(condition))
            case "contains":
                return self.contains(condition.field, value)
            case "<" | "<=" | ">" | ">=" as operator:
                return self.ordered(condition.field, operator, value)
        return None

    def said(self, query: LogicalQuery) -> T | None:
        """A filter for the documents that a query holds of; None where the language cannot say it, or it has a term."""

        def visit(node: LogicalQuery, parts: tuple[T | None, ...]) -> T | None:
            if isinstance(node, Condition):
                return self.condition(node)
            known = [part for part in parts if part is not None]
            if not known or len(known) < len(parts):
                return None
            if isinstance(node, Not):
                return self.inverse(known[0])
            return self.every(known) if isinstance(node, And) else self.some(known)

        return query.fold(visit)

    def superset(self, query: LogicalQuery) -> T | None:
        """A filter for the documents that a query holds of, and maybe others; None where it would be for all."""

        def visit(node: LogicalQuery, parts: tuple[T | None, ...]) -> T | None:
            known = [part for part in parts if part is not None]
            if isinstance(node, And):
                return self.every(known) if known else None
            if isinstance(node, Or):
                return self.some(known) if len(known) == len(parts) else None
            if isinstance(node, Condition) and node.operator in ("!=", "not in"):  # what has another has not this one
                return self.said(Not(replace(node, operator="in", value=tuple(named_values(node)))))
            return self.said(node)

        return to_nnf(query).fold(visit)

    def narrowed(self, given: T | None, query: LogicalQuery) -> T | None:
        """A filter and a query in one; None where the language cannot say the query."""
        return self._both(given, self.said(query))

    def superset_narrowed(self, given: T | None, query: LogicalQuery) -> T | None:
        """A filter and what :meth:`superset` says of a query in one; None where it says nothing."""
        return self._both(given, self.superset(query))

    def _both(self, given: T | None, said: T | None) -> T | None:
        return said if given is None or said is None else self.every([given, said])


Kind: TypeAlias = Literal["whole", "real", "text", "truth", "day", "moment", "nothing", "other"]
"""Types of a field all of whose values are of one: whole numbers, numbers of double precision (NaN among them), texts,
true and false, days, moments without a zone; nothing, where no document has the field; and types that the language
cannot compare as Python does."""


@dataclass(frozen=True)
class FieldType:
    """The type of a field all of whose values are of one type, as they are in Python.

    Attributes:
        kind: Of the values.
        listed: Whether they are lists of such values.
    """

    kind: Kind
    listed: bool = False


NOTHING = FieldType("nothing")
"""Of a field that no document has."""
OTHER = FieldType("other")
"""Of a column whose values no condition is compared with by the store."""


class Comparison(NamedTuple):
    """A comparison with a value of the field's own type.

    Attributes:
        operator: "=", "<", "<=", ">" or ">=".
        value: Of the field's type.
    """

    operator: str
    value: Any


class TypedLanguage(FilterLanguage[T]):
    """A language over fields with types: an engine refuses to compare with values of another type, or converts them.

    NaN is no value.
    """

    @abstractmethod
    def type_of(self, field: str) -> FieldType:
        """The type of a field."""

    @abstractmethod
    def never(self) -> T:
        """Lets no document through."""

    @abstractmethod
    def compared(self, field: str, type: FieldType, comparison: Comparison) -> T:
        """The comparison is true of the field; false where it has no value."""

    @abstractmethod
    def one_of(self, field: str, type: FieldType, values: Sequence[Any]) -> T:
        """The field has one of these values of its type; false where it has none."""

    @abstractmethod
    def has_element(self, field: str, type: FieldType, value: Any) -> T | None:
        """The field, which is listed, has this value of its type in its list; false where it has none."""

    def equals(self, field: str, values: Sequence[Scalar]) -> T | None:
        """The field has one of these values."""
        type = self.type_of(field)
        parts: list[T] = []
        single: list[Any] = []
        for value in values:
            tests = () if type.listed else reduced(type.kind, "=", value)
            if tests is None:
                return None
            if len(tests) == 1:
                single.append(tests[0].value)
            elif tests:  # a day, of moments
                parts.append(self.every([self.compared(field, type, test) for test in tests]))
        if single:
            parts.append(self.one_of(field, type, single))
        return self.some(parts) if parts else self.never()

    def ordered(self, field: str, operator: str, value: Scalar) -> T | None:
        """The field has a value of the same kind that is less or greater than this."""
        type = self.type_of(field)
        tests = () if type.listed else reduced(type.kind, operator, value)
        if tests is None:
            return None
        return self.every([self.compared(field, type, test) for test in tests]) if tests else self.never()

    def contains(self, field: str, value: Scalar) -> T | None:
        """The field has a list with this value in it."""
        type = self.type_of(field)
        tests = reduced(type.kind, "=", value) if type.listed or type.kind == "other" else ()
        if tests is None or len(tests) > 1:
            return None
        return self.has_element(field, type, tests[0].value) if tests else self.never()


def reduced(kind: Kind, operator: str, value: Scalar) -> tuple[Comparison, ...] | None:
    """Comparisons with values of a field's own type, all of which hold where the one given does.

    Args:
        kind: Of the field's values.
        operator: "=", "<", "<=", ">" or ">=".
        value: What it is compared with.

    Returns:
        One, or two; () for a comparison that holds of no value of this kind; None for one that cannot be reduced.

    Examples:
        >>> reduced("whole", ">", 5.5), reduced("whole", "=", 5.5), reduced("text", "=", 5)
        ((Comparison(operator='>=', value=6),), (), ())
        >>> [test.value.isoformat() for test in reduced("moment", "=", date(2020, 2, 29))]
        ['2020-02-29T00:00:00', '2020-03-01T00:00:00']
    """
    if kind == "other" or (kind == "text" and isinstance(value, date)):
        return None  # a text may be that of a date
    if isinstance(value, date):
        return _date_tests(operator, value, kind)
    if kind in ("whole", "real"):
        return () if isinstance(value, (bool, str)) else _number_tests(kind, operator, value)
    fits = isinstance(value, bool) if kind == "truth" else kind == "text" and isinstance(value, str)
    return (Comparison(operator, value),) if fits else ()


def _number_tests(kind: Kind, operator: str, value: float) -> tuple[Comparison, ...] | None:
    if kind == "real":
        return None if isinstance(value, int) and abs(value) > EXACT else (Comparison(operator, float(value)),)
    if isinstance(value, int):
        return (Comparison(operator, value),)
    if abs(value) > EXACT:
        return None  # beyond what some types of whole numbers hold
    if value == math.floor(value):
        return (Comparison(operator, int(value)),)
    if operator == "=":
        return ()
    return (Comparison("<=", math.floor(value)),) if operator in ("<", "<=") else (Comparison(">=", math.ceil(value)),)


def _date_tests(operator: str, value: date, kind: Kind) -> tuple[Comparison, ...] | None:
    if kind not in ("day", "moment"):
        return ()
    if isinstance(value, datetime):  # one that has no zone is in UTC
        plain = value if value.tzinfo is None else value.astimezone(timezone.utc).replace(tzinfo=None)
        return (Comparison(operator, plain),) if kind == "moment" else None
    if kind == "day":
        return (Comparison(operator, value),)
    if value == date.max:
        return None
    begin, end = (datetime(d.year, d.month, d.day) for d in (value, value + timedelta(days=1)))
    if operator == "=":
        return Comparison(">=", begin), Comparison("<", end)
    bounds = {"<": ("<", begin), "<=": ("<", end), ">": (">=", end), ">=": (">=", begin)}
    return (Comparison(*bounds[operator]),)


def named_values(condition: Condition) -> Sequence[Scalar]:
    """The values that a condition names: one, or those of a list; none for "exists"."""
    value: Any = condition.value
    if condition.operator == "exists":
        return ()
    return value if condition.operator in ("in", "not in") else (value,)

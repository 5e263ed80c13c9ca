"""Conditions on metadata in the filter languages of stores: with exactly the meaning that they have in Python."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from logical_retriever.query import And, Condition, LogicalQuery, Not, Or, Scalar

T = TypeVar("T")

EXACT = 1 << 53
"""Below this in size, a whole number is the same as a float of double precision."""


@dataclass(frozen=True)
class Said(Generic[T]):
    """A query in a filter language; None where it cannot say it exactly.

    Attributes:
        holds: Lets documents through that the query holds of.
        fails: Lets all the others through, those without the fields among them.
    """

    holds: T | None
    fails: T | None


class FilterLanguage(ABC, Generic[T]):
    """A filter language in which conditions are said exactly, or not at all.

    The meaning to be kept is that of :func:`logical_retriever.query.holds`: two-valued, a missing field failing every
    condition. What an engine makes of NULL, of a value of another type or of a list differs from it in most of them.
    """

    @abstractmethod
    def condition(self, condition: Condition) -> Said[T]:
        """One condition."""

    @abstractmethod
    def every(self, parts: Sequence[T]) -> T:
        """All of one or more filters."""

    @abstractmethod
    def some(self, parts: Sequence[T]) -> T:
        """At least one of one or more filters."""

    def wider(self, condition: Condition) -> Said[T]:
        """One condition, each filter letting through what it has to, and others maybe; the exact ones by default."""
        return self.condition(condition)

    def said(self, query: LogicalQuery) -> T | None:
        """A filter for the documents that a query holds of; None where the language cannot say it, or it has a term."""
        return self._folded(query, self.condition, _all_of).holds

    def superset(self, query: LogicalQuery) -> T | None:
        """A filter for the documents that a query holds of, and maybe others; None where it would be for all."""
        return self._folded(query, self.wider, _some_of).holds

    def narrowed(self, given: T | None, query: LogicalQuery) -> T | None:
        """A filter and a query in one; None where the language cannot say the query."""
        return self._both(given, self.said(query))

    def superset_narrowed(self, given: T | None, query: LogicalQuery) -> T | None:
        """A filter and what :meth:`superset` says of a query in one; None where it says nothing."""
        return self._both(given, self.superset(query))

    def _both(self, given: T | None, said: T | None) -> T | None:
        return said if given is None or said is None else self.every([given, said])

    def _folded(self, query: LogicalQuery, leaf: Callable[[Condition], Said[T]], parts_of_all: _Known) -> Said[T]:
        """The query in the language; ``parts_of_all`` says which of the parts that must all hold are enough."""

        def every(parts: Sequence[T | None]) -> T | None:
            return self.every(known) if (known := parts_of_all(parts)) else None

        def some(parts: Sequence[T | None]) -> T | None:
            return self.some(known) if (known := _all_of(parts)) else None

        def visit(node: LogicalQuery, parts: tuple[Said[T], ...]) -> Said[T]:
            if isinstance(node, Condition):
                return leaf(node)
            if isinstance(node, Not):
                return Said(parts[0].fails, parts[0].holds)
            holds, fails = [part.holds for part in parts], [part.fails for part in parts]
            if isinstance(node, And):
                return Said(every(holds), some(fails))
            if isinstance(node, Or):
                return Said(some(holds), every(fails))
            return Said(None, None)

        return query.fold(visit)


_Known: TypeAlias = Callable[[Sequence[Any]], Sequence[Any]]


def _some_of(parts: Sequence[T | None]) -> Sequence[T]:
    """Those that could be said."""
    return [part for part in parts if part is not None]


def _all_of(parts: Sequence[T | None]) -> Sequence[T]:
    """All of them, or none where one could not be said."""
    known = _some_of(parts)
    return known if len(known) == len(parts) else []


class TwoValued(FilterLanguage[T]):
    """A language with a NOT, whose filters are true or false of every document."""

    @abstractmethod
    def inverse(self, part: T) -> T:
        """The documents that a filter does not let through."""

    @abstractmethod
    def exists(self, field: str) -> T | None:
        """The field has a value."""

    @abstractmethod
    def equals(self, field: str, values: Sequence[Scalar]) -> T | None:
        """The field has one of these values; a list of values is none."""

    @abstractmethod
    def ordered(self, field: str, operator: str, value: Scalar) -> T | None:
        """The field has a value of the same kind that is less or greater than this."""

    @abstractmethod
    def contains(self, field: str, value: Scalar) -> T | None:
        """The field has a list with this value in it."""

    def condition(self, condition: Condition) -> Said[T]:
        """One condition, and its inverse."""
        holds = self._holds(condition)
        return Said(holds, None if holds is None else self.inverse(holds))

    def wider(self, condition: Condition) -> Said[T]:
        """Of what has another value, whatever has not this one."""
        said = self.condition(condition)
        if said.holds is not None or condition.operator not in ("!=", "not in"):
            return said
        equals = self.equals(condition.field, named_values(condition))
        return Said(None if equals is None else self.inverse(equals), None)

    def _holds(self, condition: Condition) -> T | None:
        value: Any = condition.value
        match condition.operator:
            case "exists":
                return self.exists(condition.field)
            case "contains":
                return self.contains(condition.field, value)
            case "=" | "in":
                return self.equals(condition.field, named_values(condition))
            case "!=" | "not in":
                exists, equals = self.exists(condition.field), self.equals(condition.field, named_values(condition))
                if exists is None or equals is None:
                    return None
                return self.every([exists, self.inverse(equals)])
            case operator:
                return self.ordered(condition.field, operator, value)


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


class TypedLanguage(TwoValued[T]):
    """A language over fields with types: an engine refuses to compare with values of another type, or converts them."""

    @abstractmethod
    def type_of(self, field: str) -> FieldType:
        """The type of a field."""

    @abstractmethod
    def never(self) -> T:
        """Lets no document through."""

    @abstractmethod
    def present(self, field: str, type: FieldType) -> T:
        """The field has a value, NaN being none."""

    @abstractmethod
    def compared(self, field: str, type: FieldType, comparison: Comparison) -> T:
        """The comparison is true of the field; false where it has no value."""

    @abstractmethod
    def one_of(self, field: str, type: FieldType, values: Sequence[Any]) -> T:
        """The field has one of these values of its type; false where it has none."""

    @abstractmethod
    def has_element(self, field: str, type: FieldType, value: Any) -> T | None:
        """The field, which is listed, has this value of its type in its list; false where it has none."""

    def exists(self, field: str) -> T | None:
        """The field has a value."""
        type = self.type_of(field)
        if type.kind == "other":
            return None
        return self.never() if type.kind == "nothing" else self.present(field, type)

    def equals(self, field: str, values: Sequence[Scalar]) -> T | None:
        """The field has one of these values."""
        type = self.type_of(field)
        found: list[T] = []
        single: list[Any] = []
        for value in values:
            tests = () if type.listed else reduced(type.kind, "=", value)
            if tests is None:
                return None
            if len(tests) == 1:
                single.append(tests[0].value)
            elif tests:  # a day, of moments
                found.append(self.every([self.compared(field, type, test) for test in tests]))
        if single:
            found.append(self.one_of(field, type, single))
        return self.some(found) if found else self.never()

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
        return _day_tests(operator, value) if kind == "day" else _moment_tests(operator, value, kind)
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


def _day_tests(operator: str, value: date) -> tuple[Comparison, ...] | None:
    if not isinstance(value, datetime):
        return (Comparison(operator, value),)
    moment = _without_zone(value)
    day, midnight = moment.date(), moment.time().isoformat() == "00:00:00"
    if midnight:
        return (Comparison(operator, day),)
    if operator == "=":
        return ()
    return (Comparison("<=", day),) if operator in ("<", "<=") else (Comparison(">", day),)


def _moment_tests(operator: str, value: date, kind: Kind) -> tuple[Comparison, ...] | None:
    if kind != "moment":
        return ()
    if isinstance(value, datetime):
        return (Comparison(operator, _without_zone(value)),)
    if value == date.max:
        return None
    begin, end = (datetime(d.year, d.month, d.day) for d in (value, value + timedelta(days=1)))
    if operator == "=":
        return Comparison(">=", begin), Comparison("<", end)
    return (
        {
            "<": Comparison("<", begin),
            "<=": Comparison("<", end),
            ">": Comparison(">=", end),
            ">=": Comparison(">=", begin),
        }[operator],
    )


def _without_zone(value: datetime) -> datetime:
    """A moment in UTC without its zone; one that has none is in UTC."""
    return value if value.tzinfo is None else value.astimezone(timezone.utc).replace(tzinfo=None)


def named_values(condition: Condition) -> Sequence[Scalar]:
    """The values that a condition names: one, or those of a list; none for "exists"."""
    value: Any = condition.value
    if condition.operator == "exists":
        return ()
    return value if condition.operator in ("in", "not in") else (value,)

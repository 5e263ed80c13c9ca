"""Conditions on metadata as SQLAlchemy has them, for Postgres: on columns by their types, on JSON by each value's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from operator import eq, ge, gt, le, lt
from types import MappingProxyType
from typing import Any

from logical_retriever.query import Condition, Scalar
from logical_retriever.stores.conditions import (
    EXACT,
    NOTHING,
    OTHER,
    Comparison,
    FieldType,
    FilterLanguage,
    Kind,
    TypedLanguage,
    named_values,
)

COMPARE = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        **dict.fromkeys(("text", "character varying"), "text"),
        **dict.fromkeys(("smallint", "integer", "bigint"), "whole"),
        **{"double precision": "real", "boolean": "truth", "date": "day", "timestamp without time zone": "moment"},
    }
)
"""Types of columns that compare in Postgres as they do in Python."""


class _Joined(FilterLanguage[Any]):
    """Conditions of SQLAlchemy, joined; none is NULL."""

    def every(self, parts: Sequence[Any]) -> Any:
        """All of them."""
        from sqlalchemy import and_

        return and_(*parts)

    def some(self, parts: Sequence[Any]) -> Any:
        """One of them."""
        from sqlalchemy import or_

        return or_(*parts)

    def inverse(self, part: Any) -> Any:
        """Not this."""
        from sqlalchemy import not_

        return not_(part)


class PostgresConditions(_Joined):
    """Conditions on a table's metadata.

    Args:
        columns: Columns of metadata by name, each with Postgres' name of its type.
        json: The column of a JSON object of metadata with the name of its type, or None; a column goes before a key.
    """

    def __init__(self, columns: Mapping[str, tuple[Any, str]], json: tuple[Any, str] | None) -> None:
        self.columns = columns
        self.by_type = _Columns(columns)
        self.of_values = None if json is None else _Json(*json)

    def condition(self, condition: Condition) -> Any:
        """One condition, but on texts with a character that no text of Postgres has, and no driver sends."""
        texts = (condition.field, *(value for value in named_values(condition) if isinstance(value, str)))
        return None if any("\0" in text for text in texts) else super().condition(condition)

    def equals(self, field: str, values: Sequence[Scalar]) -> Any:
        """One of these values."""
        return self._of(field).equals(field, values)

    def ordered(self, field: str, operator: str, value: Scalar) -> Any:
        """A value less or greater than this, texts by code points."""
        return self._of(field).ordered(field, operator, value)

    def contains(self, field: str, value: Scalar) -> Any:
        """A list with this value in it."""
        return self._of(field).contains(field, value)

    def _of(self, field: str) -> FilterLanguage[Any]:
        return self.by_type if field in self.columns or self.of_values is None else self.of_values


class _Columns(_Joined, TypedLanguage[Any]):
    """Conditions on columns."""

    def __init__(self, columns: Mapping[str, tuple[Any, str]]) -> None:
        from sqlalchemy import BigInteger, Boolean, Date, DateTime, Double, Text

        self.columns = columns
        self.types: Mapping[str, Any] = {
            **{"text": Text(), "whole": BigInteger(), "real": Double(), "truth": Boolean(), "day": Date()},
            "moment": DateTime(),
        }

    def type_of(self, field: str) -> FieldType:
        if field not in self.columns:
            return NOTHING
        name = self.columns[field][1]
        kind = KINDS.get(name.removesuffix("[]"))
        return OTHER if kind is None else FieldType(kind, name.endswith("[]"))

    def never(self) -> Any:
        from sqlalchemy import false

        return false()

    def compared(self, field: str, type: FieldType, comparison: Comparison) -> Any:
        value = self._value(field, type)
        test = _true(COMPARE[comparison.operator](value, self._bound(type, comparison.value)))
        if type.kind == "real":  # NaN is the greatest number there
            return self.every([_true(value != self._bound(type, float("nan"))), test])
        return test

    def one_of(self, field: str, type: FieldType, values: Sequence[Any]) -> Any:
        return _true(self._value(field, type).in_([self._bound(type, value) for value in values]))

    def has_element(self, field: str, type: FieldType, value: Any) -> Any:
        from sqlalchemy import ARRAY, any_, cast, func

        array = cast(self.columns[field][0], ARRAY(self.types[type.kind]))
        within = _true(self._bound(type, value) == any_(array))
        return self.every([_true(func.array_ndims(array) == 1), within])  # ANY looks into lists of lists

    def _value(self, field: str, type: FieldType) -> Any:
        from sqlalchemy import cast

        column = cast(self.columns[field][0], self.types[type.kind])
        return column.collate("C") if type.kind == "text" else column

    def _bound(self, type: FieldType, value: Any) -> Any:
        from sqlalchemy import cast, literal

        # The driver of one wrapper takes parameters for the column's type otherwise, and refuses what does not fit.
        return cast(literal(value, self.types[type.kind]), self.types[type.kind])


class _Json(_Joined):
    """Conditions on the keys of a JSON object."""

    def __init__(self, column: Any, type: str) -> None:
        self.column = column
        self.type = type

    def equals(self, field: str, values: Sequence[Scalar]) -> Any:
        texts = [value for value in values if isinstance(value, str)]
        truths = [str(value).lower() for value in values if isinstance(value, bool)]
        numbers = [value for value in values if not isinstance(value, (str, bool))]
        tests = [("string", texts), ("boolean", truths)]
        parts = [self._guarded(field, type, self._text(field).in_(some)) for type, some in tests if some]
        if numbers:
            parts.append(self._numbers(field, "=", numbers))
        return None if any(part is None for part in parts) else self.some(parts)

    def ordered(self, field: str, operator: str, value: Scalar) -> Any:
        if isinstance(value, str):
            return self._guarded(field, "string", COMPARE[operator](self._text(field).collate("C"), value))
        return self._numbers(field, operator, [value])

    def contains(self, field: str, value: Scalar) -> Any:
        from sqlalchemy import cast
        from sqlalchemy.dialects.postgresql import JSONB

        if not isinstance(value, (str, bool)) and (
            isinstance(value, date) or abs(value) >= EXACT or value != int(value)
        ):
            return None
        return self._guarded(field, "array", cast(self._value(field), JSONB).op("@>")(cast([value], JSONB)))

    def _numbers(self, field: str, operator: str, values: Sequence[float | date]) -> Any:
        """A number that compares with one of these, in double precision, which Postgres would not make of all."""
        from sqlalchemy import Double, Numeric, case, cast, func, literal

        if any(isinstance(value, date) or abs(value) >= EXACT for value in values):
            return None  # a text may be that of a date, and larger numbers are not what they are in Python
        number = cast(self._text(field), Numeric)
        usual = func.abs(number).between(cast("1e-300", Numeric), cast("1e300", Numeric))
        tests = []
        for type in (Double, Numeric):
            wanted = [cast(literal(repr(value)), type) for value in values]
            left = cast(number, type)
            tests.append(left.in_(wanted) if operator == "=" else COMPARE[operator](left, wanted[0]))
        return self._guarded(field, "number", case((usual, tests[0]), else_=tests[1]))

    def _guarded(self, field: str, type: str, test: Any) -> Any:
        """The test where the value is of a type, else false: Postgres tries nothing behind an untrue WHEN."""
        from sqlalchemy import case, false

        return _true(case((self._type_of(field) == type, test), else_=false()))

    def _type_of(self, field: str) -> Any:
        from sqlalchemy import func

        return getattr(func, f"{self.type}_typeof")(self._value(field))

    def _value(self, field: str) -> Any:
        return self.column.op("->", return_type=self.column.type)(_key(field))

    def _text(self, field: str) -> Any:
        from sqlalchemy import Text

        return self.column.op("->>", return_type=Text())(_key(field))


def _key(field: str) -> Any:
    from sqlalchemy import Text, cast, literal

    return cast(literal(field, Text()), Text)


def _true(test: Any) -> Any:
    """False where a test is NULL."""
    from sqlalchemy import false, func

    return func.coalesce(test, false())

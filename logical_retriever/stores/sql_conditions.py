"""Conditions on metadata as SQL over typed columns, with bound parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from logical_retriever.stores.conditions import NOTHING, OTHER, Comparison, FieldType, TypedLanguage
from logical_retriever.stores.sql_columns import Column, Columns, Where

PREFIX = "lr_condition"
"""Beginning of the names of the parameters."""


@dataclass(frozen=True)
class Dialect:
    """The part of SQL that is an engine's own.

    Attributes:
        type_of: The type of a column's values as Python has them, of the engine's name of it.
        value: SQL of a column's value as it is compared; ``{}`` is the column.
        parameter: SQL of a bound value; ``{}`` is the name, ``{type}`` the engine's type.
        types: The engine's types by kind of value.
        many: The type of a list of these; ``{}`` is the type.
        missing: SQL of whether a number is none; ``{}`` is the number.
        has: SQL of whether a list has a value; ``{}`` and ``{}``.
    """

    type_of: Callable[[str], FieldType]
    value: Mapping[str, str]
    parameter: str
    types: Mapping[str, str]
    many: str
    missing: str
    has: str


class SqlConditions(TypedLanguage[Where]):
    """Conditions as parts of WHERE, which are never NULL, on columns with types.

    Args:
        columns: Of the table.
        dialect: Of the engine.
        given: Of the filter that is to be narrowed; its parameters keep their names.
    """

    def __init__(self, columns: Columns, dialect: Dialect, given: Where) -> None:
        self.columns, self.dialect = columns, dialect
        self.count = sum(name.startswith(PREFIX) for name in given.parameters)

    def every(self, parts: Sequence[Where]) -> Where:
        """All of them."""
        return _joined(" AND ", parts)

    def some(self, parts: Sequence[Where]) -> Where:
        """One of them."""
        return _joined(" OR ", parts)

    def inverse(self, part: Where) -> Where:
        """Not this."""
        return Where(f"NOT ({part.sql})", part.parameters)

    def never(self) -> Where:
        """Nothing."""
        return Where("1 = 0")

    def type_of(self, field: str) -> FieldType:
        """Of a column of metadata; the keys of a column of objects have none."""
        if self.columns.unpacked:
            return OTHER
        column = self._column(field)
        return NOTHING if column is None else self.dialect.type_of(column.type)

    def compared(self, field: str, type: FieldType, comparison: Comparison) -> Where:
        """By the engine's operator."""
        bound, parameters = self._bound(type, comparison.value, "{}")
        return self._true(field, type, f"{{}} {comparison.operator} {bound}", parameters)

    def one_of(self, field: str, type: FieldType, values: Sequence[Any]) -> Where:
        """One of a list that is bound."""
        if len(values) == 1:
            return self.compared(field, type, Comparison("=", values[0]))
        bound, parameters = self._bound(type, list(values), self.dialect.many)
        return self._true(field, type, self.dialect.has.format(bound, "{}"), parameters)

    def has_element(self, field: str, type: FieldType, value: Any) -> Where:
        """In the column's list."""
        bound, parameters = self._bound(type, value, "{}")
        return self._true(field, type, self.dialect.has.format("{}", bound), parameters)

    def _true(self, field: str, type: FieldType, test: str, parameters: Mapping[str, Any]) -> Where:
        """False where the test is NULL, or the column NaN."""
        value = self._value(field, type)
        sql = test.replace("{}", value)
        if type.kind == "real" and not type.listed:
            sql = f"NOT {self.dialect.missing.format(value)} AND {sql}"
        return Where(f"COALESCE({sql}, 1 = 0)", parameters)

    def _column(self, field: str) -> Column | None:
        return next((column for column in self.columns.metadata if column.name == field), None)

    def _value(self, field: str, type: FieldType) -> str:
        column = self._column(field)
        assert column is not None  # its type was read
        return column.quoted if type.listed else self.dialect.value.get(type.kind, "{}").format(column.quoted)

    def _bound(self, type: FieldType, value: Any, form: str) -> tuple[str, dict[str, Any]]:
        name = f"{PREFIX}{self.count}"
        self.count += 1
        return self.dialect.parameter.format(name, type=form.format(self.dialect.types[type.kind])), {name: value}


def _joined(between: str, parts: Sequence[Where]) -> Where:
    parameters = {name: value for part in parts for name, value in part.parameters.items()}
    return Where(between.join(f"({part.sql})" for part in parts), parameters)

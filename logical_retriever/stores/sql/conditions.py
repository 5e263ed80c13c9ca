"""Conditions on metadata as SQL over typed columns, and over the keys of JSON objects, with bound values."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date
from itertools import count
from typing import Any

from logical_retriever.query import Condition, Scalar
from logical_retriever.stores.conditions import (
    EXACT,
    NOTHING,
    OTHER,
    Comparison,
    FieldType,
    TypedLanguage,
    named_values,
)
from logical_retriever.stores.sql.columns import Column, Columns
from logical_retriever.stores.sql.dialect import Dialect
from logical_retriever.stores.sql.filters import SqlFilter, joined


class SqlConditions(TypedLanguage[SqlFilter]):
    """Conditions as parts of WHERE that are never NULL.

    Args:
        dialect: Of the engine.
        columns: Of the table.
        given: Number of parameters of the filter that is to be narrowed, so that names stay distinct.
    """

    def __init__(self, dialect: Dialect, columns: Columns, given: int) -> None:
        self.dialect, self.columns, self._numbers = dialect, columns, count(given)
        self._named = {column.name: column for column in columns.metadata}
        objects = self._named.pop(columns.unpacked or "", None)
        self._objects = objects if dialect.json_test else None

    def condition(self, condition: Condition) -> SqlFilter | None:
        """One condition; on a key of objects by the type of each value."""
        texts = (condition.field, *(value for value in named_values(condition) if isinstance(value, str)))
        if any("\0" in text for text in texts):  # no text of Postgres has it
            return None
        if self._objects is None or condition.field in self._named:
            return super().condition(condition)
        return self._of_key(self._objects, condition)

    def every(self, parts: Sequence[SqlFilter]) -> SqlFilter:
        """All of them."""
        return joined(" AND ", parts)

    def some(self, parts: Sequence[SqlFilter]) -> SqlFilter:
        """One of them."""
        return joined(" OR ", parts)

    def inverse(self, part: SqlFilter) -> SqlFilter:
        """Not this."""
        return SqlFilter(f"NOT ({part.condition})", part.parameters)

    def never(self) -> SqlFilter:
        """Nothing."""
        return SqlFilter("1 = 0")

    def type_of(self, field: str) -> FieldType:
        """Of a column of metadata; the keys of a column of objects have none."""
        if (column := self._named.get(field)) is not None:
            return self.dialect.field_type(column.type)
        return NOTHING if self.columns.unpacked is None else OTHER

    def compared(self, field: str, type: FieldType, comparison: Comparison) -> SqlFilter:
        """By the engine's operator."""
        [bound], parameters = self._bound(type.kind, [comparison.value])
        return self._true(field, type, f"{self._value(field, type)} {comparison.operator} {bound}", parameters)

    def one_of(self, field: str, type: FieldType, values: Sequence[Any]) -> SqlFilter:
        """One of a list."""
        bound, parameters = self._bound(type.kind, values)
        return self._true(field, type, f"{self._value(field, type)} IN ({', '.join(bound)})", parameters)

    def has_element(self, field: str, type: FieldType, value: Any) -> SqlFilter:
        """In the column's list."""
        [bound], parameters = self._bound(type.kind, [value])
        return self._true(field, type, self.dialect.has.format(list=self._named[field].quoted, value=bound), parameters)

    def _true(self, field: str, type: FieldType, test: str, parameters: dict[str, Any]) -> SqlFilter:
        """False where the test is NULL, or the column NaN."""
        if type.kind == "real" and not type.listed:
            test = f"NOT ({self.dialect.nan.format(self._named[field].quoted)}) AND {test}"
        return SqlFilter(f"COALESCE({test}, 1 = 0)", parameters)

    def _value(self, field: str, type: FieldType) -> str:
        return self._named[field].quoted + (self.dialect.collation if type.kind == "text" else "")

    def _bound(self, kind: str, values: Sequence[Any]) -> tuple[list[str], dict[str, Any]]:
        """Values as parameters, and these."""
        parameters = {f"lr_p{next(self._numbers)}": value for value in values}
        type = self.dialect.types[kind]
        return [self.dialect.parameter.format(name=name, type=type) for name in parameters], parameters

    def _of_key(self, objects: Column, condition: Condition) -> SqlFilter | None:
        """A condition on a key, as a path of SQL/JSON, which orders texts by code points."""
        values, operator = named_values(condition), condition.operator
        if not values or not all(map(_exact_in_json, values)) or operator in ("!=", "not in"):
            return None
        key, sign = f"$.{json.dumps(condition.field)}", operator if operator[0] in "<>" else "=="
        one, listed = (f"{key}[*]", "==") if operator == "contains" else (key, "!=")
        some = " || ".join(f"{one} {sign} {json.dumps(value)}" for value in values)
        [path], parameters = self._bound("path", [f'{key}.type() {listed} "array" && ({some})'])
        return SqlFilter(self.dialect.json_test.format(column=objects.quoted, path=path), parameters)


def _exact_in_json(value: Scalar) -> bool:
    """Whether a value in JSON is what it is in Python; a text there may be that of a date."""
    if isinstance(value, (str, bool)):
        return True
    return not isinstance(value, date) and math.isfinite(value) and abs(value) < EXACT

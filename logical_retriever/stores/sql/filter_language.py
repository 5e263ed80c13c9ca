"""Conditions on metadata as SQL over typed columns and over the keys of JSON objects, with bound values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

from logical_retriever.query import LogicalQuery
from logical_retriever.stores.filter_language import FilterLanguage
from logical_retriever.stores.sql.columns import Column, Columns
from logical_retriever.stores.sql.dialect import Dialect
from logical_retriever.stores.sql.filters import SqlFilter, joined

KINDS: Mapping[str, tuple[type, ...]] = {"text": (str,), "whole": (int, float), "real": (int, float), "truth": (bool,)}
"""Types of Python's values that can be compared with a column, by the column's kind."""


class SqlFilterLanguage:
    """A translation of conditions into parts of a WHERE clause. NULL does not pass, as a missing field does not.

    Args:
        dialect: The engine's dialect.
        columns: The table's columns.
    """

    def __init__(self, dialect: Dialect, columns: Columns) -> None:
        self.dialect, self.columns = dialect, columns
        self._named = {column.name: column for column in columns.metadata if column.name != columns.unpacked}
        self._numbers = count()

    def with_condition(self, filter: SqlFilter | None, condition: LogicalQuery) -> SqlFilter | None:
        """Join to the filter as much of a condition as SQL can express; None for nothing of it."""
        self._numbers = count(0 if filter is None else len(filter.parameters))  # keeps the names of parameters distinct
        language = FilterLanguage[SqlFilter](
            every=partial(joined, " AND "), some=partial(joined, " OR "), compared=self._compared
        )
        return language.with_condition(filter, condition)

    def _compared(self, field: str, operator: str, value: Any) -> SqlFilter | None:
        values = value if isinstance(value, list) else [value]
        if any("\0" in text for text in (field, *values) if isinstance(text, str)):  # no text of Postgres can hold it
            return None
        if (column := self._named.get(field)) is not None:
            return self._of_column(column, operator, values)
        objects = next((column for column in self.columns.metadata if column.name == self.columns.unpacked), None)
        return self._of_key(objects, field, operator, values) if objects and self.dialect.json_value else None

    def _of_column(self, column: Column, operator: str, values: Sequence[Any]) -> SqlFilter | None:
        kind, listed = self.dialect.kind_of(column.type)
        if kind is None or type(values[0]) not in KINDS.get(kind, ()) or listed != (operator == "contains"):
            return None
        if kind == "whole":
            values = [int(value) for value in values if value == int(value)]
            if not values:
                return None
        bound, parameters = self._bound(kind, values)
        if operator == "contains":
            return SqlFilter(self.dialect.has.format(list=column.quoted, value=bound[0]), parameters)
        test = f"IN ({', '.join(bound)})" if operator == "in" else f"{operator} {bound[0]}"
        return SqlFilter(f"{column.quoted} {test}", parameters)

    def _of_key(self, objects: Column, field: str, operator: str, values: Sequence[Any]) -> SqlFilter:
        """Compare a key of JSON objects by the engine's order of JSON values. A JSON list is in no list of values."""
        [key], parameters = self._bound("text", [field])
        bound, more = self._bound("json", [json.dumps(value) for value in values])
        value = self.dialect.json_value.format(column=objects.quoted, key=key)
        tests = {"in": f"{value} IN ({', '.join(bound)})", "contains": f"{value} @> {bound[0]}"}
        return SqlFilter(tests.get(operator, f"{value} {operator} {bound[0]}"), {**parameters, **more})

    def _bound(self, kind: str, values: Sequence[Any]) -> tuple[list[str], dict[str, Any]]:
        """Bind values. Return their marks in the statement, and the parameters."""
        parameters = {f"lr_p{next(self._numbers)}": value for value in values}
        type = self.dialect.types[kind]
        return [self.dialect.parameter.format(name=name, type=type) for name in parameters], parameters

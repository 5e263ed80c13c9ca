"""Conditions on metadata as SQL over columns whose values each have a type of their own, as SQLite's do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from logical_retriever.query import Scalar
from logical_retriever.stores.conditions import TwoValued
from logical_retriever.stores.sql_columns import Columns, Where
from logical_retriever.stores.sql_conditions import PREFIX

NEVER = Where("1 = 0")
NUMBER, TEXT = "IN ('integer', 'real')", "= 'text'"


class SQLiteConditions(TwoValued[Where]):
    """Conditions on the columns of a table; nothing said of the keys of JSON, nor of dates, which are texts there.

    Args:
        columns: Of the table.
        given: Of the filter that is to be narrowed; its parameters keep their names.
    """

    def __init__(self, columns: Columns, given: Where) -> None:
        self.columns = columns
        self.count = sum(name.startswith(PREFIX) for name in given.parameters)

    def every(self, parts: Sequence[Where]) -> Where:
        """All of them."""
        return _joined(" AND ", parts)

    def some(self, parts: Sequence[Where]) -> Where:
        """One of them."""
        return _joined(" OR ", parts)

    def inverse(self, part: Where) -> Where:
        """Not this; nothing here is NULL."""
        return Where(f"NOT ({part.sql})", part.parameters)

    def exists(self, field: str) -> Where | None:
        """Not NULL, which is what SQLite makes of NaN."""
        if self.columns.unpacked:
            return None
        column = self._column(field)
        return NEVER if column is None else Where(f"{column} IS NOT NULL")

    def equals(self, field: str, values: Sequence[Scalar]) -> Where | None:
        """Numbers by value, texts by their characters; true and false are kept as numbers, and equal none."""
        tests = [NEVER if isinstance(value, bool) else self.ordered(field, "=", value) for value in values]
        known = [test for test in tests if test is not None]
        return self.some(known) if len(known) == len(tests) else None

    def ordered(self, field: str, operator: str, value: Scalar) -> Where | None:
        """Numbers among numbers, texts among texts by code point."""
        if self.columns.unpacked or isinstance(value, (bool, date)):
            return None
        column = self._column(field)
        if column is None:
            return NEVER
        kind, name = TEXT if isinstance(value, str) else NUMBER, f"{PREFIX}{self.count}"
        self.count += 1
        return Where(f"typeof({column}) {kind} AND +{column} {operator} :{name} COLLATE BINARY", {name: value})

    def contains(self, field: str, value: Scalar) -> Where | None:  # noqa: ARG002  there are no lists
        """No column holds lists."""
        return None if self.columns.unpacked else NEVER

    def _column(self, field: str) -> str | None:
        return next((column.quoted for column in self.columns.metadata if column.name == field), None)


def _joined(between: str, parts: Sequence[Where]) -> Where:
    parameters = {name: value for part in parts for name, value in part.parameters.items()}
    return Where(between.join(f"({part.sql})" for part in parts), parameters)

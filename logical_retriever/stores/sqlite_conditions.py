"""Conditions on metadata as SQL over columns whose values each have a type of their own, as SQLite's do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from logical_retriever.query import Scalar
from logical_retriever.stores.sql_columns import Where
from logical_retriever.stores.sql_conditions import WhereConditions

NUMBER, TEXT = "IN ('integer', 'real')", "= 'text'"


class SQLiteConditions(WhereConditions):
    """Conditions on columns; nothing said of the keys of JSON, nor of dates, which are texts there."""

    def exists(self, field: str) -> Where | None:
        """Not NULL, which is what SQLite makes of NaN."""
        if self.columns.unpacked:
            return None
        column = self.column(field)
        return self.never() if column is None else Where(f"{column.quoted} IS NOT NULL")

    def equals(self, field: str, values: Sequence[Scalar]) -> Where | None:
        """Numbers by value, texts by their characters; true and false are kept as numbers, and equal none."""
        if self.columns.unpacked or any(isinstance(value, date) for value in values):
            return None
        texts = [value for value in values if isinstance(value, str)]
        numbers = [value for value in values if not isinstance(value, (str, bool))]
        kinds = ((TEXT, texts), (NUMBER, numbers))
        tests = [self._compared(field, kind, "IN", some) for kind, some in kinds if some]
        return self.some(tests) if tests else self.never()

    def ordered(self, field: str, operator: str, value: Scalar) -> Where | None:
        """Numbers among numbers, texts among texts by code point."""
        if self.columns.unpacked or isinstance(value, (bool, date)):
            return None
        return self._compared(field, TEXT if isinstance(value, str) else NUMBER, operator, [value])

    def contains(self, field: str, value: Scalar) -> Where | None:  # noqa: ARG002  there are no lists
        """No column holds lists."""
        return None if self.columns.unpacked else self.never()

    def _compared(self, field: str, kind: str, operator: str, values: Sequence[Scalar]) -> Where:
        """The column has a value of a kind, and compares with the values given: an order with one, IN with many."""
        column = self.column(field)
        if column is None:
            return self.never()
        bound = {self.parameter(): value for value in values}
        names = ", ".join(f":{name}" for name in bound)
        # The sign takes the column's affinity away, which would turn texts into numbers.
        test = f"+{column.quoted} COLLATE BINARY {operator} {f'({names})' if operator == 'IN' else names}"
        return Where(f"typeof({column.quoted}) {kind} AND {test}", bound)

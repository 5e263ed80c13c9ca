"""Statements over a table, and conditions on its metadata. All values are bound and all names are quoted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from logical_retriever.query import LogicalQuery
from logical_retriever.stores.base import ScoreExpression, WordQuery
from logical_retriever.stores.filter_language import filter_with_condition
from logical_retriever.stores.sql.columns import Column, Columns
from logical_retriever.stores.sql.dialect import Dialect, SqlFilter, joined
from logical_retriever.vectors import Vectors, unit

Statement = tuple[str, dict[str, Any]]
"""SQL and its parameters."""
KINDS: Mapping[str, tuple[type, ...]] = {"text": (str,), "whole": (int, float), "real": (int, float), "truth": (bool,)}
"""Types of Python's values that can be compared with a column, by the column's kind."""


class Compiler:
    """A writer of the statements over one table.

    Args:
        dialect: The engine's dialect.
        columns: The table's columns.
        operator: pgvector's operator for the order of the nearest rows.
    """

    def __init__(self, dialect: Dialect, columns: Columns, operator: str) -> None:
        self.dialect, self.columns, self.operator = dialect, columns, operator
        self.key, self.vector = columns.id.quoted, columns.vector.quoted
        self.id = f"{dialect.as_text.format(self.key)} AS lr_id"
        self.in_json = [re.fullmatch(dialect.json, column.type) is not None for column in columns.metadata]
        values = [
            (dialect.as_json if in_json else "{}").format(column.quoted)
            for column, in_json in zip(columns.metadata, self.in_json, strict=True)
        ]
        text = f"coalesce({dialect.as_text.format(columns.text.quoted)}, '') AS lr_text"
        vector = f"{dialect.read_vector.format(self.vector)} AS lr_vector"
        self.document = [self.id, text, *(f"{value} AS lr_m{i}" for i, value in enumerate(values)), vector]

    def rows(self, columns: Sequence[str], passing: SqlFilter, rest: str = "", **more: Any) -> Statement:
        """Select columns of the rows that pass. ``rest`` follows the WHERE clause; ``more`` are its parameters."""
        sql = f"SELECT {', '.join(columns)}\nFROM {self.columns.table} WHERE {passing.condition} {rest}".rstrip()
        return sql, passing.values(more)

    def by_score(self, expression: ScoreExpression, n: int, passing: SqlFilter) -> Statement:
        """Select the n best rows by a formula.

        An inner query computes each cosine once. Equal scores are in the order of their ids as texts, by code points.
        """
        read = sorted(set(map(int, re.findall(r"\blr_c(\d+)\b", expression.formula))))
        vectors = self.bound(expression.vectors, read)
        inner, parameters = self.rows(
            [f"{self.key} AS lr_key", *(f"{self._cosine(row)} AS lr_c{row}" for row in read)],
            passing,
            self.dialect.fence,
            **vectors,
        )
        id = self.dialect.as_text.format("lr_key")
        best = (
            f"SELECT {id} AS lr_id, {expression.formula} AS lr_score\nFROM (\n{inner}\n) AS lr_cosines\n"
            f"ORDER BY lr_score DESC, {id}{self.dialect.collation} LIMIT {int(n)}"
        )
        return best, parameters

    def nearest(self, vectors: Vectors, n: int, columns: Sequence[str], passing: SqlFilter) -> Statement:
        """Select the n nearest rows of each vector."""
        order = "ORDER BY lr_far" if self.dialect.far else f"ORDER BY lr_far, {self.key}"
        bound = self.bound(vectors, range(len(vectors)))
        parts = [
            self.rows([f"{place} AS lr_list", f"{self._far(place)} AS lr_far", *columns], passing, f"{order} LIMIT {n}")
            for place in range(len(vectors))
        ]
        lists = [f"SELECT * FROM (\n{sql}\n) AS lr_list{i}" for i, (sql, _) in enumerate(parts)]
        return "\nUNION ALL\n".join(lists), passing.values(bound)

    def by_words(self, query: WordQuery, n: int, searched: tuple[str, str], passing: SqlFilter) -> Statement:
        """Select the n rows of greatest summed weight of their words; equal ones by vector."""
        column, configuration = searched
        values = {
            f"lr_w{i}": word.encode("utf-8", "replace").decode().replace("\0", " ")
            for i, word in enumerate(query.words)
        } | {"lr_by": configuration}
        marks = [self.dialect.parameter.format(name=name, type=self.dialect.types["text"]) for name in values]
        tests = [
            self.dialect.has_words.format(column=column, configuration=marks[-1], query=mark) for mark in marks[:-1]
        ]
        weights = query.weights or [1.0 / place for place in range(1, len(tests) + 1)]
        pairs = zip(tests, weights, strict=True)
        score = " + ".join(f"CASE WHEN {test} THEN {float(weight)!r} ELSE 0 END" for test, weight in pairs)
        some = passing & SqlFilter(" OR ".join(tests), values)
        order = f"ORDER BY {score} DESC, {self._far(0)} LIMIT {n}"
        return self.rows([self.id], some, order, **self.bound(query.vector[None], [0]))

    def _cosine(self, row: int) -> str:
        return self.dialect.cosine.format(column=self.vector, vector=self._vector(row))

    def _far(self, row: int) -> str:
        """Write the expression that orders the nearest rows, the nearest first."""
        if not self.dialect.far:
            return f"- {self._cosine(row)}"
        return self.dialect.far.format(column=self.vector, vector=self._vector(row), operator=self.operator)

    def _vector(self, row: int) -> str:
        return self.dialect.vector.format(name=f"lr_v{row}", type=self.columns.vector.type)

    @staticmethod
    def bound(vectors: Vectors, rows: Iterable[int]) -> dict[str, str]:
        """Format vectors, scaled to length 1, as texts that every engine reads."""
        with np.errstate(over="ignore"):  # vectors beyond single precision become zeros
            units = unit(np.asarray(vectors, dtype=np.float32))
        return {f"lr_v{row}": f"[{','.join(map(repr, units[row].tolist()))}]" for row in rows}

    def with_condition(self, filter: SqlFilter | None, condition: LogicalQuery) -> SqlFilter | None:
        """Join to the filter as much of a condition as SQL can express; None for nothing of it.

        Typed columns and keys of JSON objects are compared. NULL does not pass, as a missing field does not.
        """
        named: dict[str | None, Column] = {column.name: column for column in self.columns.metadata}
        objects = named.pop(self.columns.unpacked, None)
        numbers = count(0 if filter is None else len(filter.parameters))  # keeps the names of parameters distinct

        def bound(kind: str, values: Sequence[Any]) -> tuple[list[str], dict[str, Any]]:
            """Bind values. Return their marks in the statement, and the parameters."""
            parameters = {f"lr_p{next(numbers)}": value for value in values}
            type = self.dialect.types[kind]
            return [self.dialect.parameter.format(name=name, type=type) for name in parameters], parameters

        def compared(field: str, operator: str, value: Any) -> SqlFilter | None:
            values = value if isinstance(value, list) else [value]
            if any("\0" in text for text in (field, *values) if isinstance(text, str)):
                return None  # no text of Postgres can hold it
            if (column := named.get(field)) is not None:
                return self._of_column(column, operator, values, bound)
            if objects is None or not self.dialect.json_value:
                return None
            # The engine's order of JSON values compares. A JSON list is in no list of values.
            [key], parameters = bound("text", [field])
            marks, more = bound("json", [json.dumps(value) for value in values])
            sql = self.dialect.json_value.format(column=objects.quoted, key=key)
            return SqlFilter(_test(sql, operator, marks, f"{sql} @> {marks[0]}"), {**parameters, **more})

        return filter_with_condition(filter, condition, partial(joined, " AND "), partial(joined, " OR "), compared)

    def _of_column(
        self,
        column: Column,
        operator: str,
        values: Sequence[Any],
        bound: Callable[[str, Sequence[Any]], tuple[list[str], dict[str, Any]]],
    ) -> SqlFilter | None:
        array = re.fullmatch(self.dialect.array, column.type)
        single = column.type if array is None else array[1]
        kind = next((kind for pattern, kind in self.dialect.kinds.items() if re.fullmatch(pattern, single)), "")
        if type(values[0]) not in KINDS.get(kind, ()) or (array is not None) != (operator == "contains"):
            return None
        if kind == "whole":
            values = [int(value) for value in values if value == int(value)]
            if not values:
                return None
        marks, parameters = bound(kind, values)
        contains = self.dialect.has.format(list=column.quoted, value=marks[0])
        return SqlFilter(_test(column.quoted, operator, marks, contains), parameters)


def _test(value: str, operator: str, marks: Sequence[str], contains: str) -> str:
    tests = {"in": f"{value} IN ({', '.join(marks)})", "contains": contains}
    return tests.get(operator, f"{value} {operator} {marks[0]}")

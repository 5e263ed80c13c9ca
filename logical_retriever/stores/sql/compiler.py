"""Statements over a table. All values are bound and all names are quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from logical_retriever.stores.base import ScoreExpression, WordQuery
from logical_retriever.stores.sql.columns import Columns
from logical_retriever.stores.sql.dialect import Dialect
from logical_retriever.stores.sql.filters import SqlFilter
from logical_retriever.vectors import Vectors, unit

Statement = tuple[str, dict[str, Any]]
"""SQL and its parameters."""


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
        self.read_vector = f"{dialect.read_vector.format(self.vector)} AS lr_vector"
        values = [(dialect.as_json if dialect.in_json(c.type) else "{}").format(c.quoted) for c in columns.metadata]
        text = f"coalesce({dialect.as_text.format(columns.text.quoted)}, '') AS lr_text"
        self.document = [self.id, text, *(f"{value} AS lr_m{i}" for i, value in enumerate(values))]

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

"""Tables of DuckDB with a column of vectors, through the connection that the caller already has."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import PUSHED_OPERATORS, Capabilities, VectorBatch
from logical_retriever.stores.conditions import OTHER, FieldType, Kind
from logical_retriever.stores.rows import engine_errors, matrix
from logical_retriever.stores.sql_columns import Column, Quote, Where
from logical_retriever.stores.sql_conditions import Dialect
from logical_retriever.stores.sql_table import SqlTableStore
from logical_retriever.vectors import Vectors

KEYS: tuple[tuple[str, type], ...] = (
    (r"VARCHAR|JSON|ENUM\(.*\)", str),
    (r"U?(TINY|SMALL|BIG)INT|U?INTEGER|HUGEINT", int),
    (r"FLOAT|DOUBLE", float),
    (r"DECIMAL\(.*\)", Decimal),
    (r"BLOB", bytes),
    (r"UUID", UUID),
    (r"DATE", date),
    (r"TIME", time),
    (r"TIMESTAMP(_S|_MS)?", datetime),
    (r"INTERVAL", timedelta),
    (r"BOOLEAN", bool),
)
"""Types of identities that Python has as well, and what they are there."""
KEYS_AS_TEXT = re.compile(r"TIMESTAMP_NS|TIME_NS|TIME(STAMP)? WITH TIME ZONE|UHUGEINT|BIGNUM|BIT")
"""Types of identities that DuckDB's client cannot give without loss: they are known by the text that DuckDB writes."""
PLAIN = re.compile(r"VARCHAR|U?(TINY|SMALL|BIG)INT|U?INTEGER|FLOAT|DOUBLE")
"""Types whose arrays in NumPy lose nothing."""
KINDS: tuple[tuple[str, Kind], ...] = (
    (r"VARCHAR|ENUM\(.*\)", "text"),
    (r"U?(TINY|SMALL|BIG)INT|U?INTEGER|HUGEINT", "whole"),
    (r"FLOAT|DOUBLE", "real"),
    (r"BOOLEAN", "truth"),
    (r"DATE", "day"),
    (r"TIMESTAMP(_S|_MS)?", "moment"),
)
"""Types of metadata that compare in DuckDB as they do in Python."""


def field_type(name: str) -> FieldType:
    """Of a column whose type DuckDB calls so, or that holds lists of it."""
    single = name.removesuffix("[]")
    kinds = [kind for pattern, kind in KINDS if re.fullmatch(pattern, single)]
    return FieldType(kinds[0], single != name) if kinds else OTHER


class DuckDBStore(SqlTableStore):
    """A table or view of DuckDB whose vectors are a column of type ``FLOAT[d]``.

    Every request runs in a cursor of its own, so that the connection's pending results, its transaction and other
    threads are left alone; temporary tables and uncommitted rows, which belong to one cursor, are not seen. Rows where
    the vector is NULL are no documents; a column of JSON, STRUCT or MAP may hold the metadata. Made by
    :meth:`from_table` over ``duckdb.connect()``::

        store = DuckDBStore.from_table(connection, "docs", id="id", text="body", vector="embedding")
        retriever = LogicalRetriever(store, embedder)
        retriever.retrieve("...", filter={"year": 2024})
        retriever.retrieve("...", filter=SqlFilter("year > $year", {"year": 2000}))
    """

    capabilities = Capabilities(
        name="DuckDB",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        cosine_order=True,
        conditions=PUSHED_OPERATORS,
    )

    dialect = Dialect(
        type_of=field_type,
        value={"text": "CAST({} AS VARCHAR)", "real": "CAST({} AS DOUBLE)"},
        parameter="CAST(${} AS {type})",
        types={
            **{"text": "VARCHAR", "whole": "BIGINT", "real": "DOUBLE", "truth": "BOOLEAN", "day": "DATE"},
            "moment": "TIMESTAMP",
        },
        many="{}[]",
        missing="isnan({})",
        has="list_contains({}, {})",
    )
    quote = Quote('"', {'"': '""'})
    vector_type = re.compile(r"FLOAT\[(\d+)\]")
    vector_hint = (
        "Where it holds vectors of one length: ALTER TABLE {table} ALTER {column} TYPE FLOAT[384], with that length."
    )

    @staticmethod
    def _types(connection: Any, table: str) -> dict[str, str]:
        if not callable(getattr(connection, "cursor", None)):
            raise InvalidArgumentError(
                f"A connection to DuckDB is needed, got {type(connection).__name__}.",
                hint="Pass duckdb.connect('file.duckdb').",
            )
        with engine_errors("DuckDB", f"describe {table}"), connection.cursor() as cursor:
            return {row[0]: row[1] for row in cursor.execute(f"DESCRIBE {table}").fetchall()}

    def _key(self, column: Column) -> str | None:
        kinds = [kind for pattern, kind in KEYS if re.fullmatch(pattern, column.type)]
        if kinds:
            self._kind, self._type = kinds[0], column.type
            return column.quoted
        self._kind, self._type = str, "VARCHAR"
        return f"CAST({column.quoted} AS VARCHAR)" if KEYS_AS_TEXT.fullmatch(column.type) else None

    @property
    def dimension(self) -> int:
        """Length of the vectors, d."""
        found = self.vector_type.fullmatch(self.columns.vector.type)
        assert found is not None  # from_table has seen to it
        return int(found[1])

    def _run(self, statement: str, parameters: Mapping[str, Any], fetch: str) -> Any:
        with self.errors(), self.connection.cursor() as cursor:
            return getattr(cursor.execute(statement, dict(parameters)), fetch)()

    def _rows(self, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._run(statement, parameters, "fetchall")
        return rows

    def _vectors(self, clauses: str, parameters: Mapping[str, Any]) -> VectorBatch:
        c = self.columns
        plain = PLAIN.fullmatch(self._type)
        key = self.key if plain else f"row({self.key})"  # in a row, values are what they are by themselves
        # As arrays: a row at a time, as Python objects, takes thirty times as long.
        found = self._run(
            f"SELECT {key} AS lr_id, {c.vector.quoted} AS lr_vector FROM {c.table} {clauses}", parameters, "fetchnumpy"
        )
        ids = self._ids(found["lr_id"].tolist() if plain else [key for [key] in found["lr_id"]])
        return VectorBatch(ids, np.stack(found["lr_vector"]) if ids else matrix(()))

    def _named(self, name: str) -> str:
        # By itself, DuckDB would write the rows down first.
        return f"{name} AS NOT MATERIALIZED"

    def _present(self) -> Where:
        return Where(f"{self.columns.vector.quoted} IS NOT NULL")

    def _cosine(self, parameter: str) -> str:
        cosine = f"array_cosine_similarity({self.columns.vector.quoted}, ${parameter}::{self.columns.vector.type})"
        # NaN, of a vector of zeros, comes first in DuckDB's descending order.
        return f"CASE WHEN isfinite({cosine}) THEN {cosine} ELSE 0 END"

    def _as_text(self, column: Column) -> str:
        return column.quoted if column.type == "VARCHAR" else f"CAST({column.quoted} AS VARCHAR)"

    def _as_value(self, column: Column) -> str:
        return column.quoted

    def _read(self, column: Column, value: Any) -> Any:
        return json.loads(value) if column.type == "JSON" and isinstance(value, str) else value

    def _hashed(self, seed: int) -> str:
        return f"md5({self._as_text(self.columns.id)} || '/{seed}')"

    def _among(self, ids: Sequence[DocumentId]) -> Where:
        return Where(f"{self.key} IN (SELECT TRY_CAST(unnest($lr_ids) AS {self._type}))", {"lr_ids": list(ids)})

    def _after(self, id: DocumentId) -> Where:
        return Where(f"{self.key} > CAST($lr_last AS {self._type})", {"lr_last": id})

    def _equal(self, column: Column, value: Any, parameter: str) -> Where:
        return Where(f"{column.quoted} IS NOT DISTINCT FROM ${parameter}", {parameter: value})

    def _check_dimension(self, vectors: Vectors) -> None:
        if vectors.shape[1] != self.dimension:
            raise self._mismatch(vectors, self.dimension)

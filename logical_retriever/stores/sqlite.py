"""Tables of SQLite whose vectors sqlite-vec compares, through the connection that the caller already has."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError, StoreError, VectorMismatchError
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import ALL_OPERATORS, Capabilities, VectorBatch
from logical_retriever.stores.rows import engine_errors, matrix
from logical_retriever.stores.sql_columns import Column, Quote, SqlFilter, Where
from logical_retriever.stores.sql_table import SqlTableStore
from logical_retriever.stores.sqlite_conditions import SQLiteConditions
from logical_retriever.vectors import Vectors

LARGEST = 1 << 63
"""Whole numbers are below it, and not below its negative."""
QUALIFIED = re.compile(r'(?:("(?:[^"]|"")+")\.)?("(?:[^"]|"")+")')


class SQLiteStore(SqlTableStore):
    """A table or view of SQLite whose vectors are blobs of 32-bit floats, and a connection that has sqlite-vec.

    An ordinary table is scored six times as fast as a virtual table of ``vec0``. Values have types of their own in
    SQLite, whatever the column says: ids are whole numbers, numbers, texts and bytes as they are, true and false are
    1 and 0. A column of JSON text may hold the metadata. Made by :meth:`from_table`::

        connection = sqlite3.connect("docs.sqlite", check_same_thread=False)
        connection.enable_load_extension(True)
        sqlite_vec.load(connection)
        store = SQLiteStore.from_table(connection, "docs", text="body", vector="embedding")
        retriever = LogicalRetriever(store, embedder)
        retriever.retrieve("...", filter=SqlFilter("year > :year", {"year": 2000}))

    A Python whose ``sqlite3`` loads no extensions has ``pysqlite3-binary`` from PyPI.
    """

    capabilities = Capabilities(
        name="SQLite",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        cosine_order=True,
        words="regular expressions, those with the rarest words first, then the nearest",
        conditions=ALL_OPERATORS,
    )

    quote = Quote('"', {'"': '""'})
    vector_type = re.compile(".*", re.DOTALL)  # a declared type says nothing of the values

    def __init__(self, connection: Any, columns: Any) -> None:
        super().__init__(connection, columns)
        self._lock = threading.Lock()
        with self.errors():
            connection.create_function("lr_matches", 2, _matches, deterministic=True)
            connection.create_function("lr_hash", 2, _hash, deterministic=True)

    @staticmethod
    def _types(connection: Any, table: str) -> dict[str, str]:
        if not callable(getattr(connection, "create_function", None)):
            raise InvalidArgumentError(
                f"A connection to SQLite is needed, got {type(connection).__name__}.",
                hint="Pass sqlite3.connect('docs.sqlite', check_same_thread=False).",
            )
        try:
            connection.execute("SELECT vec_version()").fetchall()
        except Exception as error:
            raise InvalidArgumentError(
                f"This connection has no sqlite-vec: {error}",
                hint="connection.enable_load_extension(True); sqlite_vec.load(connection). Where Python's sqlite3 "
                "cannot, pysqlite3-binary can.",
            ) from error
        found = QUALIFIED.fullmatch(table)
        assert found is not None  # it was quoted here
        schema = f"{found[1]}." if found[1] else ""
        with engine_errors("SQLite", f"describe {table}"):
            rows = connection.execute(f"PRAGMA {schema}table_xinfo({found[2]})").fetchall()
        if not rows:
            raise StoreError(f"SQLite has no table {table}.", hint="Give its name as the database shows it.")
        return {name: kind for _, name, kind, *_, hidden in rows if hidden != 1}

    def _key(self, column: Column) -> str | None:
        return column.quoted

    def narrowed(self, filter: SqlFilter | Mapping[str, Any] | Where | None, condition: LogicalQuery) -> Where | None:
        """The filter and a condition, its values bound; none on the keys of JSON."""
        given = self.condition(filter)
        said = SQLiteConditions(self.columns, given).said(condition)
        return None if said is None else given & said

    def _rows(self, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        bound = {name: _vector(value) if name == "lr_vector" else value for name, value in parameters.items()}
        with self.errors(), self._lock:
            rows: list[tuple[Any, ...]] = self.connection.execute(statement, bound).fetchall()
        return rows

    def _vectors(self, clauses: str, parameters: Mapping[str, Any]) -> VectorBatch:
        c = self.columns
        found = self._rows(f"SELECT {self.key}, {c.vector.quoted} FROM {c.table} {clauses}", parameters)
        if not found:
            return VectorBatch((), matrix(()))
        lengths = {len(blob) if isinstance(blob, bytes) else -1 for _, blob in found}
        if len(lengths) > 1 or -1 in lengths or next(iter(lengths)) % 4:
            raise VectorMismatchError(
                f"Values of {c.vector.name!r} in {c.table} are no blobs of as many 32-bit floats each.",
                hint="Store sqlite_vec.serialize_float32(vector), of one model.",
            )
        values = np.frombuffer(b"".join(blob for _, blob in found), "<f4").reshape(len(found), -1)
        return VectorBatch(self._ids(key for key, _ in found), values.astype(np.float32))

    def _named(self, name: str) -> str:
        return f"{name} AS NOT MATERIALIZED"

    def _present(self) -> Where:
        return Where(f"{self.columns.vector.quoted} IS NOT NULL")

    def _cosine(self, parameter: str) -> str:
        return f"coalesce(1.0 - vec_distance_cosine({self.columns.vector.quoted}, :{parameter}), 0.0)"

    def _matches(self, parameter: str) -> str:
        return f"lr_matches({self._as_text(self.columns.text)}, :{parameter})"

    def _as_text(self, column: Column) -> str:
        return f"CAST({column.quoted} AS TEXT)"

    def _as_value(self, column: Column) -> str:
        return column.quoted

    def _read(self, column: Column, value: Any) -> Any:
        if not self.columns.unpacked or not isinstance(value, (str, bytes)):
            return value
        try:
            return json.loads(value)
        except ValueError as error:
            raise StoreError(
                f"Column {column.name!r} of {self.columns.table} holds {value!r}, which is no JSON.",
                hint=f"Give metadata=({column.name!r},) for its values under its own name.",
            ) from error

    def _hashed(self, seed: int) -> str:
        return f"lr_hash({self.key}, {seed})"

    def _can_be_key(self, id: DocumentId) -> bool:
        if isinstance(id, str):
            return not any("\ud800" <= character <= "\udfff" for character in id)
        return isinstance(id, (float, bytes)) or (isinstance(id, int) and -LARGEST <= id < LARGEST)

    def _among(self, ids: Sequence[DocumentId]) -> Where:
        names = [f"lr_id{i}" for i in range(len(ids))]
        listed = ", ".join(f":{name}" for name in names)
        return Where(f"{self.key} IN ({listed})", dict(zip(names, ids, strict=True)))

    def _after(self, id: DocumentId) -> Where:
        return Where(f"{self.key} > :lr_last", {"lr_last": id})

    def _equal(self, column: Column, value: Any, parameter: str) -> Where:
        return Where(f"{column.quoted} IS :{parameter}", {parameter: value})

    def _check_dimension(self, vectors: Vectors) -> None:
        c = self.columns
        [[least, most]] = self._rows(
            f"SELECT min(length({c.vector.quoted})), max(length({c.vector.quoted})) FROM {c.table} "
            f"WHERE {self._present().sql}",
            {},
        )
        if most is not None and {least, most} != {4 * vectors.shape[1]}:
            raise self._mismatch(vectors, most // 4)


def _vector(components: Sequence[float]) -> bytes:
    return np.asarray(components, "<f4").tobytes()


@functools.lru_cache(maxsize=1000)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(r"[^\pL\pN_]", r"\W"))


def _matches(text: str | None, pattern: str) -> bool:
    """Whether a text matches one of the patterns that engines are given; Python has no name for letters and digits."""
    return text is not None and _compiled(pattern).search(text) is not None


def _hash(value: object, seed: int) -> str:
    return hashlib.blake2b(f"{seed}/{value!r}".encode(errors="surrogatepass"), digest_size=8).hexdigest()

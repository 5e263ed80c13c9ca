"""Tables of OceanBase seekdb with a column of vectors, through a connection of PyMySQL."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Hashable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import ALL_OPERATORS, Capabilities, VectorBatch
from logical_retriever.stores.conditions import OTHER, FieldType, Kind
from logical_retriever.stores.rows import engine_errors, matrix
from logical_retriever.stores.sql_columns import Column, Quote, Where
from logical_retriever.stores.sql_conditions import Dialect
from logical_retriever.stores.sql_table import SqlTableStore
from logical_retriever.vectors import Vectors

TEXT, WHOLE = r"(?:var)?char\(\d+\)", r"(?:tiny|small|medium|big)?int\b.*"
KEYS: tuple[tuple[str, type], ...] = (
    (TEXT, str),
    (WHOLE, int),
    ("double", float),
    (r"decimal\(.*\)", Decimal),
    (r"(?:var)?binary\(\d+\)", bytes),
    ("date", date),
    (r"datetime(?:\(\d\))?", datetime),
)
"""Types of identities, and what they are in Python."""
KINDS: tuple[tuple[str, Kind], ...] = (
    (TEXT, "text"),
    (WHOLE, "whole"),
    ("double", "real"),
    ("date", "day"),
    (r"datetime\(6\)", "moment"),
)
"""Types of metadata that compare in seekdb as they do in Python; of a long TEXT, IN was seen to be wrong."""
SEARCHED_CHARACTERS = 500_000
"""Of a text, for words: seekdb gives up on a longer one."""


def field_type(name: str) -> FieldType:
    """Of a column whose type seekdb calls so."""
    kinds = [kind for pattern, kind in KINDS if re.fullmatch(pattern, name)]
    return FieldType(kinds[0]) if kinds else OTHER


class SeekdbStore(SqlTableStore):
    """A table or view of OceanBase seekdb whose vectors are a column of type ``VECTOR(d)``.

    Made by :meth:`from_table` over a connection of PyMySQL that commits by itself, whose statements go one after the
    other. True and false are 1 and 0; a column of JSON may hold the metadata. A filter's parameters are ``%(name)s``
    and a percent sign in it is ``%%``, as for any statement of PyMySQL::

        database = pylibseekdb.open(db_dir="docs.seekdb")
        connection = pymysql.connect(**database.connection_options(), database="test", autocommit=True)
        store = SeekdbStore.from_table(connection, "docs", text="body", vector="embedding")
        retriever = LogicalRetriever(store, embedder)
        retriever.retrieve("...", filter={"year": 2024})
        retriever.retrieve("...", filter=SqlFilter("year > %(year)s", {"year": 2000}))
    """

    capabilities = Capabilities(
        name="seekdb",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        cosine_order=True,
        words="seekdb's regular expressions, those with the rarest words first, then the nearest",
        conditions=ALL_OPERATORS,
    )

    dialect = Dialect(
        type_of=field_type,
        # By bytes: other collations find "a" and "A", or "a" and "a ", the same.
        value={"text": "CAST({} AS BINARY)"},
        parameter="%({})s",
        types=dict.fromkeys(("text", "whole", "real", "truth", "day", "moment"), ""),
        many="{}",
        missing="({} IS NULL)",  # it holds no NaN
        has="{1} IN {0}",
    )
    quote = Quote("`", {"`": "``", "%": "%%"})
    vector_type = re.compile(r"VECTOR\((\d+)\)")
    vector_hint = "Where texts hold them: ALTER TABLE {table} MODIFY COLUMN {column} VECTOR(384), with their length."

    one_request = True
    """Whether the connection serves one request at a time, the caller's own among them."""

    def __init__(self, connection: Any, columns: Any) -> None:
        super().__init__(connection, columns)
        self._lock = threading.Lock()

    @property
    def identity(self) -> Hashable:
        """Equal for stores of one table's texts through one connection; see :attr:`ChromaStore.identity`."""
        return id(self.connection), self.columns

    @property
    def dimension(self) -> int:
        """Length of the vectors, d."""
        found = self.vector_type.fullmatch(self.columns.vector.type)
        assert found is not None  # from_table has seen to it
        return int(found[1])

    @staticmethod
    def _types(connection: Any, table: str) -> dict[str, str]:
        if not (
            callable(getattr(connection, "cursor", None)) and callable(getattr(connection, "get_autocommit", None))
        ):
            raise InvalidArgumentError(
                f"A connection of PyMySQL is needed, got {type(connection).__name__}.",
                hint="Pass pymysql.connect(**database.connection_options(), database=..., autocommit=True).",
            )
        if not connection.get_autocommit():
            raise InvalidArgumentError(
                "This connection does not commit by itself: it would be shown for ever what it read first.",
                hint="Pass pymysql.connect(..., autocommit=True), one of its own for the store.",
            )
        with engine_errors("seekdb", f"describe {table}"), connection.cursor() as cursor:
            cursor.execute(f"DESCRIBE {table}", {})
            return {name: kind for name, kind, *_ in cursor.fetchall()}

    def _key(self, column: Column) -> str | None:
        kinds = [kind for pattern, kind in KEYS if re.fullmatch(pattern, column.type)]
        if not kinds:
            return None
        self._kind = kinds[0]
        return f"CAST({column.quoted} AS BINARY)" if self._kind in (str, bytes) else column.quoted

    def _shown(self, key: str) -> str:  # noqa: ARG002  it is only compared
        return self.columns.id.quoted

    def _answering(self, statement: str) -> str:
        if self._kind is not str:
            return statement
        # Bytes are compared of a text, and come back as such.
        order = "ORDER BY lr_answer.score DESC, lr_answer.id"
        return f"SELECT CONVERT(lr_answer.id USING utf8mb4) AS lr_id FROM (\n{statement}\n) AS lr_answer\n{order}"

    def _rows(self, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        bound = {name: _bound(name, value) for name, value in parameters.items()}
        with self.errors(), self._lock, self.connection.cursor() as cursor:
            cursor.execute(statement, bound)
            return list(cursor.fetchall())

    def _vectors(self, clauses: str, parameters: Mapping[str, Any]) -> VectorBatch:
        c = self.columns
        found = self._rows(f"SELECT {c.id.quoted}, {c.vector.quoted} FROM {c.table} {clauses}", parameters)
        if not found:
            return VectorBatch((), matrix(()))
        values = np.array(json.loads(f"[{','.join(vector for _, vector in found)}]"), np.float32)
        return VectorBatch(self._ids(key for key, _ in found), values)

    def _named(self, name: str) -> str:
        return f"{name} AS"

    def _present(self) -> Where:
        return Where(f"{self.columns.vector.quoted} IS NOT NULL")

    def _cosine(self, parameter: str) -> str:
        # NULL of a vector of zeros.
        return f"coalesce(1 - cosine_distance({self.columns.vector.quoted}, %({parameter})s), 0)"

    def _matches(self, parameter: str) -> str:
        text = f"left({self._as_text(self.columns.text)}, {SEARCHED_CHARACTERS})"
        return f"coalesce(regexp_like({text}, %({parameter})s), 0)"

    def _as_text(self, column: Column) -> str:
        return f"CAST({column.quoted} AS CHAR)"

    def _as_value(self, column: Column) -> str:
        return column.quoted

    def _read(self, column: Column, value: Any) -> Any:
        return json.loads(value) if column.type == "json" and isinstance(value, str) else value

    def _hashed(self, seed: int) -> str:
        return f"md5(concat('{seed}/', hex({self.key})))"

    def _can_be_key(self, id: DocumentId) -> bool:
        if isinstance(id, str):
            return self._kind is str and not any("\ud800" <= character <= "\udfff" for character in id)
        return isinstance(id, self._kind)

    def _among(self, ids: Sequence[DocumentId]) -> Where:
        if not ids:
            return Where("1 = 0")
        name = self.columns.id.quoted
        # The column by itself, for its index; then as it is compared.
        also = "" if self.key == name else f" AND {self.key} IN %(lr_ids)s"
        among = f"{name} IN %(lr_ids)s{also}"
        if any(id in ("", b"") for id in ids):  # seekdb misses it where it is the first that a list of this length has
            among = f"({among} OR length({name}) = 0)"
        return Where(among, {"lr_ids": list(ids)})

    def _after(self, id: DocumentId) -> Where:
        return Where(f"{self.key} > %(lr_last)s", {"lr_last": id})

    def _equal(self, column: Column, value: Any, parameter: str) -> Where:
        shown = f"CAST({column.quoted} AS BINARY)" if isinstance(value, str) else column.quoted
        return Where(f"{shown} <=> %({parameter})s", {parameter: value})

    def _check_dimension(self, vectors: Vectors) -> None:
        if vectors.shape[1] != self.dimension:
            raise self._mismatch(vectors, self.dimension)


def _bound(name: str, value: Any) -> Any:
    """A value as PyMySQL writes it: a vector as text, and a pattern in the language of ICU."""
    if name == "lr_vector":
        return f"[{','.join(map(repr, value))}]"
    if name.startswith("lr_word"):  # looks beside the word, where a choice would have it come back at every character
        before = value.replace(r"(?:^|[^\pL\pN_])", r"(?<![\p{L}\p{N}_])")
        return before.replace(r"(?:$|[^\pL\pN_])", r"(?![\p{L}\p{N}_])")
    return value

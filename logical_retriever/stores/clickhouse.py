"""Tables of ClickHouse with a column of vectors, embedded (chdb) or on a server (clickhouse-connect)."""

from __future__ import annotations

import json
import re
import struct
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

from logical_retriever.errors import (
    InvalidArgumentError,
    require,
)
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import PUSHED_OPERATORS, Capabilities, VectorBatch
from logical_retriever.stores.conditions import OTHER, FieldType, Kind
from logical_retriever.stores.rows import engine_errors
from logical_retriever.stores.sql_columns import Column, Quote, Where
from logical_retriever.stores.sql_conditions import Dialect
from logical_retriever.stores.sql_table import SqlTableStore

WRAPPED = re.compile(r"(?:Nullable|LowCardinality)\((.*)\)")
INTEGER = re.compile(r"U?Int\d+")

MOMENT = re.compile(r"DateTime(?:\(.*\)|64\((\d).*\))?")

Query = Callable[[str, Mapping[str, Any]], Any]
"""Runs a statement with bound parameters; a ``pyarrow.Table``."""
_EMBEDDED = threading.Lock()
"""A process has one embedded engine, whose connections mix the parameters of statements that run at once."""

KINDS: tuple[tuple[str, Kind], ...] = (
    (r"String", "text"),
    (INTEGER.pattern, "whole"),
    ("Float64", "real"),
    ("Bool", "truth"),
)
"""Types of metadata that compare in ClickHouse as what is written as JSON does in Python: dates are texts there."""


def field_type(name: str) -> FieldType:
    """Of a column whose type ClickHouse calls so, or of an array of texts."""
    plain = _plain(name)
    if array := re.fullmatch(r"Array\((.*)\)", plain):
        return FieldType("text", listed=True) if _plain(array[1]) == "String" else OTHER
    kinds = [kind for pattern, kind in KINDS if re.fullmatch(pattern, plain)]
    return FieldType(kinds[0]) if kinds else OTHER


class ClickHouseStore(SqlTableStore):
    """A table or view of ClickHouse whose vectors are a column of type ``Array(Float32)``.

    An array has no NULL: rows whose array is empty have no vector. Identities that are moments are in UTC, and texts
    that are not UTF-8 are bytes. A column of Map, named Tuple or JSON may hold the metadata, whose values are what is
    written as JSON: dates are texts. Made by :meth:`from_table` over a ``chdb.session.Session``, a connection
    of ``chdb.connect()``, or a client of ``clickhouse_connect.get_client()``::

        store = ClickHouseStore.from_table(client, "docs", id="id", text="body", vector="embedding")
        retriever = LogicalRetriever(store, embedder)
        retriever.retrieve("...", filter={"year": 2024})
        retriever.retrieve("...", filter=SqlFilter("year > {year:UInt16}", {"year": 2000}))
    """

    capabilities = Capabilities(
        name="ClickHouse",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        cosine_order=True,
        threads=False,
        conditions=PUSHED_OPERATORS,
    )

    dialect = Dialect(
        type_of=field_type,
        value={},
        parameter="{{{}:{type}}}",
        types={"text": "String", "whole": "Int64", "real": "Float64", "truth": "Bool"},
        many="Array({})",
        missing="not isFinite({})",  # JSON has no infinite numbers either
        has="has({}, {})",
    )
    length = "length"
    quote = Quote("`", {"\\": "\\\\", "`": "\\`"})
    vector_type = re.compile(r"Array\((Float32|Float64)\)")
    vector_hint = "Where it holds numbers: ALTER TABLE {table} MODIFY COLUMN {column} Array(Float32)."

    @staticmethod
    def _types(connection: Any, table: str) -> dict[str, str]:
        query = _query(connection)
        with engine_errors("ClickHouse", f"describe {table}"):
            described = query(f"DESCRIBE TABLE {table}", {})
        return dict(zip(described["name"].to_pylist(), described["type"].to_pylist(), strict=True))

    def _key(self, column: Column) -> str | None:
        self._type = _plain(column.type)
        found = [forms for pattern, forms in KEYS if re.fullmatch(pattern, self._type)]
        if not found:
            return None
        self._forms, self._kind = found[0], found[0].kinds
        if moment := MOMENT.fullmatch(self._type):
            self._type = "DateTime('UTC')" if moment[1] is None else f"DateTime64({moment[1]}, 'UTC')"
        return self._forms.compared.format(column.quoted)

    def _rows(self, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        found = self._found(statement, parameters)
        with self.errors():  # a text need not be UTF-8
            return list(zip(*(column.to_pylist() for column in found.columns), strict=True))

    def _vectors(self, clauses: str, parameters: Mapping[str, Any]) -> VectorBatch:
        c = self.columns
        statement = (
            f"SELECT {self._shown(self.key)} AS lr_id, CAST({c.vector.quoted}, 'Array(Float32)') AS lr_vector "
            f"FROM {c.table} {clauses}"
        )
        return self._batch(self._found(statement, parameters))

    def _shown(self, key: str) -> str:
        return self._forms.shown.format(key)

    def _ids(self, shown: Iterable[Any]) -> tuple[DocumentId, ...]:
        return super()._ids(map(self._forms.read, shown))

    def _answering(self, statement: str) -> str:
        shown = self._shown("lr_answer.id")
        order = "lr_answer.score DESC, toString(lr_answer.id)"
        return f"SELECT {shown} AS lr_id FROM (\n{statement}\n) AS lr_answer\nORDER BY {order}"

    def _found(self, statement: str, parameters: Mapping[str, Any]) -> Any:
        with self.errors():
            return _query(self.connection)(statement, parameters)

    def _present(self) -> Where:
        return Where(f"notEmpty({self.columns.vector.quoted})")

    def _cosine(self, parameter: str) -> str:
        distance = f"cosineDistance({self.columns.vector.quoted}, {{{parameter}:Array(Float32)}})"
        return f"if(isFinite({distance}), 1 - {distance}, 0)"

    def _as_text(self, column: Column) -> str:
        # Of a column of few values, toString would give such a column again, which Arrow holds in another way.
        kind = "Nullable(String)" if "Nullable(" in column.type else "String"
        return f"CAST({column.quoted}, '{kind}')"

    def _as_value(self, column: Column) -> str:
        return f"toJSONString({column.quoted})"

    def _read(self, column: Column, value: Any) -> Any:
        found = None if value is None else json.loads(value)
        # An older server writes integers of 64 bits as texts.
        return int(found) if isinstance(found, str) and INTEGER.fullmatch(_plain(column.type)) else found

    def _hashed(self, seed: int) -> str:
        return f"sipHash64({self._as_text(self.columns.id)}, {seed})"

    def _among(self, ids: Sequence[DocumentId]) -> Where:
        value = self._typed("arrayJoin({lr_ids:Array(String)})")
        return Where(f"{self.key} IN (SELECT {value})", {"lr_ids": list(map(self._forms.written, ids))})

    def _after(self, id: DocumentId) -> Where:
        return Where(f"{self.key} > {self._typed('{lr_last:String}')}", {"lr_last": self._forms.written(id)})

    def _typed(self, text: str) -> str:
        """SQL of a bound text as a value that identities are compared with."""
        return self._forms.typed.format(text, type=_literal(self._type))

    def _equal(self, column: Column, value: Any, parameter: str) -> Where:
        if value is None:
            return Where(f"{column.quoted} IS NULL")
        return Where(f"{column.quoted} = {{{parameter}:{_plain(column.type)}}}", {parameter: value})


def _from_hex(shown: str) -> str | bytes:
    found = bytes.fromhex(shown)
    try:
        return found.decode()
    except UnicodeDecodeError:
        return found


def _to_hex(key: str | bytes) -> str:
    return (key.encode(errors="surrogatepass") if isinstance(key, str) else key).hex()


def _moment(shown: str) -> datetime:
    moment, _, fraction = shown.partition(".")
    return datetime.fromisoformat(f"{moment}.{fraction:0<6}+00:00")


def _in_utc(key: datetime) -> str:
    return key.astimezone(timezone.utc).replace(tzinfo=None).isoformat(" ")


@dataclass(frozen=True)
class _Forms:
    """Identities of one type of column, as texts that lose nothing.

    Attributes:
        kinds: Types of Python that they have.
        read: From the text that is read.
        written: To the text that is bound.
        shown: SQL of the text that is read; ``{}`` is the identity.
        typed: SQL of what identities are compared with; ``{}`` is the text that is bound.
        compared: SQL of the identity as it is compared and ordered; ``{}`` is the column.
    """

    kinds: tuple[type, ...]
    read: Callable[[str], DocumentId]
    written: Callable[[Any], str]
    shown: str = "CAST({} AS String)"
    typed: str = "accurateCastOrNull({}, {type})"
    compared: str = "{}"


UTC = "CAST(toTimeZone({}, 'UTC') AS String)"
KEYS: tuple[tuple[str, _Forms], ...] = (
    # Any bytes: in hexadecimal digits, nothing of them is read as an escape or has to be UTF-8.
    (r"String|FixedString\(\d+\)", _Forms((str, bytes), _from_hex, _to_hex, "hex(CAST({} AS String))", "unhex({})")),
    (r"U?Int\d+", _Forms((int,), int, str)),
    # By its bits: the engine may round a number that it reads from digits.
    (
        r"Float\d\d",
        _Forms(
            (float,),
            float,
            lambda key: struct.pack("<d", key).hex(),
            "CAST(toFloat64({}) AS String)",
            "reinterpretAsFloat64(unhex({}))",
        ),
    ),
    (r"Decimal\(.*\)", _Forms((Decimal,), Decimal, "{:f}".format)),
    (r"UUID", _Forms((UUID,), UUID, str)),
    (r"Date(32)?", _Forms((date,), date.fromisoformat, str)),
    (r"DateTime(\(.*\)|64\([0-6]\b.*\))?", _Forms((datetime,), _moment, _in_utc, UTC)),
    # No type of Python holds these without loss.
    (r"DateTime64\(.*\)", _Forms((str,), str, str, shown="{}", typed="{}", compared=UTC)),
    (
        r"Bool|BFloat16|Enum\d+\(.*\)|IPv[46]|Time(64\(\d\))?",
        _Forms((str,), str, str, shown="{}", typed="{}", compared="CAST({} AS String)"),
    ),
)
"""Types of identities, each with its forms."""


def _query(connection: Any) -> Query:
    """The way to ask a kind of connection, told by its methods."""
    if callable(raw := getattr(connection, "raw_query", None)):  # clickhouse-connect: binds by itself

        def ask(statement: str, parameters: Mapping[str, Any]) -> Any:
            return _arrow(raw(statement, parameters=dict(parameters), fmt="Arrow"))

        return ask
    if type(connection).__module__.partition(".")[0] == "chdb" and callable(getattr(connection, "query", None)):
        if type(connection).__module__.startswith("chdb.dbapi"):
            raise InvalidArgumentError(
                "A DB-API connection of chdb binds no parameters on the engine's side.",
                hint="Pass chdb.connect(...) or chdb.session.Session(...) to the same path.",
            )

        def embedded(statement: str, parameters: Mapping[str, Any]) -> Any:
            bound = {name: _bound(value) for name, value in parameters.items()}
            with _EMBEDDED:
                try:
                    answer = connection.query(statement, "Arrow", params=bound).bytes()
                except Exception:
                    # chdb begins the next answer with what a failed statement wrote until then: this one takes it.
                    with suppress(Exception):
                        connection.query("SELECT 1", "Arrow")
                    raise
                try:
                    return _arrow(answer)
                except (OSError, ValueError):  # the caller's own statement may have failed before
                    return _arrow(connection.query(statement, "Arrow", params=bound).bytes())

        return embedded
    raise InvalidArgumentError(
        f"A connection to ClickHouse is needed, got {type(connection).__name__}.",
        hint="Pass chdb.connect(...), chdb.session.Session(...) or clickhouse_connect.get_client(...).",
    )


_ESCAPES = str.maketrans(
    {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0", "\b": "\\b", "\f": "\\f", "'": "\\'"}
)


def _bound(value: Any) -> str:
    """A parameter's value as ClickHouse reads it: tab-separated text, and literals inside an array."""
    if isinstance(value, str):
        return value.translate(_ESCAPES)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(_literal(v) if isinstance(v, str) else _bound(v) for v in value)}]"
    return str(value)


def _arrow(answer: bytes) -> Any:
    install = 'pip install "logical-retriever[clickhouse]"'
    return require("pyarrow.ipc", "A table of ClickHouse", install=install).open_file(answer).read_all()


def _plain(kind: str) -> str:
    """A type without Nullable and LowCardinality around it."""
    while wrapped := WRAPPED.fullmatch(kind):
        kind = wrapped[1]
    return kind


def _literal(text: str) -> str:
    return "'" + text.translate(_ESCAPES) + "'"

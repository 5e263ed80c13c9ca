"""Clients of ClickHouse: chdb, which embeds it in this process, and clickhouse-connect."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from logical_retriever.errors import require
from logical_retriever.stores.sql.dialect import Run, read_arrow

EMBEDDED = threading.Lock()
"""A process has one embedded engine, whose connections mix the parameters of statements that run at once."""
ESCAPES = {"\\": "\\\\", "'": "\\'", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0", "\b": "\\b", "\f": "\\f"}


def connect(connection: Any) -> Run | None:
    """Over ``chdb.connect()``, a ``chdb.session.Session``, or ``clickhouse_connect.get_client()``, which binds."""
    raw, query = getattr(connection, "raw_query", None), getattr(connection, "query", None)
    module = type(connection).__module__
    # A DB-API connection of chdb binds no parameters on the engine's side.
    if raw is None and (query is None or not module.startswith("chdb") or module.startswith("chdb.dbapi")):
        return None

    def run(statement: str, parameters: Mapping[str, Any], nearest: int = 0) -> Mapping[str, Any]:  # noqa: ARG001
        if raw is not None:
            return read(raw(statement, parameters=dict(parameters), fmt="Arrow"))
        texts = {name: bound(value) for name, value in parameters.items()}
        with EMBEDDED:
            # chdb begins an answer with what a statement that failed before had written until then: this one takes it.
            connection.query("SELECT 1", "Arrow")
            return read(connection.query(statement, "Arrow", params=texts).bytes())

    return run


def read(answer: bytes) -> Mapping[str, Any]:
    """Columns of an answer."""
    ipc = require("pyarrow.ipc", "A table of ClickHouse", install='pip install "logical-retriever[clickhouse]"')
    return read_arrow(ipc.open_file(answer).read_all())


def bound(value: Any) -> str:
    """A value as ClickHouse reads parameters: tab-separated text, and literals inside an array."""
    if isinstance(value, list):
        return "[" + ",".join(f"'{bound(element)}'" for element in value) + "]"
    return "".join(ESCAPES.get(c, c) for c in str(value))

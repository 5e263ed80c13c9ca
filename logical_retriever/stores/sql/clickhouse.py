"""ClickHouse: a table or view whose vectors are an ``Array(Float32)``, in this process (chdb) or on a server."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from logical_retriever.errors import require
from logical_retriever.stores.sql.dialect import Dialect, Run, read_arrow

EMBEDDED = threading.Lock()
"""A process has one embedded engine. Its connections mix up the parameters of statements that run at once."""
ESCAPES = {"\\": "\\\\", "'": "\\'", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0", "\b": "\\b", "\f": "\\f"}


def connect(connection: Any) -> Run | None:
    """Run statements through ``chdb.connect()``, a ``chdb.session.Session`` or ``clickhouse_connect.get_client()``.

    Returns:
        None for an object of another kind.
    """
    raw, query = getattr(connection, "raw_query", None), getattr(connection, "query", None)
    module = type(connection).__module__
    # A DB-API connection of chdb cannot bind parameters in the engine.
    if raw is None and (query is None or not module.startswith("chdb") or module.startswith("chdb.dbapi")):
        return None

    def run(statement: str, parameters: Mapping[str, Any], nearest: int = 0) -> Mapping[str, Any]:  # noqa: ARG001
        if raw is not None:
            return read(raw(statement, parameters=dict(parameters), fmt="Arrow"))
        texts = {name: bound(value) for name, value in parameters.items()}
        with EMBEDDED:
            # chdb puts what a failed statement had written in front of the next answer: this statement takes it.
            connection.query("SELECT 1", "Arrow")
            return read(connection.query(statement, "Arrow", params=texts).bytes())

    return run


def read(answer: bytes) -> Mapping[str, Any]:
    """Read the columns of an answer."""
    ipc = require("pyarrow.ipc", "A table of ClickHouse", install='pip install "logical-retriever[clickhouse]"')
    return read_arrow(ipc.open_file(answer).read_all())


def bound(value: Any) -> str:
    """Format a parameter for ClickHouse: tab-separated text, with literals inside an array."""
    if isinstance(value, list):
        return "[" + ",".join(f"'{bound(element)}'" for element in value) + "]"
    return "".join(ESCAPES.get(c, c) for c in str(value))


CLICKHOUSE = Dialect(
    name="ClickHouse",
    connect=connect,
    describe="DESCRIBE TABLE {table}",
    quote={"": "`", "\\": "\\\\", "`": "\\`"},
    parameter="{{{name}:{type}}}",
    types={"text": "String", "whole": "Int64", "real": "Float64", "truth": "Bool"},
    # Metadata are read as JSON, where dates are texts.
    kinds={"String": "text", r"U?Int\d+": "whole", "Float64": "real", "Bool": "truth"},
    ids={"String": "text", r"U?Int\d+": "whole", "UUID": "uuid"},
    vectors=r"Array\((Float32|Float64)\)",
    vector_hint="Where it holds numbers: ALTER TABLE {table} MODIFY COLUMN {column} Array(Float32).",
    vector="{{{name}:Array(Float32)}}",
    # All terms share the length of the column: cosineDistance would take six times as long, reading aside.
    cosine="greatest(-1., least(1., ifNotFinite(dotProduct({column}, {vector}) / L2Norm({column}), 0)))",
    among="{id} IN (SELECT accurateCastOrNull(arrayJoin({{lr_ids:Array(String)}}), '{type}'))",
    has="has({list}, {value})",
    present="notEmpty({})",
    read_vector="CAST({}, 'Array(Float32)')",
    as_text="toString({})",
    array=r"Array\((.*)\)",
    json=".*",
    as_json="toJSONString({})",
    wrapper=r"(?:Nullable|LowCardinality)\((.*)\)",
    threads=False,
)
"""Spellings of ClickHouse."""

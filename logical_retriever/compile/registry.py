"""Every compiler by the name of its engine; a compiler's module is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from logical_retriever.compile.sql import SqlCompiler, Table
from logical_retriever.errors import StoreCapabilityError

COMPILERS: dict[str, str] = {
    "pgvector": "logical_retriever.compile.pgvector:PgvectorCompiler",
    "DuckDB": "logical_retriever.compile.duckdb:DuckDBCompiler",
    "ClickHouse": "logical_retriever.compile.clickhouse:ClickHouseCompiler",
    "Spark SQL": "logical_retriever.compile.spark:SparkCompiler",
}
"""Name of an engine, as in :attr:`SqlCompiler.engine`, to module and class of its compiler."""


def compiler_class(engine: str) -> type[SqlCompiler]:
    """Compiler of an engine.

    Raises:
        StoreCapabilityError: There is none.
    """
    if engine not in COMPILERS:
        raise StoreCapabilityError(
            f"There is no compiler for the engine {engine!r}.",
            hint=f"Name one of {', '.join(COMPILERS)}, or give an SqlCompiler.",
        )
    module, _, name = COMPILERS[engine].partition(":")
    found: type[SqlCompiler] = getattr(importlib.import_module(module), name)
    return found


def get_compiler(engine: str | SqlCompiler, arguments: Mapping[str, Any]) -> SqlCompiler:
    """A compiler for one store's documents, of keyword arguments, ``table`` as those of :class:`Table`.

    One that is made already is returned as it is.

    Raises:
        StoreCapabilityError: There is no compiler for the engine.
    """
    if isinstance(engine, SqlCompiler):
        return engine
    table = {"table": Table(**arguments["table"])} if "table" in arguments else {}
    return compiler_class(engine)(**{**arguments, **table})

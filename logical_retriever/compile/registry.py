"""Every compiler by the name of its engine; a compiler's module is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from logical_retriever.compile.base import Compiler
from logical_retriever.compile.sql import Table
from logical_retriever.errors import StoreCapabilityError

COMPILERS: dict[str, str] = {
    "pgvector": "logical_retriever.compile.pgvector:PgvectorCompiler",
    "DuckDB": "logical_retriever.compile.duckdb:DuckDBCompiler",
    "ClickHouse": "logical_retriever.compile.clickhouse:ClickHouseCompiler",
    "Qdrant": "logical_retriever.compile.qdrant:QdrantCompiler",
    "Elasticsearch": "logical_retriever.compile.elasticsearch:ElasticsearchCompiler",
    "OpenSearch": "logical_retriever.compile.opensearch:OpenSearchCompiler",
    "seekdb": "logical_retriever.compile.seekdb:SeekdbCompiler",
    "SQLite": "logical_retriever.compile.sqlite:SQLiteCompiler",
    "Spark SQL": "logical_retriever.compile.spark:SparkCompiler",
    "NumPy on Spark": "logical_retriever.compile.program:ProgramCompiler",
}
"""Name of an engine, as in :attr:`Compiler.engine`, to module and class of its compiler."""


def compiler_class(engine: str) -> type[Compiler[Any, Any]]:
    """Compiler of an engine.

    Raises:
        StoreCapabilityError: There is none.
    """
    if engine not in COMPILERS:
        raise StoreCapabilityError(
            f"There is no compiler for the engine {engine!r}.",
            hint=f"Name one of {', '.join(COMPILERS)}, or give a Compiler.",
        )
    module, _, name = COMPILERS[engine].partition(":")
    found: type[Compiler[Any, Any]] = getattr(importlib.import_module(module), name)
    return found


def get_compiler(engine: str | Compiler[Any, Any], arguments: Mapping[str, Any]) -> Compiler[Any, Any]:
    """A compiler for one store's documents, of keyword arguments, ``table`` as those of :class:`Table`.

    One that is made already is returned as it is.

    Raises:
        StoreCapabilityError: There is no compiler for the engine.
    """
    if isinstance(engine, Compiler):
        return engine
    table = {"table": Table(**arguments["table"])} if "table" in arguments else {}
    return compiler_class(engine)(**{**arguments, **table})

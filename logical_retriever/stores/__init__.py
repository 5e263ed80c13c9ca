"""Stores of documents: the protocol, the reference store in memory, and tables and collections of engines."""

from logical_retriever.stores.base import (
    AtBest,
    Batch,
    Capabilities,
    Filter,
    PushdownAnswer,
    PushdownStore,
    PushdownTarget,
    Store,
    StoredDocument,
    VectorBatch,
    WordQuery,
    WordStore,
)
from logical_retriever.stores.chroma import ChromaFilter, ChromaStore
from logical_retriever.stores.clickhouse import ClickHouseStore
from logical_retriever.stores.duckdb import DuckDBStore
from logical_retriever.stores.in_memory import InMemoryStore
from logical_retriever.stores.sql_columns import SqlFilter

__all__ = [
    "AtBest",
    "Batch",
    "Capabilities",
    "ChromaFilter",
    "ChromaStore",
    "ClickHouseStore",
    "DuckDBStore",
    "Filter",
    "InMemoryStore",
    "PushdownAnswer",
    "PushdownStore",
    "PushdownTarget",
    "SqlFilter",
    "Store",
    "StoredDocument",
    "VectorBatch",
    "WordQuery",
    "WordStore",
]

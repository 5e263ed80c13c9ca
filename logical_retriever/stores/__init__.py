"""Stores of documents: the protocol, the reference store in memory, and tables and collections of engines."""

from logical_retriever.stores.base import (
    ALL_OPERATORS as ALL_OPERATORS,
    PUSHED_OPERATORS as PUSHED_OPERATORS,
    AtBest as AtBest,
    Batch as Batch,
    Capabilities as Capabilities,
    Filter as Filter,
    NarrowingStore as NarrowingStore,
    PushdownAnswer as PushdownAnswer,
    PushdownStore as PushdownStore,
    PushdownTarget as PushdownTarget,
    Store as Store,
    StoredDocument as StoredDocument,
    SupersetStore as SupersetStore,
    VectorBatch as VectorBatch,
    WordQuery as WordQuery,
    WordStore as WordStore,
)
from logical_retriever.stores.chroma import ChromaFilter as ChromaFilter, ChromaStore as ChromaStore
from logical_retriever.stores.clickhouse import ClickHouseStore as ClickHouseStore
from logical_retriever.stores.discovery import discover_fields as discover_fields
from logical_retriever.stores.duckdb import DuckDBStore as DuckDBStore
from logical_retriever.stores.in_memory import InMemoryStore as InMemoryStore
from logical_retriever.stores.spark import SparkStore as SparkStore
from logical_retriever.stores.sql_columns import SqlFilter as SqlFilter
from logical_retriever.stores.words_beside import WordsBeside as WordsBeside

"""Stores of documents: the protocol, the reference store in memory, and tables and collections of engines."""

from logical_retriever.stores.base import (
    AtBest as AtBest,
    Batch as Batch,
    Capabilities as Capabilities,
    Filter as Filter,
    NarrowingStore as NarrowingStore,
    Program as Program,
    PushdownAnswer as PushdownAnswer,
    PushdownStore as PushdownStore,
    Store as Store,
    StoredDocument as StoredDocument,
    VectorBatch as VectorBatch,
    WordQuery as WordQuery,
    WordStore as WordStore,
)
from logical_retriever.stores.chroma import ChromaFilter as ChromaFilter, ChromaStore as ChromaStore
from logical_retriever.stores.discovery import discover_fields as discover_fields
from logical_retriever.stores.in_memory import InMemoryStore as InMemoryStore
from logical_retriever.stores.sql import SqlFilter as SqlFilter, SqlStore as SqlStore

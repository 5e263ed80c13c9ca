"""Stores of documents: the contract, the reference store in memory, and tables and collections of engines."""

from logical_retriever.stores.base import (
    Batch as Batch,
    Capabilities as Capabilities,
    ConditionStore as ConditionStore,
    EngineRanking as EngineRanking,
    Filter as Filter,
    ScoreExpression as ScoreExpression,
    ScoringStore as ScoringStore,
    Store as Store,
    StoredDocument as StoredDocument,
    VectorBatch as VectorBatch,
    WordQuery as WordQuery,
    WordStore as WordStore,
    capabilities_property as capabilities_property,
)
from logical_retriever.stores.chroma import ChromaFilter as ChromaFilter, ChromaStore as ChromaStore
from logical_retriever.stores.discovery import discover_fields as discover_fields
from logical_retriever.stores.in_memory import InMemoryStore as InMemoryStore
from logical_retriever.stores.sql import SqlFilter as SqlFilter, SqlStore as SqlStore

"""What is asked of a store of documents, and the reference store in memory."""

from logical_retriever.stores.base import Batch, Capabilities, Filter, Store, StoredDocument, VectorBatch
from logical_retriever.stores.chroma import ChromaFilter, ChromaStore
from logical_retriever.stores.in_memory import InMemoryStore

__all__ = [
    "Batch",
    "Capabilities",
    "ChromaFilter",
    "ChromaStore",
    "Filter",
    "InMemoryStore",
    "Store",
    "StoredDocument",
    "VectorBatch",
]

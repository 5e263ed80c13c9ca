"""LangChain vector stores as stores of the core: one adapter a file, found by class name."""

from langchain_logical_retriever.stores._common import read_filter
from langchain_logical_retriever.stores.registry import as_store, known_stores, register_adapter

__all__ = ["as_store", "known_stores", "read_filter", "register_adapter"]

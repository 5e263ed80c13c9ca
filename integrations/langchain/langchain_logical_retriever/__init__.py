"""Negation-aware, logical retrieval for LangChain vector stores."""

from langchain_logical_retriever.compressor import LogicalCompressor
from langchain_logical_retriever.retriever import LogicalRetriever
from langchain_logical_retriever.stores.registry import register_adapter
from langchain_logical_retriever.tools import create_logical_search_tool
from langchain_logical_retriever.transformer import LogicalQueryTransformer

__version__ = "0.1.0"

__all__ = [
    "LogicalCompressor",
    "LogicalQueryTransformer",
    "LogicalRetriever",
    "create_logical_search_tool",
    "register_adapter",
]

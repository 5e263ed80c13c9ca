"""Negation-aware, logical retrieval for LangChain vector stores."""

from langchain_logical_retriever.chat_model import ChatVerifier, LangChainChatModel
from langchain_logical_retriever.compressor import LogicalCompressor
from langchain_logical_retriever.embedder import LangChainEmbedder
from langchain_logical_retriever.retriever import LogicalRetriever
from langchain_logical_retriever.stores.registry import register_adapter
from langchain_logical_retriever.tools import create_describe_fields_tool, create_logical_search_tool
from langchain_logical_retriever.transformer import LogicalQueryTransformer, QuestionReader

__version__ = "0.1.0"

__all__ = [
    "ChatVerifier",
    "LangChainChatModel",
    "LangChainEmbedder",
    "LogicalCompressor",
    "LogicalQueryTransformer",
    "LogicalRetriever",
    "QuestionReader",
    "create_describe_fields_tool",
    "create_logical_search_tool",
    "register_adapter",
]

"""Negation-aware, logical retrieval for LlamaIndex vector stores."""

from llama_index.retrievers.logical.chat_model import ChatVerifier, LlamaIndexChatModel
from llama_index.retrievers.logical.embedder import LlamaIndexEmbedder
from llama_index.retrievers.logical.events import LogicalQueryEvent, LogicalSearchEvent
from llama_index.retrievers.logical.rerank import LogicalRerank
from llama_index.retrievers.logical.retriever import LogicalRetriever
from llama_index.retrievers.logical.stores.registry import register_adapter
from llama_index.retrievers.logical.tool import create_describe_fields_tool, create_logical_search_tool
from llama_index.retrievers.logical.transformer import LogicalQueryBundle, LogicalQueryTransformer, QuestionReader

__version__ = "0.1.0"

__all__ = [
    "ChatVerifier",
    "LlamaIndexChatModel",
    "LlamaIndexEmbedder",
    "LogicalQueryBundle",
    "LogicalQueryEvent",
    "LogicalQueryTransformer",
    "LogicalRerank",
    "LogicalRetriever",
    "LogicalSearchEvent",
    "QuestionReader",
    "create_describe_fields_tool",
    "create_logical_search_tool",
    "register_adapter",
]

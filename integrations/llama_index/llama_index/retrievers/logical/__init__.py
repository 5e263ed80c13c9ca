"""Negation-aware, logical retrieval for LlamaIndex vector stores."""

from llama_index.retrievers.logical._question import LogicalQueryBundle
from llama_index.retrievers.logical.chat_model import ChatVerifier, LlamaIndexChatModel
from llama_index.retrievers.logical.embedder import LlamaIndexEmbedder
from llama_index.retrievers.logical.events import LogicalQueryEvent
from llama_index.retrievers.logical.postprocessor import LogicalPostprocessor
from llama_index.retrievers.logical.retriever import LogicalRetriever
from llama_index.retrievers.logical.stores.registry import register_adapter
from llama_index.retrievers.logical.tool import create_logical_search_tool
from llama_index.retrievers.logical.transformer import LogicalQueryTransformer, QuestionReader

__version__ = "0.1.0"

__all__ = [
    "ChatVerifier",
    "LlamaIndexChatModel",
    "LlamaIndexEmbedder",
    "LogicalPostprocessor",
    "LogicalQueryBundle",
    "LogicalQueryEvent",
    "LogicalQueryTransformer",
    "LogicalRetriever",
    "QuestionReader",
    "create_logical_search_tool",
    "register_adapter",
]

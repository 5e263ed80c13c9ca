"""Question to logical query: a language model, cue rules, or recorded forms."""

from logical_retriever.transform.base import (
    AsyncChatModel,
    ChatModel,
    Message,
    QueryTransformer,
    Transformation,
    TransformWarning,
)
from logical_retriever.transform.cache import QueryCache
from logical_retriever.transform.cue import CueQueryTransformer
from logical_retriever.transform.llm import LogicalQueryTransformer
from logical_retriever.transform.prompt import PROMPT_NAMES, Prompt, load_prompt
from logical_retriever.transform.recorded import RecordedQueryTransformer

__all__ = [
    "PROMPT_NAMES",
    "AsyncChatModel",
    "ChatModel",
    "CueQueryTransformer",
    "LogicalQueryTransformer",
    "Message",
    "Prompt",
    "QueryCache",
    "QueryTransformer",
    "RecordedQueryTransformer",
    "TransformWarning",
    "Transformation",
    "load_prompt",
]

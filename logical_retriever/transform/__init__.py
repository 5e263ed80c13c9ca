"""Question to logical query: typed logic, cue rules and a language model in one reader, or each alone."""

from __future__ import annotations

from collections.abc import Callable

from logical_retriever.plugins import make_named
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
from logical_retriever.transform.reader import QuestionReader, ReadBy
from logical_retriever.transform.recorded import RecordedQueryTransformer

TRANSFORMERS: dict[str, Callable[[], QueryTransformer]] = {"auto": QuestionReader, "cue": CueQueryTransformer}
"""Every transformer of this package that needs nothing to be made, by name."""


def get_transformer(transformer: str | QueryTransformer = "auto") -> QueryTransformer:
    """Look a transformer up by name, here and among those of other packages; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No transformer has this name.
        PluginError: Another package's, and it cannot be imported or is none.
    """
    if isinstance(transformer, QueryTransformer) and not isinstance(transformer, type):
        return transformer
    made: QueryTransformer = make_named(
        "logical_retriever.transformers", transformer, TRANSFORMERS, QueryTransformer, "transformer"
    )
    return made


__all__ = [
    "PROMPT_NAMES",
    "TRANSFORMERS",
    "AsyncChatModel",
    "ChatModel",
    "CueQueryTransformer",
    "LogicalQueryTransformer",
    "Message",
    "Prompt",
    "QueryCache",
    "QueryTransformer",
    "QuestionReader",
    "ReadBy",
    "RecordedQueryTransformer",
    "TransformWarning",
    "Transformation",
    "get_transformer",
    "load_prompt",
]

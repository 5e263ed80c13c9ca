"""Question to logical query: typed logic, cue rules and a language model in one reader, or each alone."""

from __future__ import annotations

from collections.abc import Callable

from logical_retriever.naming import make_named
from logical_retriever.transform.base import (
    AsyncChatModel as AsyncChatModel,
    ChatModel as ChatModel,
    Message as Message,
    NamedChatModel as NamedChatModel,
    QueryTransformer as QueryTransformer,
    Transformation as Transformation,
    TransformWarning as TransformWarning,
)
from logical_retriever.transform.cue import CueQueryTransformer as CueQueryTransformer
from logical_retriever.transform.llm import LogicalQueryTransformer as LogicalQueryTransformer
from logical_retriever.transform.prompt import (
    PROMPT_NAMES as PROMPT_NAMES,
    Prompt as Prompt,
    load_prompt as load_prompt,
)
from logical_retriever.transform.reader import QuestionReader as QuestionReader, ReadBy as ReadBy
from logical_retriever.transform.recorded import RecordedQueryTransformer as RecordedQueryTransformer

TRANSFORMERS: dict[str, Callable[[], QueryTransformer]] = {"auto": QuestionReader, "cue": CueQueryTransformer}
"""Every transformer of this package that needs nothing to be made, by name."""


def get_transformer(transformer: str | QueryTransformer = "auto") -> QueryTransformer:
    """Look a transformer up by name; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No transformer has this name.
    """
    if isinstance(transformer, QueryTransformer) and not isinstance(transformer, type):
        return transformer
    made: QueryTransformer = make_named(transformer, TRANSFORMERS, "transformer")
    return made

"""Question to logical query: typed logic, the tagger and a language model in one reader."""

from __future__ import annotations

from logical_retriever.transform.base import (
    ChatModel as ChatModel,
    Message as Message,
    QueryTransformer as QueryTransformer,
    Transformation as Transformation,
    TransformWarning as TransformWarning,
)
from logical_retriever.transform.chat_models import chat_model_from_name as chat_model_from_name
from logical_retriever.transform.llm import LogicalQueryTransformer as LogicalQueryTransformer
from logical_retriever.transform.prompt import PROMPT_NAMES as PROMPT_NAMES, load_prompt as load_prompt
from logical_retriever.transform.reader import QuestionReader as QuestionReader
from logical_retriever.transform.recorded import RecordedQueryTransformer as RecordedQueryTransformer

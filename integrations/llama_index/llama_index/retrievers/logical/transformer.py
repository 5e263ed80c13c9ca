"""The core's transformers over LlamaIndex' LLMs, as query transforms with their prompt."""

from __future__ import annotations

from typing import Any, cast

from llama_index.core.indices.query.query_transform.base import BaseQueryTransform
from llama_index.core.llms import LLM
from llama_index.core.prompts import PromptTemplate
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.schema import QueryBundle

from llama_index.retrievers.logical._convert import from_messages
from llama_index.retrievers.logical._question import History, LogicalQueryBundle, question_of
from llama_index.retrievers.logical.chat_model import LlamaIndexChatModel
from logical_retriever.adapters import (
    InvalidArgumentError,
    LogicalQueryTransformer as CoreTransformer,
    QueryTransformer,
    QuestionReader as CoreReader,
    ReadQuestion,
    check_transformer,
    load_prompt,
)

PROMPT_KEY = "logical_query_prompt"
"""Key of the prompt in ``get_prompts()``; below a retriever, ``transformer:logical_query_prompt``."""
_SLOT = "{question}"


class _QueryTransform(BaseQueryTransform):
    """A reader of questions as a query transform."""

    def _run(self, query_bundle: QueryBundle, metadata: dict[str, Any]) -> LogicalQueryBundle:
        """Read the question; after a conversation, the bundle's text is the question in words that stand alone."""
        reader: Any = self
        read: ReadQuestion = reader.transform(question_of(query_bundle), history=metadata.get("history", ()))
        text = query_bundle.query_str if read.standalone is None else read.standalone
        return LogicalQueryBundle(query_str=text, read=read)


class LogicalQueryTransformer(CoreTransformer, _QueryTransform):
    """A transformer from a question to a logical query, which asks an LLM.

    As a query transform (``TransformRetriever``, ``TransformQueryEngine``) it returns a :class:`LogicalQueryBundle`; a
    conversation is given by ``run(question, metadata={"history": messages})``. ``get_prompts()`` shows the prompt under
    "logical_query_prompt"; ``update_prompts`` changes it.

    Args:
        llm: Any LlamaIndex LLM. One that calls functions fills a form instead of writing a query.
        prompt: As for :class:`logical_retriever.LogicalQueryTransformer`, or a ``PromptTemplate`` with ``{question}``.
        **arguments: Those of :class:`logical_retriever.LogicalQueryTransformer`: ``on_failure``,
            ``cache`` and ``fields``.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    def __init__(self, llm: LLM, *, prompt: str | PromptTemplate = "default", **arguments: Any) -> None:
        super().__init__(LlamaIndexChatModel(llm), prompt=_as_prompt(prompt), **arguments)

    def transform(self, question: str, *, history: History = ()) -> ReadQuestion:
        """Turn one question into a logical query, as the core's transformer does; also with LlamaIndex' messages."""
        return super().transform(question, history=from_messages(history))

    async def atransform(self, question: str, *, history: History = ()) -> ReadQuestion:
        """Asynchronous twin of :meth:`transform`, by the LLM's own ``achat``."""
        return await super().atransform(question, history=from_messages(history))

    def _get_prompts(self) -> PromptDictType:
        system = f"[system]\n{self.prompt.system}\n[user]\n" if self.prompt.system else ""
        return {PROMPT_KEY: PromptTemplate(f"{system}{self.prompt.user}")}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        if PROMPT_KEY in prompts:
            self.prompt = load_prompt(_as_prompt(prompts[PROMPT_KEY]))


class QuestionReader(CoreReader, _QueryTransform):
    """A reader that uses the cheapest reading that is sure, and asks an LLM only if none is.

    See :class:`logical_retriever.QuestionReader`; this one is also a query transform, as
    :class:`LogicalQueryTransformer` is.

    Args:
        llm: Any LlamaIndex LLM, or a :class:`LogicalQueryTransformer` with settings of its own; None for no LLM.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, or LlamaIndex' ``VectorStoreInfo``.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    def __init__(self, llm: LLM | LogicalQueryTransformer | None = None, *, fields: Any = None) -> None:
        if llm is not None and not isinstance(llm, LogicalQueryTransformer):
            llm, fields = LogicalQueryTransformer(llm, fields=fields), None
        super().__init__(llm, fields=fields)
        self._prompts = llm

    def transform(self, question: str, *, history: History = ()) -> ReadQuestion:
        """Read one question, as the core's reader does; also with LlamaIndex' messages."""
        return super().transform(question, history=from_messages(history))

    async def atransform(self, question: str, *, history: History = ()) -> ReadQuestion:
        """Asynchronous twin of :meth:`transform`."""
        return await super().atransform(question, history=from_messages(history))

    def _get_prompts(self) -> PromptDictType:
        return {} if self._prompts is None else self._prompts.get_prompts()

    def _update_prompts(self, prompts: PromptDictType) -> None:
        if self._prompts is not None:
            self._prompts.update_prompts(prompts)


def _as_prompt(prompt: object) -> str:
    """Fill in a template's variables except the question, which the core fills in and marks as data."""
    if isinstance(prompt, PromptTemplate):
        return prompt.format(question=_SLOT, query_str=_SLOT)
    if isinstance(prompt, str):
        return prompt
    raise InvalidArgumentError(
        f"{PROMPT_KEY} is {type(prompt).__name__}, which cannot be used.",
        hint="Give a PromptTemplate with {question} in it, or a text.",
    )


def as_transformer(llm: LLM | None, transformer: object, *, fields: Any = None) -> QueryTransformer:
    """Return the user's transformer, or a reader with the LLM, if any.

    Raises:
        InvalidArgumentError: Both are given, or the transformer lacks the methods of one.
    """
    check_transformer(
        llm,
        transformer,
        kinds="a QueryTransformer",
        hint="Pass QuestionReader(llm), or an object with transform and atransform.",
    )
    return QuestionReader(llm, fields=fields) if transformer is None else cast("QueryTransformer", transformer)

"""Question to logical query, with the prompt of its LLM where LlamaIndex looks for prompts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from llama_index.core.indices.query.query_transform.base import BaseQueryTransform
from llama_index.core.llms import LLM, ChatMessage
from llama_index.core.prompts import BasePromptTemplate
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.schema import QueryBundle

from llama_index.retrievers.logical._convert import from_messages
from llama_index.retrievers.logical._question import question_of
from llama_index.retrievers.logical.chat_model import LlamaIndexChatModel
from llama_index.retrievers.logical.prompts import PROMPT_KEY, from_template, to_template
from logical_retriever.integration import (
    DEFAULT_CONCURRENCY,
    InvalidArgumentError,
    LogicalQuery,
    LogicalQueryTransformer as CoreTransformer,
    Message,
    Prompt,
    QueryTransformer,
    QuestionReader as CoreReader,
    Transformation,
)

History = Sequence[ChatMessage | Message]
"""Messages of a conversation, oldest first: LlamaIndex's, or mappings with role and content."""


@dataclass
class LogicalQueryBundle(QueryBundle):
    """A question with the logical query that was made of it.

    ``query_str`` is the question itself, so that everything else in a pipeline (a response synthesiser, another
    retriever) works as it did; after a conversation, it is the question in words that stand alone.
    :class:`LogicalRetriever` and :class:`LogicalRerank` take the query from here and do not make it a second time.

    Attributes:
        transformation: The question and its logical query.
    """

    transformation: Transformation | None = None


class _ReadsQuestions(BaseQueryTransform):
    """A query transform that asks the core's transformer."""

    @abstractmethod
    def _asking(self) -> CoreTransformer | CoreReader:
        """The core's transformer; another one where a prompt has been updated."""

    def transform(self, question: str, *, history: History = ()) -> Transformation:
        """Turn one question into a logical query.

        Args:
            question: Any text with a visible character.
            history: The messages of the conversation before it, oldest first; the LLM reads the question with them.

        Raises:
            EmptyQuestionError: The question has no visible character.
            TransformError: The LLM failed, and its ``on_failure`` is "raise".
        """
        return self._asking().transform(question, history=from_messages(history))

    async def atransform(self, question: str, *, history: History = ()) -> Transformation:
        """Asynchronous twin of :meth:`transform`, with the LLM's own ``achat``."""
        return await self._asking().atransform(question, history=from_messages(history))

    def batch(
        self, questions: Sequence[str], *, max_concurrency: int | None = DEFAULT_CONCURRENCY
    ) -> list[Transformation]:
        """Turn several questions into queries, in order; the LLM is asked once for identical questions."""
        return self._asking().batch(questions, max_concurrency=max_concurrency)

    async def abatch(
        self, questions: Sequence[str], *, max_concurrency: int | None = DEFAULT_CONCURRENCY
    ) -> list[Transformation]:
        """Asynchronous twin of :meth:`batch`."""
        return await self._asking().abatch(questions, max_concurrency=max_concurrency)

    def _run(self, query_bundle: QueryBundle, metadata: dict[str, Any]) -> LogicalQueryBundle:
        made = self.transform(question_of(query_bundle).question, history=metadata.get("history", ()))
        # After a conversation, the text is the question in words that stand alone.
        question = query_bundle.query_str if made.standalone is None else made.standalone
        return LogicalQueryBundle(query_str=question, transformation=made)


class LogicalQueryTransformer(_ReadsQuestions):
    """Turns a question into a logical query by asking an LLM.

    ``transform``, ``atransform``, ``batch`` and ``abatch`` return :class:`logical_retriever.Transformation`. As a query
    transform (``TransformRetriever``, ``TransformQueryEngine``) it returns a :class:`LogicalQueryBundle`; the messages
    of a conversation are ``run(question, metadata={"history": messages})``.

    ``get_prompts()`` shows what the LLM is told under "logical_query_prompt"; ``update_prompts`` changes it.

    Args:
        llm: Any LlamaIndex LLM. One that calls functions fills a form in place of writing a query.
        prompt: "default" (decides the scope of a negation), "itlr" (of the ITLR paper), a text that contains
            ``{question}`` once, a LlamaIndex prompt template, or a :class:`logical_retriever.transform.Prompt`.
        examples: Pairs of a question and its logical query, shown to the LLM as earlier turns. They are kept when the
            prompt is updated.
        max_repairs: How often an unreadable answer is sent back with the parser's message, at least 0.
        on_failure: "dense" warns and uses the plain question; "raise" raises.
        cache: How many questions are remembered; False or 0 for none.
        structured: Whether the LLM fills a form; None where it calls functions.
        timeout: Most seconds that a question may take, repairs included; None for the LLM's own bound.
        fields: Fields of metadata that conditions may name, which the LLM is shown: ``FieldInfo``, or LlamaIndex'
            ``VectorStoreInfo``; None for no conditions.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    def __init__(
        self,
        llm: LLM,
        *,
        prompt: str | Prompt | BasePromptTemplate = "default",
        examples: Sequence[tuple[str, str | LogicalQuery]] = (),
        max_repairs: int = 1,
        on_failure: Literal["dense", "raise"] = "dense",
        cache: bool | int = True,
        structured: bool | None = None,
        timeout: float | None = None,
        fields: Any = None,
    ) -> None:
        self._chat = LlamaIndexChatModel(llm)
        self._settings = {
            "max_repairs": max_repairs,
            "on_failure": on_failure,
            "cache": cache,
            "structured": structured,
            "timeout": timeout,
            "fields": fields,
        }
        chosen = from_template(prompt) if isinstance(prompt, BasePromptTemplate) else prompt
        self._core = CoreTransformer(self._chat, prompt=chosen, examples=tuple(examples), **self._settings)

    @property
    def llm(self) -> LLM:
        """The LLM that is asked."""
        return self._chat.llm

    @property
    def prompt(self) -> Prompt:
        """The prompt that the LLM is given, examples included."""
        return self._core.prompt

    def _asking(self) -> CoreTransformer:
        return self._core

    def _get_prompts(self) -> PromptDictType:
        return {PROMPT_KEY: to_template(self.prompt)}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        refuse_unknown_prompts(prompts, known=(PROMPT_KEY,))
        if PROMPT_KEY in prompts:
            prompt = from_template(prompts[PROMPT_KEY])
            self._core = CoreTransformer(self._chat, prompt=prompt, examples=self.prompt.examples, **self._settings)


class QuestionReader(_ReadsQuestions):
    """Reads a question by the cheapest reader that is sure, and asks an LLM only where none is.

    Logic that the user typed is taken as it is; the tagger, a small network inside the package, reads what it is sure
    of; the LLM is asked for the rest. An LLM that fails leaves the tagger's reading. See
    :class:`logical_retriever.QuestionReader`; this one is a query transform, with its prompt where
    :class:`LogicalQueryTransformer` has it.

    Args:
        llm: Any LlamaIndex LLM, or a :class:`LogicalQueryTransformer` with settings of its own; None for no LLM.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, or LlamaIndex' ``VectorStoreInfo``. An
            LLM is asked for every question that is no typed logic. A
            :class:`LogicalQueryTransformer` has its own.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    def __init__(self, llm: LLM | LogicalQueryTransformer | None = None, *, fields: Any = None) -> None:
        if isinstance(llm, LogicalQueryTransformer) and fields is not None:
            raise InvalidArgumentError(
                "fields was given beside a LogicalQueryTransformer.", hint="Give fields to the transformer instead."
            )
        if llm is None or isinstance(llm, LogicalQueryTransformer):
            self._chain = llm
        else:
            self._chain = LogicalQueryTransformer(llm, fields=fields)
        self._fields = fields

    def _asking(self) -> CoreReader:
        # Made for each call: an updated prompt is another chain.
        chain = None if self._chain is None else self._chain._core
        return CoreReader(chain, fields=self._fields if chain is None else None)

    def _get_prompts(self) -> PromptDictType:
        return {} if self._chain is None else self._chain._get_prompts()

    def _update_prompts(self, prompts: PromptDictType) -> None:
        if self._chain is None:
            refuse_unknown_prompts(prompts, known=())
        else:
            self._chain._update_prompts(prompts)


def made_of(bundle: QueryBundle) -> Transformation | None:
    """The logical query that a transform of this module has put into a bundle, if one has."""
    return bundle.transformation if isinstance(bundle, LogicalQueryBundle) else None


def as_transformer(transformer: object) -> QueryTransformer:
    """Check a ``transformer=`` argument.

    Raises:
        InvalidArgumentError: It lacks the methods of one.
    """
    if isinstance(transformer, QueryTransformer) and not isinstance(transformer, type):
        return transformer
    raise InvalidArgumentError(
        f"transformer must be a QueryTransformer, got {type(transformer).__name__} {transformer!r}.",
        hint="Pass QuestionReader(llm), or an object with transform, atransform and batch.",
    )


def refuse_unknown_prompts(prompts: PromptDictType, *, known: Sequence[str]) -> None:
    """Refuse an update of a prompt that is not there; LlamaIndex itself would ignore it.

    Raises:
        InvalidArgumentError: Naming the first of them.
    """
    for key in prompts:
        if ":" not in key and key not in known:
            hint = f"get_prompts() lists the prompts that can be updated: {', '.join(known)}."
            raise InvalidArgumentError(f"There is no prompt {key!r} here.", hint=hint)

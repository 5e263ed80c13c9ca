"""Question to logical query as a Runnable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, RunnableSerializable
from pydantic import PrivateAttr, SkipValidation, model_validator

from langchain_logical_retriever._checked import CheckedModel
from langchain_logical_retriever._convert import History, from_messages
from langchain_logical_retriever.chat_model import LangChainChatModel
from logical_retriever.adapters import (
    InvalidArgumentError,
    LogicalQuery,
    LogicalQueryTransformer as CoreTransformer,
    QueryTransformer,
    QuestionReader,
    ReadQuestion,
    choose_transformer,
    in_conversation,
    parse,
)


class LogicalQueryTransformer(RunnableSerializable[str, LogicalQuery], CheckedModel):
    """Turns a question into a logical query by asking a chat model.

    Setup:
        Install ``langchain-logical-retriever`` and the package of a chat model.

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalQueryTransformer

            transformer = LogicalQueryTransformer(llm)

    Usage:
        .. code-block:: python

            query = transformer.invoke("benefits of vitamin D other than bone health")
            print(query)  # "Health benefits of vitamin D" AND NOT "Bone health"

        ``ainvoke``, ``batch`` and ``abatch`` work alike. ``read_question`` also returns the model's raw answers
        and, where the plain question had to be used, the problem.

    Use within a chain:
        .. code-block:: python

            chain = transformer | RunnableLambda(lambda query: retriever.search(query))

    Attributes:
        llm: A chat model, or any Runnable from messages to a message or a text. It needs neither tools nor structured
            output; with either, it fills a form in place of writing a query.
        prompt: "default" (decides the scope of a negation), "itlr" (of the ITLR paper), or a text that contains
            ``{question}`` once.
        on_failure: "dense" warns and uses the plain question; "raise" raises.
        cache: How many questions are remembered; 0 for none. A call whose config has ``configurable`` values is neither
            answered from it nor remembered, since these may choose another model.
        fields: Fields of metadata that conditions may name, which the model is shown: ``FieldInfo``, LangChain's
            ``AttributeInfo``; None for no conditions.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    llm: Annotated[Runnable[Any, Any], SkipValidation]
    prompt: Any = "default"
    on_failure: Annotated[Literal["dense", "raise"], SkipValidation] = "dense"
    cache: Annotated[int, SkipValidation] = 1024
    fields: Any = None

    _core: CoreTransformer = PrivateAttr()

    def __init__(self, llm: Runnable[Any, Any] | None = None, **arguments: Any) -> None:
        super().__init__(llm=llm, **arguments)

    @model_validator(mode="after")
    def _build(self) -> LogicalQueryTransformer:
        settings = {name: getattr(self, name) for name in ("prompt", "on_failure", "cache", "fields")}
        self._core = CoreTransformer(LangChainChatModel(self.llm), **settings)
        return self

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> LogicalQuery:
        """Turn a question into a logical query.

        Args:
            input: The question.
            config: Callbacks, tags and the rest; the chat model's run is a child of this one.
            **kwargs: ``history``, the messages of the conversation before the question, oldest first.

        Raises:
            EmptyQuestionError: The question has no visible character.
            TransformError: The question could not be transformed, and ``on_failure="raise"``.
        """
        return self.read_question(input, config, **kwargs).query

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> LogicalQuery:
        """Asynchronous twin of :meth:`invoke`, with the chat model's own ``ainvoke``."""
        return (await self.aread_question(input, config, **kwargs)).query

    def read_question(
        self, question: str, config: RunnableConfig | None = None, *, history: History = ()
    ) -> ReadQuestion:
        """Like :meth:`invoke`, with the model's raw answers and the problem if there was one."""
        return as_runnable(self.get_name(), self.core, history).invoke(question, config)

    async def aread_question(
        self, question: str, config: RunnableConfig | None = None, *, history: History = ()
    ) -> ReadQuestion:
        """Asynchronous twin of :meth:`read_question`."""
        return await as_runnable(self.get_name(), self.core, history).ainvoke(question, config)

    def core(self, config: RunnableConfig) -> CoreTransformer:
        """The core's transformer, asking the chat model under a config."""
        transformer = self.model_copy(update={"cache": 0}) if config.get("configurable") else self
        return transformer._core.over(LangChainChatModel(self.llm, config))


@dataclass(frozen=True)
class RunnableTransformer:
    """Any Runnable from a question to a query, a text in the grammar or a ``ReadQuestion``, as the core's."""

    runnable: Runnable[str, Any]
    config: RunnableConfig

    def transform(self, question: str) -> ReadQuestion:
        """Turn one question into a logical query."""
        return _as_read_question(question, self.runnable.invoke(question, self.config))

    async def atransform(self, question: str) -> ReadQuestion:
        """Asynchronous twin of :meth:`transform`."""
        return _as_read_question(question, await self.runnable.ainvoke(question, self.config))


def as_transformer(llm: Any, fields: Any) -> LogicalQueryTransformer:
    """A chat model as a transformer that knows the fields; a transformer is returned as it is."""
    return llm if isinstance(llm, LogicalQueryTransformer) else LogicalQueryTransformer(llm, fields=fields)


def transformer_of(transformer: Any, llm: Any, fields: Any, config: RunnableConfig) -> QueryTransformer:
    """A transformer of the core for a call under a config: the one given, or a reader with a model or without."""
    if isinstance(transformer, LogicalQueryTransformer):
        return transformer.core(config)
    if isinstance(transformer, Runnable):
        return RunnableTransformer(transformer, config)
    return choose_transformer(
        llm, transformer, lambda llm: QuestionReader(as_transformer(llm, fields).core(config)), fields=fields
    )


def as_runnable(
    name: str, transformer_under: Callable[[RunnableConfig], QueryTransformer], history: History = ()
) -> Runnable[str, ReadQuestion]:
    """The transformer under the config of a call as a Runnable that makes one run of that name."""
    messages = from_messages(history)

    def read(question: str, config: RunnableConfig) -> ReadQuestion:
        transformer = transformer_under(config)
        return transformer.transform(question, **in_conversation(transformer, messages))

    async def aread(question: str, config: RunnableConfig) -> ReadQuestion:
        transformer = transformer_under(config)
        return await transformer.atransform(question, **in_conversation(transformer, messages))

    return RunnableLambda(read, aread, name)


def _as_read_question(question: str, answer: object) -> ReadQuestion:
    if isinstance(answer, ReadQuestion):
        return answer
    if isinstance(answer, (str, LogicalQuery)):
        return ReadQuestion(question, parse(answer) if isinstance(answer, str) else answer, method="runnable")
    raise InvalidArgumentError(
        f"The transformer returned {type(answer).__name__} for the question {question[:60]!r}.",
        hint="A Runnable used as transformer returns a LogicalQuery, a text in its grammar, or a ReadQuestion.",
    )

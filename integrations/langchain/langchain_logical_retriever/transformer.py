"""From question to logical query, as a Runnable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

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
    in_conversation,
    parse,
)


class LogicalQueryTransformer(RunnableSerializable[str, LogicalQuery], CheckedModel):
    """A Runnable from a question to a logical query, which asks a chat model.

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

        ``ainvoke``, ``batch`` and ``abatch`` work alike. ``read_question`` also returns the model's raw answers,
        and the problem if the plain question had to be used.

    Use within a chain:
        .. code-block:: python

            chain = transformer | RunnableLambda(lambda query: retriever.search(query))

    Attributes:
        llm: A chat model, or any Runnable from messages to a message or a text. It needs neither tools nor structured
            output; with either, it fills a form instead of writing a query.
        prompt: "default" (decides the scope of a negation), "itlr" (the ITLR paper's), or a text that contains
            ``{question}`` once.
        on_failure: "dense" warns and uses the plain question; "raise" raises.
        cache: Number of questions to remember; 0 for none. A call whose config has ``configurable`` values bypasses the
            cache, since they may choose another model.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, or LangChain's ``AttributeInfo``. The model
            is shown them. None for no conditions.

    Raises:
        InvalidArgumentError: An unknown or wrong argument.
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
            **kwargs: ``history``, the earlier messages of the conversation, oldest first.

        Raises:
            EmptyQuestionError: The question has no visible character.
            TransformError: The model failed, and ``on_failure="raise"``.
        """
        return self.read_question(input, config, **kwargs).query

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> LogicalQuery:
        """Asynchronous twin of :meth:`invoke`, by the chat model's own ``ainvoke``."""
        return (await self.aread_question(input, config, **kwargs)).query

    def read_question(
        self, question: str, config: RunnableConfig | None = None, *, history: History = ()
    ) -> ReadQuestion:
        """Read a question as :meth:`invoke` does, and return its query with the raw answers and the problem, if any."""
        return as_runnable(self.get_name(), self.core, history).invoke(question, config)

    async def aread_question(
        self, question: str, config: RunnableConfig | None = None, *, history: History = ()
    ) -> ReadQuestion:
        """Asynchronous twin of :meth:`read_question`."""
        return await as_runnable(self.get_name(), self.core, history).ainvoke(question, config)

    def core(self, config: RunnableConfig) -> CoreTransformer:
        """Return the core's transformer over the chat model with a config."""
        transformer = self.model_copy(update={"cache": 0}) if config.get("configurable") else self
        return transformer._core.over(LangChainChatModel(self.llm, config))


@dataclass(frozen=True)
class RunnableTransformer:
    """A Runnable as the core's transformer; it returns a query, its text in the grammar, or a ``ReadQuestion``."""

    runnable: Runnable[str, Any]
    config: RunnableConfig

    def transform(self, question: str) -> ReadQuestion:
        """Turn one question into a logical query."""
        return _as_read_question(question, self.runnable.invoke(question, self.config))

    async def atransform(self, question: str) -> ReadQuestion:
        """Asynchronous twin of :meth:`transform`."""
        return _as_read_question(question, await self.runnable.ainvoke(question, self.config))


def as_transformer(llm: Any, fields: Any) -> LogicalQueryTransformer:
    """Turn a chat model into a transformer with these fields; return a transformer unchanged."""
    return llm if isinstance(llm, LogicalQueryTransformer) else LogicalQueryTransformer(llm, fields=fields)


def transformer_of(transformer: Any, llm: Any, fields: Any, config: RunnableConfig) -> QueryTransformer:
    """Return the core's transformer for a call with a config: the given one, or a reader with or without a model."""
    if isinstance(transformer, LogicalQueryTransformer):
        return transformer.core(config)
    if isinstance(transformer, Runnable):
        return RunnableTransformer(transformer, config)
    if transformer is not None:
        return cast("QueryTransformer", transformer)
    return QuestionReader(fields=fields) if llm is None else QuestionReader(as_transformer(llm, fields).core(config))


def as_runnable(
    name: str, transformer_under: Callable[[RunnableConfig], QueryTransformer], history: History = ()
) -> Runnable[str, ReadQuestion]:
    """Return a Runnable that reads a question in one run of this name.

    Args:
        name: The run's name.
        transformer_under: Returns the core's transformer for the config of the call.
        history: The earlier messages of the conversation, oldest first.
    """
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

"""Question to logical query as a Runnable: over any chat model, or by the cheapest reader that is sure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from threading import Event
from typing import Annotated, Any, Literal

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, RunnableSerializable
from pydantic import PrivateAttr, SkipValidation, model_validator

from langchain_logical_retriever._checked import CHECKED, CheckedModel
from langchain_logical_retriever._convert import from_messages
from langchain_logical_retriever.chat_model import LangChainChatModel
from logical_retriever.integration import (
    InvalidArgumentError,
    LogicalQuery,
    LogicalQueryTransformer as CoreTransformer,
    Message,
    Prompt,
    QueryTransformer,
    QuestionReader as CoreReader,
    Transformation,
    in_conversation,
    parse,
)

Example = tuple[str, str | LogicalQuery]
History = Sequence[BaseMessage | Message]
"""Messages of a conversation, oldest first: LangChain's, or mappings with role and content."""


class _ReadsQuestions(CheckedModel, RunnableSerializable[str, LogicalQuery]):
    """A question in, a logical query out, by the core's transformer under the config of the call."""

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> LogicalQuery:
        """Turn a question into a logical query.

        Args:
            input: The question.
            config: Callbacks, tags and the rest; the chat model's run is a child of this one.
            **kwargs: ``history``, the messages of the conversation before the question, oldest first; others are
                refused.

        Raises:
            EmptyQuestionError: The question has no visible character.
            TransformError: The question could not be transformed, and ``on_failure="raise"``.
        """
        return self.get_transformation(input, config, **_history(kwargs)).query

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> LogicalQuery:
        """Asynchronous twin of :meth:`invoke`, with the chat model's own ``ainvoke``."""
        return (await self.aget_transformation(input, config, **_history(kwargs))).query

    def get_transformation(
        self, question: str, config: RunnableConfig | None = None, *, history: History = ()
    ) -> Transformation:
        """Like :meth:`invoke`, with the model's raw answers and the problem if there was one."""
        return as_runnable(self, history).invoke(question, config)

    async def aget_transformation(
        self, question: str, config: RunnableConfig | None = None, *, history: History = ()
    ) -> Transformation:
        """Asynchronous twin of :meth:`get_transformation`."""
        return await as_runnable(self, history).ainvoke(question, config)

    @abstractmethod
    def _bound_to(self, config: RunnableConfig) -> CoreTransformer | CoreReader:
        """The core's transformer, asking the chat model under a config."""


class LogicalQueryTransformer(_ReadsQuestions):
    """Turns a question into a logical query by asking a chat model.

    Setup:
        Install ``langchain-logical-retriever`` and the package of a chat model.

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalQueryTransformer

            transformer = LogicalQueryTransformer(llm=llm)

    Usage:
        .. code-block:: python

            query = transformer.invoke("benefits of vitamin D other than bone health")
            print(query)  # "Health benefits of vitamin D" AND NOT "Bone health"

        ``ainvoke``, ``batch`` and ``abatch`` work alike. ``get_transformation`` also returns the model's raw answers
        and, where the plain question had to be used, the problem.

    Use within a chain:
        .. code-block:: python

            chain = transformer | RunnableLambda(lambda query: retriever.search(query))

    Attributes:
        llm: A chat model, or any Runnable from messages to a message or a text. It needs neither tools nor structured
            output; with either, it fills a form in place of writing a query.
        prompt: "default" (decides the scope of a negation), "itlr" (of the ITLR paper), a text that contains
            ``{question}`` once, or a :class:`logical_retriever.transform.Prompt`.
        examples: Pairs of a question and its logical query, shown to the model as earlier turns.
        max_repairs: How often an unreadable answer is sent back with the parser's message, at least 0.
        on_failure: "dense" warns and uses the plain question; "raise" raises.
        cache: How many questions are remembered; False or 0 for none. A call whose config has ``configurable`` values
            is neither answered from it nor remembered, since these may choose another model.
        structured: Whether the model fills a form; None where it has structured output or tools.
        timeout: Most seconds that a question may take, repairs included; None for the model's own bound.
        fields: Fields of metadata that conditions may name, which the model is shown: ``FieldInfo``, LangChain's
            ``AttributeInfo``; None for no conditions.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    model_config = CHECKED

    llm: Annotated[Runnable[Any, Any], SkipValidation]
    prompt: Annotated[str | Prompt, SkipValidation] = "default"
    examples: Annotated[Sequence[Example], SkipValidation] = ()
    max_repairs: Annotated[int, SkipValidation] = 1
    on_failure: Annotated[Literal["dense", "raise"], SkipValidation] = "dense"
    cache: Any = True
    structured: Annotated[bool | None, SkipValidation] = None
    timeout: Annotated[float | None, SkipValidation] = None
    fields: Any = None

    _settings: dict[str, Any] = PrivateAttr()
    _no_forms: Event = PrivateAttr(default_factory=Event)

    @model_validator(mode="after")
    def _build(self) -> LogicalQueryTransformer:
        names = ("max_repairs", "on_failure", "structured", "timeout", "fields")
        self._settings = {name: getattr(self, name) for name in names}
        llm = LangChainChatModel(self.llm)
        core = CoreTransformer(llm, prompt=self.prompt, examples=self.examples, cache=self.cache, **self._settings)
        self._settings.update(prompt=core.prompt, cache=core.cache)
        return self

    def _bound_to(self, config: RunnableConfig) -> CoreTransformer:
        settings = dict(self._settings)
        if config.get("configurable"):
            settings["cache"] = False
        if self._no_forms.is_set():
            settings["structured"] = None
        return CoreTransformer(LangChainChatModel(self.llm, config, self._no_forms), **settings)


class QuestionReader(_ReadsQuestions):
    """Reads a question by the cheapest reader that is sure, and asks a chat model only where none is.

    Logic that the user typed is taken as it is; the tagger, a small network inside the package, reads what it is sure
    of; the chat model is asked for the rest. A model that fails leaves the tagger's reading. See
    :class:`logical_retriever.QuestionReader`; this one is a Runnable like :class:`LogicalQueryTransformer`.

    Setup:
        Install ``langchain-logical-retriever``, and the package of a chat model where one is to be asked.

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import QuestionReader

            reader = QuestionReader(llm=llm)

    Usage:
        .. code-block:: python

            print(reader.invoke("benefits of vitamin D other than bone health"))
            reader.get_transformation("...").method  # "typed", "tagger" or "llm"

    Use within a chain:
        .. code-block:: python

            chain = reader | RunnableLambda(lambda query: retriever.search(query))

    Attributes:
        llm: A chat model, or a :class:`LogicalQueryTransformer` with settings of its own; None for no model.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, LangChain's ``AttributeInfo``. A
            chat model is asked for every question that is no typed logic. A
            :class:`LogicalQueryTransformer` has its own.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    model_config = CHECKED

    llm: Annotated[Runnable[Any, Any] | None, SkipValidation] = None
    fields: Any = None

    _chain: LogicalQueryTransformer | None = PrivateAttr()

    @model_validator(mode="after")
    def _build(self) -> QuestionReader:
        if isinstance(self.llm, LogicalQueryTransformer) and self.fields is not None:
            raise InvalidArgumentError(
                "fields was given beside a LogicalQueryTransformer.", hint="Give fields to the transformer instead."
            )
        if self.llm is None or isinstance(self.llm, LogicalQueryTransformer):
            self._chain = self.llm
        else:
            self._chain = LogicalQueryTransformer(llm=self.llm, fields=self.fields)
        return self

    def _bound_to(self, config: RunnableConfig) -> CoreReader:
        chain = None if self._chain is None else self._chain._bound_to(config)
        return CoreReader(chain, fields=self.fields if chain is None else None)


def as_runnable(
    transformer: QueryTransformer | Runnable[str, Any], history: History = ()
) -> Runnable[str, Transformation]:
    """A transformer as a Runnable that makes one run, named after the transformer.

    Args:
        transformer: One of the core, a :class:`QuestionReader` or :class:`LogicalQueryTransformer`, or any Runnable
            from a question to a logical query, a text in the grammar, or a ``Transformation``.
        history: The messages of the conversation before the question.

    Raises:
        InvalidArgumentError: It is none of these, or there is a history that it does not read.
    """
    said = from_messages(history)
    name = transformer.get_name() if isinstance(transformer, Runnable) else type(transformer).__name__
    # A Runnable has methods called transform, atransform and batch too (they stream), so it is looked for first.
    if isinstance(transformer, _ReadsQuestions):
        ours = transformer

        def ask(question: str, config: RunnableConfig) -> Transformation:
            return ours._bound_to(config).transform(question, history=said)

        async def aask(question: str, config: RunnableConfig) -> Transformation:
            return await ours._bound_to(config).atransform(question, history=said)

        return RunnableLambda(ask, aask, name)
    told = in_conversation(transformer if not isinstance(transformer, Runnable) else None, said)
    if isinstance(transformer, Runnable):
        runnable = transformer

        def run(question: str, config: RunnableConfig) -> Transformation:
            return _as_transformation(question, runnable.invoke(question, config))

        async def arun(question: str, config: RunnableConfig) -> Transformation:
            return _as_transformation(question, await runnable.ainvoke(question, config))

        return RunnableLambda(run, arun, name)
    # A class has the methods as well, unbound.
    if isinstance(transformer, QueryTransformer) and not isinstance(transformer, type):
        return RunnableLambda(partial(transformer.transform, **told), partial(transformer.atransform, **told), name)
    raise InvalidArgumentError(
        f"transformer must be a QueryTransformer or a Runnable, got {name}.",
        hint="Pass QuestionReader(llm=...), LogicalQueryTransformer(llm=...), or a Runnable that makes a query.",
    )


def _as_transformation(question: str, made: object) -> Transformation:
    if isinstance(made, Transformation):
        return made
    if isinstance(made, str):
        return Transformation(question, parse(made), method="runnable")
    if isinstance(made, LogicalQuery):
        return Transformation(question, made, method="runnable")
    raise InvalidArgumentError(
        f"The transformer returned {type(made).__name__} for the question {question[:60]!r}.",
        hint="A Runnable used as transformer returns a LogicalQuery, a text in its grammar, or a Transformation.",
    )


def _history(kwargs: dict[str, Any]) -> dict[str, Any]:
    """The history among the arguments of a call; there is no other."""
    for name in kwargs:
        if name != "history":
            raise InvalidArgumentError(
                f"invoke has no argument {name!r}.",
                hint="Bind arguments to the chat model instead: LogicalQueryTransformer(llm=llm.bind(...)).",
            )
    return kwargs


def own_model(transformer: object) -> Any:
    """The chat model that a transformer asks; None where it has none."""
    llm = getattr(transformer, "llm", None)
    return llm.llm if isinstance(llm, LogicalQueryTransformer) else llm

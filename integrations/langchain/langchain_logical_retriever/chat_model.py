"""Any LangChain model as the chat model that the core asks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.utils.function_calling import convert_to_json_schema
from pydantic import BaseModel

from langchain_logical_retriever._convert import to_messages, to_text
from logical_retriever.integration import (
    ChatVerifier as CoreChatVerifier,
    InvalidArgumentError,
    Message,
    given_up,
)

_FILLING = ("bind_tools", "with_structured_output")


@dataclass(frozen=True)
class LangChainChatModel:
    """Messages in, text out, over a LangChain chat model.

    Attributes:
        llm: A chat model, a text model, or any Runnable from messages to a message or a text.
        config: Passed on with every call, so that callbacks, tags and configurable fields reach the model.
        no_forms: Set as soon as the model's server has refused to fill a form; it is then asked for text.

    Raises:
        InvalidArgumentError: ``llm`` is not a Runnable.
    """

    llm: Runnable[Any, Any]
    config: RunnableConfig | None = None
    no_forms: Event = field(default_factory=Event, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_llm(self.llm)

    @property
    def structured(self) -> bool:
        """Whether the model fills forms: a chat model with tools or structured output of its own."""
        return supports_structured_output(self.llm) and not self.no_forms.is_set()

    @property
    def model_name(self) -> str | None:
        """Provider, model and temperature as LangChain names them for tracing; None of what does not say its model."""
        told = self.llm._get_ls_params() if isinstance(self.llm, BaseChatModel) else {}
        name, more = told.get("ls_model_name"), (told.get("ls_provider"), told.get("ls_temperature"))
        return f"{more[0]}:{name}, temperature {more[1]}" if name else None

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""
        return to_text(self.llm.invoke(to_messages(messages), self.config))

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation without blocking the event loop."""
        return to_text(await self.llm.ainvoke(to_messages(messages), self.config))

    def complete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Answer with a filled form as JSON; where the model writes something else, with its text.

        A server that refuses forms altogether is asked for text in its place, now and from then on.
        """
        try:
            return _filled(self._form(form).invoke(to_messages(messages), self.config))
        except Exception as error:
            given_up(error, self.no_forms)
        return self.complete(messages)

    async def acomplete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Asynchronous twin of :meth:`complete_structured`."""
        try:
            return _filled(await self._form(form).ainvoke(to_messages(messages), self.config))
        except Exception as error:
            given_up(error, self.no_forms)
        return await self.acomplete(messages)

    def _form(self, form: type[BaseModel]) -> Runnable[Any, Any]:
        assert isinstance(self.llm, BaseChatModel)
        # As a schema: given a class, clients of OpenAI's raise what does not fit it, and the answer's text is lost.
        return self.llm.with_structured_output(convert_to_json_schema(form), include_raw=True)


class ChatVerifier(CoreChatVerifier):
    """Asks a LangChain model whether passages are about terms; see :class:`logical_retriever.verify.ChatVerifier`.

    Args:
        llm: A chat model, a text model, or any Runnable from messages to a message or a text.
        name: What messages call it; by default the model's own name, where it has one.

    Raises:
        InvalidArgumentError: ``llm`` is not a Runnable.
    """

    def __init__(self, llm: Runnable[Any, Any], *, name: str | None = None) -> None:
        super().__init__(LangChainChatModel(llm), name=name)


def as_verifier(given: Any, llm: Any = None) -> Any:
    """A ``verify=`` argument, with a verifier over a LangChain model where that, or True for the own one, was given."""
    if given is True and llm is not None:
        given = llm
    return ChatVerifier(given) if isinstance(given, Runnable) else given


def supports_structured_output(llm: object) -> bool:
    """Whether a chat model has structured output, of its own or by tools.

    A model with a profile says so itself. Any other has it where its class does more than LangChain's base class, which
    raises ``NotImplementedError``. What is bound to arguments, or is no chat model, is asked for text: LangChain would
    drop the arguments.
    """
    if not isinstance(llm, BaseChatModel):
        return False
    profile = getattr(llm, "profile", None) or {}
    if profile.get("structured_output") or profile.get("tool_calling"):
        return True
    own = (getattr(type(llm), name) is not getattr(BaseChatModel, name) for name in _FILLING)
    return profile.get("tool_calling") is not False and any(own)


def _filled(answer: Mapping[str, Any]) -> str:
    """The filled form of an answer as JSON; else the call of a tool that it has, else its text."""
    raw, parsed = answer["raw"], answer["parsed"]
    text = to_text(raw)  # refuses an answer that was cut off
    if isinstance(parsed, Mapping):
        return json.dumps(parsed, ensure_ascii=False)
    calls = getattr(raw, "tool_calls", None)
    return json.dumps(calls[0]["args"], ensure_ascii=False) if calls else text


def check_llm(llm: object) -> None:
    """Refuse what cannot be asked.

    Raises:
        InvalidArgumentError: It is not a Runnable.
    """
    if not isinstance(llm, Runnable):
        raise InvalidArgumentError(
            f"llm must be a LangChain chat model, got {type(llm).__name__} {llm!r}.",
            hint='Pass an instance, for example ChatOpenAI(...) or init_chat_model("provider:model").',
        )

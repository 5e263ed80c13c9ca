"""LangChain models as the core's chat models and verifiers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.utils.function_calling import convert_to_json_schema
from pydantic import BaseModel

from langchain_logical_retriever._convert import to_messages, to_text
from logical_retriever.adapters import ChatVerifier, InvalidArgumentError, Message

_FILLING = ("bind_tools", "with_structured_output")


@dataclass(frozen=True)
class LangChainChatModel:
    """A LangChain model as the core's chat model: messages in, text out.

    Attributes:
        llm: A chat model, a text model, or any Runnable from messages to a message or a text.
        config: The config of every call, so that callbacks, tags and configurable fields reach the model.

    Raises:
        InvalidArgumentError: ``llm`` is not a Runnable.
    """

    llm: Runnable[Any, Any]
    config: RunnableConfig | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.llm, Runnable):
            raise InvalidArgumentError(
                f"llm must be a LangChain chat model, got {type(self.llm).__name__} {self.llm!r}.",
                hint='Pass an instance, for example ChatOpenAI(...) or init_chat_model("provider:model").',
            )

    @property
    def structured(self) -> bool:
        """Whether the model fills forms: its class has tools or structured output, which LangChain's base class lacks.

        False for a model that is bound to arguments, since LangChain would drop them, and for other Runnables.
        """
        own = (getattr(type(self.llm), name, None) is not getattr(BaseChatModel, name) for name in _FILLING)
        return isinstance(self.llm, BaseChatModel) and any(own)

    def complete(self, messages: Sequence[Message]) -> str:
        """Return the text of the next assistant message of a conversation."""
        return to_text(self.llm.invoke(to_messages(messages), self.config))

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation without blocking the event loop."""
        return to_text(await self.llm.ainvoke(to_messages(messages), self.config))

    def complete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Return the filled form as JSON, or the model's text if it writes something else."""
        return _filled(self._form(form).invoke(to_messages(messages), self.config))

    async def acomplete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Asynchronous twin of :meth:`complete_structured`."""
        return _filled(await self._form(form).ainvoke(to_messages(messages), self.config))

    def _form(self, form: type[BaseModel]) -> Runnable[Any, Any]:
        # As a schema: given a class, clients of OpenAI's raise what does not fit it, and the answer's text is lost.
        schema = convert_to_json_schema(form)
        return cast("BaseChatModel", self.llm).with_structured_output(schema, include_raw=True)


def as_verifier(value: Any, llm: Any = None) -> Any:
    """Turn a LangChain model, or True for the retriever's own, into a verifier; return other values unchanged."""
    if value is True and llm is not None:
        value = llm
    return ChatVerifier(LangChainChatModel(value), name=type(value).__name__) if isinstance(value, Runnable) else value


def _filled(answer: Mapping[str, Any]) -> str:
    """Return the parsed form as JSON, else the arguments of the first tool call, else the text."""
    raw, parsed = answer["raw"], answer["parsed"]
    text = to_text(raw)  # refuses an answer that was cut off
    calls = [call["args"] for call in getattr(raw, "tool_calls", None) or ()]
    forms = [parsed] if isinstance(parsed, Mapping) else calls
    return json.dumps(forms[0], ensure_ascii=False) if forms else text

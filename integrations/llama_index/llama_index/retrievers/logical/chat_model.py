"""LlamaIndex LLMs as the core's chat models and verifiers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from llama_index.core.llms import LLM, ChatResponse
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.tools import FunctionTool
from pydantic import BaseModel

from llama_index.retrievers.logical._convert import to_messages, to_text
from logical_retriever.adapters import ChatVerifier as CoreChatVerifier, InvalidArgumentError, Message


@dataclass(frozen=True)
class LlamaIndexChatModel:
    """A LlamaIndex LLM as the core's chat model: messages in, text out.

    Completion models answer chats through LlamaIndex' own adapter.

    Attributes:
        llm: The LLM. It needs neither function calling nor structured output.

    Raises:
        InvalidArgumentError: ``llm`` is not an LLM.
    """

    llm: LLM

    def __post_init__(self) -> None:
        if not isinstance(self.llm, LLM):
            raise InvalidArgumentError(
                f"llm must be a LlamaIndex LLM, got {type(self.llm).__name__} {self.llm!r}.",
                hint="Pass an instance, for example OpenAI(model=...) or Settings.llm; without a model: "
                "LogicalRetriever.from_index(index).",
            )

    @property
    def structured(self) -> bool:
        """Whether the LLM fills forms: its metadata say that it calls functions."""
        return isinstance(self.llm, FunctionCallingLLM) and self.llm.metadata.is_function_calling_model

    def complete(self, messages: Sequence[Message]) -> str:
        """Return the text of the next assistant message of a conversation."""
        return to_text(self.llm.chat(to_messages(messages)))

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Asynchronous twin of :meth:`complete`."""
        return to_text(await self.llm.achat(to_messages(messages)))

    def complete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Return the filled form as JSON, or the LLM's text if it writes something else."""
        llm: Any = self.llm
        return _filled(llm, llm.chat_with_tools(**_call(messages, form)))

    async def acomplete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Asynchronous twin of :meth:`complete_structured`."""
        llm: Any = self.llm
        return _filled(llm, await llm.achat_with_tools(**_call(messages, form)))


class ChatVerifier(CoreChatVerifier):
    """A verifier that asks an LLM; see :class:`logical_retriever.reading.passages.ChatVerifier`.

    Args:
        llm: The LLM.
        name: Its name in messages.

    Raises:
        InvalidArgumentError: ``llm`` is not an LLM.
    """

    def __init__(self, llm: LLM, *, name: str | None = None) -> None:
        super().__init__(LlamaIndexChatModel(llm), name=name)


def verified(settings: Mapping[str, Any], llm: LLM | None) -> dict[str, Any]:
    """Copy settings, with a verifier in place of an LLM as ``verify``, or of True for the retriever's own LLM."""
    verify = settings.get("verify")
    verifier = llm if verify is True and llm is not None else verify
    return {**settings, "verify": ChatVerifier(verifier)} if isinstance(verifier, LLM) else dict(settings)


def _call(messages: Sequence[Message], form: type[BaseModel]) -> dict[str, Any]:
    return {"tools": [_tool(form)], "chat_history": to_messages(messages), "tool_required": True}


@cache
def _tool(form: type[BaseModel]) -> FunctionTool:
    """Make a function for the LLM to call. It never runs: its arguments are the answer."""
    return FunctionTool.from_defaults(
        fn=lambda **_: None,
        name=form.model_config.get("title") or "LogicalQuery",
        description=(form.__doc__ or "").strip(),
        fn_schema=form,
    )


def _filled(llm: FunctionCallingLLM, response: ChatResponse) -> str:
    """Return the arguments of the first call as JSON, else the text."""
    text = to_text(response)  # refuses an answer that was cut off: LlamaIndex would mend its JSON, and a NOT be lost
    calls = llm.get_tool_calls_from_response(response, error_on_no_tool_call=False)
    return json.dumps(calls[0].tool_kwargs, ensure_ascii=False) if calls else text

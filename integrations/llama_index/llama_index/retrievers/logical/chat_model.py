"""Any LlamaIndex LLM as the chat model that the core asks."""

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
from logical_retriever.adapters import ChatVerifier as CoreChatVerifier, InvalidArgumentError, Message, refuses_forms


@dataclass(frozen=True)
class LlamaIndexChatModel:
    """Messages in, text out, over a LlamaIndex LLM; completion models answer chats through their own adapter.

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
        """Whether the LLM fills forms: it says of itself that it calls functions."""
        return isinstance(self.llm, FunctionCallingLLM) and self.llm.metadata.is_function_calling_model

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""
        return to_text(self.llm.chat(to_messages(messages)))

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation without blocking the event loop."""
        return to_text(await self.llm.achat(to_messages(messages)))

    def complete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Answer with a filled form as JSON; where the LLM writes something else, with its text.

        A server that refuses forms is asked for text in its place.
        """
        llm: Any = self.llm
        try:
            return _filled(llm, llm.chat_with_tools(**_call(messages, form)))
        except Exception as error:
            if not refuses_forms(error):
                raise
        return self.complete(messages)

    async def acomplete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Asynchronous twin of :meth:`complete_structured`."""
        llm: Any = self.llm
        try:
            return _filled(llm, await llm.achat_with_tools(**_call(messages, form)))
        except Exception as error:
            if not refuses_forms(error):
                raise
        return await self.acomplete(messages)


class ChatVerifier(CoreChatVerifier):
    """Asks an LLM whether passages are about terms; see :class:`logical_retriever.verify.ChatVerifier`.

    Args:
        llm: The LLM.
        name: What messages call it.

    Raises:
        InvalidArgumentError: ``llm`` is not an LLM.
    """

    def __init__(self, llm: LLM, *, name: str | None = None) -> None:
        super().__init__(LlamaIndexChatModel(llm), name=name)


def verified(settings: Mapping[str, Any], llm: LLM | None) -> dict[str, Any]:
    """Settings of the core, with a verifier over an LLM where ``verify`` is one, or True for the retriever's own."""
    verify = settings.get("verify")
    verifier = llm if verify is True and llm is not None else verify
    return {**settings, "verify": ChatVerifier(verifier)} if isinstance(verifier, LLM) else dict(settings)


def _call(messages: Sequence[Message], form: type[BaseModel]) -> dict[str, Any]:
    return {"tools": [_tool(form)], "chat_history": to_messages(messages), "tool_required": True}


@cache
def _tool(form: type[BaseModel]) -> FunctionTool:
    """A function that is never called: the LLM's call of it is the answer."""
    return FunctionTool.from_defaults(
        fn=lambda **_: None,
        name=form.model_config.get("title") or "LogicalQuery",
        description=(form.__doc__ or "").strip(),
        fn_schema=form,
    )


def _filled(llm: FunctionCallingLLM, response: ChatResponse) -> str:
    """The arguments of the call as JSON, else the text."""
    text = to_text(response)  # refuses an answer that was cut off: LlamaIndex would mend its JSON, and a NOT be lost
    calls = llm.get_tool_calls_from_response(response, error_on_no_tool_call=False)
    return json.dumps(calls[0].tool_kwargs, ensure_ascii=False) if calls else text

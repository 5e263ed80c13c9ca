"""Any LlamaIndex LLM as the chat model that the core asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llama_index.core.llms import LLM

from llama_index.retrievers.logical._convert import to_messages, to_text
from logical_retriever.integration import InvalidArgumentError, Message


@dataclass(frozen=True)
class LlamaIndexChatModel:
    """A LlamaIndex LLM as a transformer asks it: messages in, text out.

    Completion models answer chats through their own adapter.

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

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""
        return to_text(self.llm.chat(to_messages(messages)))

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation without blocking the event loop."""
        return to_text(await self.llm.achat(to_messages(messages)))

"""Any LangChain model as the chat model that the core asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig

from langchain_logical_retriever._convert import to_messages, to_text
from logical_retriever.integration import InvalidArgumentError, Message


@dataclass(frozen=True)
class LangChainChatModel:
    """A LangChain chat model as a transformer asks it: messages in, text out.

    Attributes:
        llm: A chat model, a text model, or any Runnable from messages to a message or a text.
        config: Passed on with every call, so that callbacks, tags and configurable fields reach the model.

    Raises:
        InvalidArgumentError: ``llm`` is not a Runnable.
    """

    llm: Runnable[Any, Any]
    config: RunnableConfig | None = None

    def __post_init__(self) -> None:
        check_llm(self.llm)

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""
        return to_text(self.llm.invoke(to_messages(messages), self.config))

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation without blocking the event loop."""
        return to_text(await self.llm.ainvoke(to_messages(messages), self.config))


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

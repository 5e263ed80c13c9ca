"""The messages before a question: checked, and written for a language model."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any, Final

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.reading.base import Message

MAX_MESSAGES: Final = 12
"""Most earlier messages in a prompt, the latest."""
MAX_MESSAGE_LENGTH: Final = 2_000
"""Most characters of each of them, from its beginning."""

_TAG: Final = re.compile(r"<(\s*/?\s*(?:conversation|question)\s*/?\s*)>", re.IGNORECASE)


def check_history(history: object) -> tuple[Message, ...]:
    """Return the messages of users and assistants, in order, without empty ones and those of other roles.

    Raises:
        InvalidArgumentError: It is no sequence of messages with a role and a content.
    """
    if not isinstance(history, Sequence) or not all(
        isinstance(message, dict) and all(isinstance(message.get(key), str) for key in ("role", "content"))
        for message in history
    ):
        raise InvalidArgumentError(
            f"history is {history!r:.80}, not a list of messages.",
            hint='Give the earlier messages, oldest first: [{"role": "user" or "assistant", "content": "..."}, ...].',
        )
    return tuple(
        message for message in history if message["role"] in ("user", "assistant") and message["content"].strip()
    )


def in_conversation(reader: object, history: Sequence[Message]) -> dict[str, Any]:
    """Build the keyword arguments that give a reader the messages before a question; none without messages.

    Raises:
        InvalidArgumentError: The reader takes no history.
    """
    read = getattr(reader, "transform", None)
    if history and not (callable(read) and "history" in inspect.signature(read).parameters):
        raise InvalidArgumentError(
            f"history is given, and {type(reader).__name__} reads each question for itself.",
            hint="Use QuestionReader(llm), or leave history out.",
        )
    return {"history": history} if history else {}


def as_data(history: Sequence[Message]) -> str:
    """Write the latest messages between tags; the tags of the prompt inside them get square brackets."""
    lines = (f"{message['role']}: {message['content'][:MAX_MESSAGE_LENGTH]}\n" for message in history[-MAX_MESSAGES:])
    return "<conversation>\n" + _TAG.sub(r"[\1]", "".join(lines)) + "</conversation>"

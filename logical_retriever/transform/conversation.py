"""A question as the last message of a conversation: the messages before it, checked, and as a model is shown them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any, Final

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.transform.base import Message

MAX_MESSAGES: Final = 12
"""Most earlier messages that the model is shown, the latest."""
MAX_MESSAGE_LENGTH: Final = 2_000
"""Most characters of each of them, from its beginning."""

_TAG: Final = re.compile(r"<(\s*/?\s*(?:conversation|question)\s*/?\s*)>", re.IGNORECASE)


def check_history(history: object) -> tuple[Message, ...]:
    """The messages of a conversation by users and assistants, in order; others, such as a system's, are left out.

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


def in_conversation(transformer: object, history: Sequence[Message]) -> dict[str, Any]:
    """Arguments that tell a transformer of the messages before a question; none where there are no messages.

    Raises:
        InvalidArgumentError: There are some, and the transformer does not read questions in their context.
    """
    read = getattr(transformer, "transform", None)
    if history and not (callable(read) and "history" in inspect.signature(read).parameters):
        raise InvalidArgumentError(
            f"history is given, and {type(transformer).__name__} reads each question for itself.",
            hint="Use QuestionReader(llm), or leave history out.",
        )
    return {"history": history} if history else {}


def told(history: Sequence[Message]) -> str:
    """The latest messages as data, between their tags; tags inside them are written with square brackets."""
    lines = (f"{message['role']}: {message['content'][:MAX_MESSAGE_LENGTH]}\n" for message in history[-MAX_MESSAGES:])
    return "<conversation>\n" + _TAG.sub(r"[\1]", "".join(lines)) + "</conversation>"

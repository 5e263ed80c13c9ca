"""Transformers of questions into logical queries, chat models, and what they take and return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypedDict, runtime_checkable

from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError
from logical_retriever.query import LogicalQuery

MAX_QUESTION_LENGTH: Final = 20_000
"""Most characters of a question that a reader asks a model about; of a longer one the tagger reads the beginning."""


class TransformWarning(UserWarning):
    """A question could not be transformed, and the plain question is used in its place."""


class Message(TypedDict):
    """One chat message, in the shape that every provider understands."""

    role: Literal["system", "user", "assistant"]
    content: str


@runtime_checkable
class ChatModel(Protocol):
    """All that is asked of a language model: messages in, text out.

    It may have more: a coroutine method ``acomplete``, without which a thread runs ``complete``; a method
    ``complete_structured(messages, form)``, which gives a filled pydantic form as JSON, with its twin
    ``acomplete_structured`` and an attribute ``structured`` that says whether it can; and a ``model_name``.
    """

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""


@dataclass(frozen=True)
class Transformation:
    """A question and the logical query made of it.

    Attributes:
        question: The user's question, word for word.
        query: The logical query. A question without logic is one :class:`Term` holding the question itself.
        method: What made it: "typed" (the question is a logical query already), "tagger", "llm", "recorded",
            "given" (the caller wrote the query) or "dense" (the plain question, because the model failed and
            ``on_failure="dense"``).
        answers: Raw answers of the language model, oldest first; empty without one.
        problem: Why the question was not read, or not by the reader that was to read it; None where it was.
        cached: Whether the query came from the cache.
        confidence: The probability in [0, 1] that the tagger gives its reading; None where it did not read.
        standalone: The question in words that need no conversation, where a model read it as the last message of one.
    """

    question: str
    query: LogicalQuery
    method: str
    answers: tuple[str, ...] = ()
    problem: str | None = None
    cached: bool = False
    confidence: float | None = None
    standalone: str | None = None

    @property
    def sought(self) -> str:
        """The question as plain retrieval searches for it."""
        return self.question if self.standalone is None else self.standalone

    @property
    def written(self) -> bool:
        """Whether a person wrote the query itself, so that it is searched for as it is."""
        return self.method in ("given", "typed")


@runtime_checkable
class QueryTransformer(Protocol):
    """Turns questions into logical queries, synchronously and asynchronously."""

    def transform(self, question: str) -> Transformation:
        """Turn one question into a logical query.

        Raises:
            EmptyQuestionError: The question has no visible character.
            TransformError: The question could not be transformed and the policy is to raise.
        """

    async def atransform(self, question: str) -> Transformation:
        """Asynchronous twin of :meth:`transform`."""


def check_count(name: str, value: object, least: int = 0) -> int:
    """Return a whole number unchanged, or refuse it.

    Raises:
        InvalidArgumentError: It is no integer, or less than ``least``.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidArgumentError(f"{name} is {value!r}.", hint=f"Give an integer, {least} or more.")
    return value


def check_question(question: object) -> str:
    """Return the question unchanged, or refuse it.

    Any text with a visible character is a question: "???" is one, a tab is not.

    Raises:
        InvalidArgumentError: It is not a string.
        EmptyQuestionError: It has no visible character.
    """
    if not isinstance(question, str):
        raise InvalidArgumentError(
            f"The question is {type(question).__name__} {question!r}, not a string.",
            hint="Give the user's question as a str.",
        )
    if not any(character.isprintable() and not character.isspace() for character in set(question)):
        raise EmptyQuestionError(
            f"The question is empty: {question[:40]!r}.", hint="Ask only when the user has typed something."
        )
    return question


def shown(text: str) -> str:
    """The beginning of a text, for messages."""
    return repr(text if len(text) <= 80 else f"{text[:77]}...")

"""What readers of questions and chat models have in common: their interfaces, and what they take and return."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol, TypedDict, runtime_checkable

from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError
from logical_retriever.query import LogicalQuery

MAX_QUESTION_LENGTH: Final = 20_000
"""Most characters of a question for a language model. The tagger reads the beginning of a longer one."""


class TransformWarning(UserWarning):
    """A language model could not read a question, so a simpler reading is used."""


class Message(TypedDict):
    """One chat message, in the shape that every provider understands."""

    role: Literal["system", "user", "assistant"]
    content: str


@runtime_checkable
class ChatModel(Protocol):
    """The interface of a language model: messages in, text out.

    Three things are optional:

    - a coroutine method ``acomplete``; without it, ``complete`` runs in a thread;
    - a method ``complete_structured(messages, form)`` and its twin ``acomplete_structured``, which return a filled
      pydantic form as JSON, and an attribute ``structured``, True if the model can do so;
    - an attribute ``model_name``.
    """

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""


@dataclass(frozen=True)
class ReadQuestion:
    """A question that has been read: its logical query, and how it was read.

    Attributes:
        question: The user's question, word for word.
        query: The logical query. A question without logic is one :class:`Term` with the whole question.
        method: The reader: "typed" (the question is itself a logical query), "tagger", "llm", "recorded", "given" (the
            caller wrote the query) or "dense" (the plain question, because the model failed and
            ``on_failure="dense"``).
        answers: Raw answers of the language model, oldest first.
        problem: Why the question was not read, or not by the intended reader; None without a problem.
        confidence: The tagger's probability in [0, 1] that its reading is right; None for other readers.
        standalone: The question in words that need no conversation; None unless it was read as the last message of one.
        kinds: How each excluded term was excluded, "topic" or "lack"; None where the reader does not tell, which
            counts as typed logic does.
        fact: A negation of a question without an exclusion, in the question's words; None without one.

    Raises:
        InvalidArgumentError: Another kind.
    """

    question: str
    query: LogicalQuery
    method: str
    answers: tuple[str, ...] = ()
    problem: str | None = None
    confidence: float | None = None
    standalone: str | None = None
    kinds: Mapping[str, str] | None = field(default=None, hash=False)
    fact: str | None = None

    def __post_init__(self) -> None:
        for term, kind in (self.kinds or {}).items():
            if kind not in ("topic", "lack"):
                raise InvalidArgumentError(
                    f"The kind of the exclusion of {term!r} is {kind!r}.",
                    hint='A reader tells "topic" or "lack", or kinds=None.',
                )

    @property
    def sought(self) -> str:
        """The question as plain retrieval searches for it."""
        return self.question if self.standalone is None else self.standalone

    @property
    def written(self) -> bool:
        """Whether a person wrote the query itself; it is then searched for unchanged."""
        return self.method in ("given", "typed")


@runtime_checkable
class QueryTransformer(Protocol):
    """A reader of questions, synchronous and asynchronous."""

    def transform(self, question: str) -> ReadQuestion:
        """Read one question.

        Raises:
            EmptyQuestionError: The question has no visible character.
            TransformError: The question could not be read, and the reader raises rather than falls back.
        """

    async def atransform(self, question: str) -> ReadQuestion:
        """Asynchronous twin of :meth:`transform`."""


def check_question(question: object) -> str:
    """Return the question unchanged, or reject it.

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


def fall_back(read: ReadQuestion, simpler: ReadQuestion, name: str) -> ReadQuestion:
    """Return a model's reading, or warn and return a simpler one with the model's answers and problem.

    The warning points at the line that called the caller, so that the user's own warning filters decide.

    Args:
        read: The model's reading; its ``problem`` says that the model failed.
        simpler: The reading to use in that case.
        name: What the simpler reading is, for the warning.
    """
    if read.problem is None:
        return read
    message = f"The {name} is used for {shown(read.question)}. {read.problem}"
    warnings.warn(message, TransformWarning, stacklevel=3)
    return replace(simpler, answers=read.answers, problem=read.problem)


def shown(text: str) -> str:
    """Quote the beginning of a text, for messages."""
    return repr(text if len(text) <= 80 else f"{text[:77]}...")

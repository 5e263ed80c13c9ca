"""Translators of texts into first-order logic, and the translations that they return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, Protocol, runtime_checkable

from logical_retriever.bounded import BoundedCache
from logical_retriever.lab.nsir.fol import Formula, Spelling, spell

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many of it are done, and how many there are."""

Problem = Literal["empty", "unparsable", "call failed", "budget"]
"""Why a text has no formulas: it has no visible text; no answer of the language model could be read; the model raised
or answered nothing; the budget of calls is used up."""
PROBLEMS: Final[tuple[Problem, ...]] = ("empty", "unparsable", "call failed", "budget")


REMEMBERED: Final = 64_000_000
"""Bytes of translations kept in memory by each translator."""


@dataclass(frozen=True)
class Translation:
    """A text and its logic.

    Attributes:
        text: The text, word for word.
        formulas: Its formulas; none where there is a problem.
        method: What made them: "llm", "rule-based", "query" (from a logical query).
        problem: Why there are none, or None.
        explanation: The problem in words, or None.
        answers: Raw answers of the language model, oldest first.
        cached: Whether the formulas came from a cache.
    """

    text: str
    formulas: tuple[Formula, ...]
    method: str
    problem: Problem | None = None
    explanation: str | None = None
    answers: tuple[str, ...] = ()
    cached: bool = False

    @cached_property
    def spelling(self) -> Spelling:
        """The formulas as one text for an encoder."""
        return spell(self.formulas)


def translations() -> BoundedCache[Any, Translation]:
    """A cache for translations; with formulas and their spelling one takes about twelve bytes a character."""

    def weigh(_: object, made: Translation) -> int:
        return 1_000 + 12 * len(made.text) + 2 * sum(map(len, made.answers))

    return BoundedCache(REMEMBERED, weigh=weigh)


@runtime_checkable
class QuestionTranslator(Protocol):
    """Turns questions into first-order logic."""

    def question(self, text: str) -> Translation:
        """The logic of a question."""
        ...

    async def aquestion(self, text: str) -> Translation:
        """Asynchronous twin of :meth:`question`."""
        ...


@runtime_checkable
class PassageTranslator(Protocol):
    """Turns passages into first-order logic."""

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> list[Translation]:
        """The logic of passages, in order."""
        ...

    async def apassages(self, texts: Sequence[str], progress: Progress | None = None) -> list[Translation]:
        """Asynchronous twin of :meth:`passages`."""
        ...


def is_empty(text: str) -> bool:
    """Whether a text has no visible character."""
    return not any(character.isprintable() and not character.isspace() for character in text)

"""A retrieval method: the texts it wants encoded, and a score for every document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from logical_retriever.evaluation.dataset import Question
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.query import LogicalQuery, literals
from logical_retriever.query.conditions import refuse_conditions


@dataclass(frozen=True)
class QuestionWithQuery:
    """A question with the logical query that stands for it.

    Attributes:
        question: The question and its judgements; methods look at its id and text only.
        query: The logical query; a single term holding the question where there is no other.
        method: What made it, as :class:`~logical_retriever.Transformation` says.
    """

    question: Question
    query: LogicalQuery
    method: str = "recorded"
    negations: int = field(init=False)
    """Number of negated terms in the query."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "negations", len(self.terms(positive=False)))

    def terms(self, *, positive: bool) -> tuple[str, ...]:
        """Terms under an even (positive) or odd number of negations, in the order written, repetitions kept."""
        return tuple(literal.text for literal in literals(self.query) if literal.positive == positive)

    @property
    def wanted(self) -> str:
        """All positive terms joined with "and"; the question itself where no term is positive.

        Raises:
            InvalidArgumentError: The query has conditions, which no text says.
        """
        refuse_conditions(self.query, "A method that joins terms to a text")
        return " and ".join(self.terms(positive=True)) or self.question.text

    @property
    def unwanted(self) -> str | None:
        """All negated terms joined with "and", or None."""
        refuse_conditions(self.query, "A method that joins terms to a text")
        return " and ".join(self.terms(positive=False)) or None


Questions: TypeAlias = Sequence[QuestionWithQuery]
Advance: TypeAlias = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


class Method(ABC):
    """A way to rank documents for a question.

    Attributes:
        name: Its name in tables and on the command line.
        llm_calls: Calls to a language model made so far.
    """

    name: str
    llm_calls: int = 0

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Do what is done once before questions are scored: fit to the corpus, ask a language model."""
        del prepared, bench, progress  # most methods need nothing

    @abstractmethod
    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """Texts that are encoded as queries for this question; encoding them is not part of the time measured."""

    def passages(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """Texts that are encoded as documents for this question."""
        del prepared  # most methods have none
        return ()

    @abstractmethod
    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Score n documents.

        Returns:
            Shape (n,); higher is better, ``-inf`` for a document that is not retrieved.

        Raises:
            LogicalRetrieverError: The question cannot be scored; it counts as a failure with an empty ranking.
        """

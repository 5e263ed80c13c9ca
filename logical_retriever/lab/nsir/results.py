"""The ranking that a second stage returns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal, get_args

from logical_retriever.lab.nsir.base import Problem, Translation

Parts = Literal["both", "alignment", "constraint"]
"""Parts of the score: the sum of logic alignment and connective constraint, or one of the two alone."""
PARTS: Final[tuple[Parts, ...]] = get_args(Parts)


class RerankWarning(UserWarning):
    """A second stage could not do its work, and the first stage's order is kept."""


@dataclass(frozen=True)
class RerankedPassage:
    """A passage and its place.

    Attributes:
        index: Where it stood among the passages given, from 0.
        score: The final score; None for a passage beyond the k that are looked at, or where the question has no logic.
        alignment: Score of logic alignment, in [0, 1], or None with ``score``.
        constraint: Score of connective constraint, in [0, 1], or None with ``score``.
        problem: Why the passage keeps its first-stage score, which then stands for both parts, or None.
        truncated: Whether the encoder read only the beginning of the passage or of its formulas.
    """

    index: int
    score: float | None
    alignment: float | None = None
    constraint: float | None = None
    problem: Problem | None = None
    truncated: bool = False

    def of(self, parts: Parts) -> float | None:
        """The score made of other parts: in [0, 2] for "both", else in [0, 1]."""
        if self.alignment is None or self.constraint is None:
            return None
        return {"alignment": self.alignment, "constraint": self.constraint}.get(parts, self.alignment + self.constraint)


@dataclass(frozen=True)
class RerankResult:
    """A ranking.

    Attributes:
        question: The question with its logic.
        passages: Every passage given, best first.
    """

    question: Translation
    passages: tuple[RerankedPassage, ...]

    @property
    def kept(self) -> dict[Problem, int]:
        """How many passages keep their first-stage score, by problem."""
        return dict(Counter(passage.problem for passage in self.passages if passage.problem is not None))

    @property
    def truncated(self) -> int:
        """How many passages, or their formulas, the encoder did not read to the end."""
        return sum(passage.truncated for passage in self.passages)

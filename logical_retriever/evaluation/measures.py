"""Measures as values: how good the ranking for a question is.

Every measure of ir-measures is one, by its own name: ``nDCG@10`` (linear gain), ``P(rel=2)@5``, ``RR``. Beside them
stand those of this file. A new one is a class like these, here or anywhere, and a line in :data:`MEASURES`.
"""

from __future__ import annotations

import difflib
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.dataset import Question
from logical_retriever.evaluation.optional import require
from logical_retriever.evaluation.ranking import Ranking

DEPTH = 1000
"""Documents of a ranking that measures without a cutoff look at: as many as a run of TREC holds."""

Values = dict[str, dict[str, float]]
"""Measure -> question id -> value; a question for which the measure is not defined is absent."""


@dataclass(frozen=True)
class Measure(ABC):
    """A number for every question; its text form is the name of its class, and ``@`` and its cutoff if it has one.

    Args:
        cutoff: Best documents that it looks at, at least 1; None where it has no cutoff.

    Raises:
        InvalidArgumentError: A cutoff is missing, is not such a number, or is one too many.
    """

    cutoff: int | None = None

    has_cutoff: ClassVar[bool] = False
    """Whether it is written with a cutoff."""
    lower_is_better: ClassVar[bool] = False
    heading: ClassVar[str | None] = None
    """Heads its column, where its text form is too long for that."""

    def __post_init__(self) -> None:
        given, kind = self.cutoff, type(self).__name__
        if self.has_cutoff != (given is not None) or (given is not None and given < 1):
            form = f"with a cutoff of at least 1: {kind}@10" if self.has_cutoff else f"without a cutoff: {kind}"
            raise InvalidArgumentError(f"There is no measure {self.name!r}.", hint=f"Write it {form}.")

    @property
    def name(self) -> str:
        """The text form."""
        return type(self).__name__ + ("" if self.cutoff is None else f"@{self.cutoff}")

    @property
    def depth(self) -> int:
        """Documents of a ranking that it looks at."""
        return DEPTH if self.cutoff is None else self.cutoff

    @abstractmethod
    def value(self, question: Question, ranking: Ranking) -> float | None:
        """The value for one question, or None where it is not defined for it."""

    def values(self, questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> dict[str, float]:
        """Values by question id; a question without a ranking counts as an empty one."""
        found = {question.id: self.value(question, rankings.get(question.id, Ranking())) for question in questions}
        return {identity: value for identity, value in found.items() if value is not None}


class LSNC(Measure):
    """Log-scaled negation consistency of the top k, for questions with known violations; see :func:`lsnc`.

    Source: ComLQ, equation 2.
    """

    has_cutoff = True

    def value(self, question: Question, ranking: Ranking) -> float | None:
        """In [0, 1], 1 without violations; k stays the cutoff where fewer documents were retrieved."""
        assert self.cutoff is not None
        return lsnc(_violating(question, ranking, self.cutoff), self.cutoff) if question.violations else None


class Violation(Measure):
    """Whether at least one of the top k documents is about what the question excludes.

    Source: this package. Lower is better.
    """

    has_cutoff = True
    lower_is_better = True

    def value(self, question: Question, ranking: Ranking) -> float | None:
        """1 or 0."""
        assert self.cutoff is not None
        return float(_violating(question, ranking, self.cutoff) > 0) if question.violations else None


class WantedAboveUnwanted(Measure):
    """Whether the best relevant document scores strictly above the best violating one, however far down.

    Source: this package, after the pairwise accuracy of NevIR (Weller, Lawrie and Van Durme, EACL 2024).
    """

    heading = "pairwise"
    depth = 0  # scores say it all

    def value(self, question: Question, ranking: Ranking) -> float | None:
        """1 or 0; None where the question has no relevant or no violating document in its corpus."""
        relevant, violating = (
            [ranking.scores[document] for document in own if document in ranking.scores]
            for own in (question.relevant, question.violations)
        )
        return float(max(relevant) > max(violating)) if relevant and violating else None


@dataclass(frozen=True)
class OfIrMeasures(Measure):
    """A measure of ir-measures (MacAvaney, Macdonald and Ounis, ECIR 2022), which names the source of each.

    Args:
        measure: The library's own.
    """

    measure: Any = None

    def __post_init__(self) -> None:
        cutoff = self.measure.params.get("cutoff")
        object.__setattr__(self, "cutoff", cutoff)
        if cutoff is not None and cutoff < 1:
            raise InvalidArgumentError(f"There is no measure {self.name!r}.", hint="A cutoff is at least 1.")

    @property
    def name(self) -> str:
        """The library's text form."""
        return str(self.measure)

    def value(self, question: Question, ranking: Ranking) -> float | None:
        """The library's value for one question."""
        return self.values([question], {question.id: ranking})[question.id]

    def values(self, questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> dict[str, float]:
        """The library's values; its default, mostly 0, for a question without a ranking."""
        numbers: dict[str, str] = {}  # some of the library's providers are programs that split lines at spaces

        def number(document: str) -> str:
            return numbers.setdefault(document, str(len(numbers)))

        qrels = {
            str(place): {number(document): grade for document, grade in question.relevance.items()}
            for place, question in enumerate(questions)
        }
        # Scores are places counted from the bottom: ties were broken before, and the library must not break them again.
        run = {
            str(place): {number(document): float(-rank) for rank, document in enumerate(rankings[question.id].ids)}
            for place, question in enumerate(questions)
            if question.id in rankings
        }
        values = {question.id: float(self.measure.DEFAULT) for question in questions}
        for metric in self.measure.iter_calc(qrels, run):
            values[questions[int(metric.query_id)].id] = float(metric.value)
        return values


MEASURES: dict[str, type[Measure]] = {kind.__name__: kind for kind in (LSNC, Violation, WantedAboveUnwanted)}
"""Measures that ir-measures does not have, by name."""


def get_measure(measure: str | Measure | Any) -> Measure:
    """Read the text form of a measure; a :class:`Measure`, or one of ir-measures, is taken as it is.

    Raises:
        InvalidArgumentError: There is none of this form, or ir-measures has it and cannot compute it here.
        MissingPackageError: ir-measures is not installed.
    """
    if isinstance(measure, Measure):
        return measure
    measure = measure.strip() if isinstance(measure, str) else measure
    own = re.fullmatch(r"(\w+)(?:@(\d{1,9}))?", str(measure))
    if own is not None and own[1] in MEASURES:
        return MEASURES[own[1]](None if own[2] is None else int(own[2]))
    package = require("ir_measures", "Computing nDCG, AP, R, P and RR")
    try:
        found = package.parse_measure(measure)
        found.validate_params()
    except (ValueError, NameError, TypeError, AssertionError, RecursionError, MemoryError) as error:
        known = {name.casefold(): name for name in (*MEASURES, *package.measures.registry)}
        asked = re.split(r"\W", str(measure))[0].casefold()
        close = [known[name] for name in difflib.get_close_matches(asked, known, n=3)]
        meant = f"Did you mean {' or '.join(close)}? " if close else ""
        forms = ", ".join(f"{name}@10" if kind.has_cutoff else name for name, kind in MEASURES.items())
        raise InvalidArgumentError(
            f"There is no measure {str(measure)[:60]!r}.",
            hint=f"{meant}Write one as ir-measures does (nDCG@10, P(rel=2)@5, RR), or {forms}.",
        ) from error
    made = OfIrMeasures(measure=found)
    try:
        made.values([Question("q", "", relevance={"d": 1})], {"q": Ranking(("d",))})
    except Exception as error:  # its providers are programs of all kinds
        raise InvalidArgumentError(
            f"ir-measures has the measure {made.name}, but cannot compute it here: {error}",
            hint="Install what it needs (the documentation of ir-measures lists the providers), or leave it out.",
        ) from error
    return made


def default_measures(cutoffs: Sequence[int]) -> tuple[str, ...]:
    """Names of the measures that are computed where none are asked for.

    Raises:
        InvalidArgumentError: There is no cutoff, or one is below 1.
    """
    if not cutoffs or min(cutoffs) < 1:
        raise InvalidArgumentError(f"The cutoffs are {list(cutoffs)}.", hint="Give one or more, each at least 1.")
    kinds = ("nDCG", "AP", "R", "P", "RR", "LSNC", "Violation")
    return (*(f"{kind}@{k}" for k in sorted(set(cutoffs)) for kind in kinds), "WantedAboveUnwanted")


def default_columns(cutoffs: Sequence[int]) -> tuple[str, ...]:
    """Those of :func:`default_measures` that are shown: each at the cutoff at which it is mostly reported."""
    k, depth = min(cutoffs), max(cutoffs)
    shown = (f"nDCG@{k}", f"AP@{depth}", f"R@{depth}", f"RR@{k}", f"LSNC@{depth}", f"Violation@{k}")
    return (*shown, "WantedAboveUnwanted")


def compute(
    measures: Sequence[str | Measure], questions: Sequence[Question], rankings: Mapping[str, Ranking]
) -> Values:
    """Compute measures for every question; one without a ranking counts as an empty ranking.

    Raises:
        InvalidArgumentError: There is no such measure.
        MissingPackageError: ir-measures is not installed.
    """
    return {measure.name: measure.values(questions, rankings) for measure in map(get_measure, measures)}


def lsnc(violations: int, k: int) -> float:
    """Log-scaled negation consistency of a top k that holds some violating documents.

    ``-log((V + 1) / (k + 1)) / log(k + 1)``, in [0, 1]: 1 without violations, 0 where all k violate; falls, the first
    violations costing most. Source: ComLQ, equation 2.

    Args:
        violations: V, the number of violating documents among the top k, from 0 to k.
        k: The cutoff, at least 1.

    Raises:
        InvalidArgumentError: The arguments are outside these ranges.

    Examples:
        >>> lsnc(0, 100), round(lsnc(1, 3), 3), abs(lsnc(3, 3))
        (1.0, 0.5, 0.0)
    """
    if k < 1 or not 0 <= violations <= k:
        raise InvalidArgumentError(
            f"LSNC@{k} of {violations} violations is not defined.", hint="Give k >= 1 and 0 <= violations <= k."
        )
    return -math.log((violations + 1) / (k + 1)) / math.log(k + 1)


def _violating(question: Question, ranking: Ranking, k: int) -> int:
    return sum(document in question.violations for document in ranking.ids[:k])

"""Measures as values with a text form, computed for every question.

Standard measures come from ir-measures: nDCG@k (linear gain), AP@k, R@k, P@k, RR@k. Three are of this package:

- ``LSNC@k``, log-scaled negation consistency (ComLQ, equation 2), for questions with known violations;
- ``Violation@k``, 1 where at least one of the top k documents violates the question's exclusion;
- ``WantedAboveUnwanted``, 1 where the best relevant document scores strictly above the best violating one.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.dataset import Question
from logical_retriever.evaluation.optional import require

STANDARD = ("nDCG", "AP", "R", "P", "RR")
OWN = ("LSNC", "Violation")
WANTED_ABOVE_UNWANTED = "WantedAboveUnwanted"

Values = dict[str, dict[str, float]]
"""Measure -> question id -> value; a question for which the measure is not defined is absent."""


@dataclass(frozen=True)
class Ranking:
    """What a method answered to one question.

    Attributes:
        ids: Retrieved documents, best first, at least as many as the deepest cutoff where there are as many.
        wanted_above: Whether the best relevant document scores above the best violating one; None where the question
            has no relevant or no violating document.
    """

    ids: tuple[str, ...] = ()
    wanted_above: bool | None = None


def measure_names(cutoffs: Sequence[int]) -> tuple[str, ...]:
    """Names of all measures at some cutoffs.

    Raises:
        InvalidArgumentError: There is no cutoff, or one is below 1.
    """
    if not cutoffs or min(cutoffs) < 1:
        raise InvalidArgumentError(f"The cutoffs are {list(cutoffs)}.", hint="Give one or more, each at least 1.")
    names = tuple(f"{name}@{k}" for k in sorted(set(cutoffs)) for name in (*STANDARD, *OWN))
    return (*names, WANTED_ABOVE_UNWANTED)


def compute(names: Sequence[str], questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> Values:
    """Compute measures for every question.

    Args:
        names: Names as :func:`measure_names` gives them.
        questions: The questions with their judgements.
        rankings: By question id; a question without one counts as an empty ranking.

    Raises:
        InvalidArgumentError: A measure of another name.
        MissingPackageError: ir-measures is not installed.
    """
    values: Values = {name: {} for name in names}
    standard = [name for name in names if name.partition("@")[0] in STANDARD]
    if standard:
        values.update(_standard(standard, questions, rankings))
    for name in names:
        if name in standard:
            continue
        for question in questions:
            value = _own(name, question, rankings.get(question.id, Ranking()))
            if value is not None:
                values[name][question.id] = value
    return values


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


def _own(name: str, question: Question, ranking: Ranking) -> float | None:
    if name == WANTED_ABOVE_UNWANTED:
        return None if ranking.wanted_above is None else float(ranking.wanted_above)
    kind, _, cutoff = name.partition("@")
    if kind not in OWN or not cutoff.isdigit() or int(cutoff) < 1:
        close = difflib.get_close_matches(kind, (*STANDARD, *OWN, WANTED_ABOVE_UNWANTED), n=1)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise InvalidArgumentError(
            f"There is no measure {name!r}.",
            hint=f"{hint}Known: {', '.join(f'{known}@10' for known in (*STANDARD, *OWN))}, {WANTED_ABOVE_UNWANTED}.",
        )
    if not question.violations:
        return None
    violating = sum(document in question.violations for document in ranking.ids[: int(cutoff)])
    return lsnc(violating, int(cutoff)) if kind == "LSNC" else float(violating > 0)


def _standard(names: Sequence[str], questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> Values:
    package = require("ir_measures", "Computing nDCG, AP, R, P and RR")
    measures = {}
    for name in names:
        try:
            measures[package.parse_measure(name)] = name
        except (ValueError, NameError, SyntaxError) as error:
            raise InvalidArgumentError(f"There is no measure {name!r}.", hint="Write it like nDCG@10.") from error
    qrels = {question.id: dict(question.relevance) for question in questions}
    # Scores are places counted from the bottom: ties were broken before, and the package must not break them again.
    run = {
        question.id: {document: float(-place) for place, document in enumerate(rankings[question.id].ids)}
        for question in questions
        if question.id in rankings
    }
    values: Values = {name: {question.id: 0.0 for question in questions} for name in names}
    for metric in package.iter_calc(list(measures), qrels, run):
        values[measures[metric.measure]][metric.query_id] = float(metric.value)
    return values

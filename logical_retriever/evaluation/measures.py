"""Measures of the ranking for a question.

Every measure of ir-measures is one, by its own name: ``nDCG@10`` (linear gain), ``P(rel=2)@5``, ``RR``. Beside them
stand those of this file. A new one is a function like these, and a line in :data:`MEASURES`.
"""

from __future__ import annotations

import contextlib
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import quote

import numpy as np

from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.evaluation.loading import JudgedQuestion
from logical_retriever.evaluation.workbench import Array, require

DEPTH = 1000
"""Depth of measures without a cutoff: the documents of a run of TREC."""


@dataclass(frozen=True)
class Ranking:
    """A method's answer to one question.

    Attributes:
        ids: Retrieved documents, best first, down to the depth of the measures.
        scores: Scores of the relevant and the violating documents in the question's own corpus; ``-inf`` for those not
            retrieved.
    """

    ids: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)


def rank(scores: Array, ids: Sequence[str], depth: int) -> tuple[str, ...]:
    """Return the ids of the best of n documents; among equal ones, the larger checksum of the id comes first.

    The order of the file or of the ids would favour methods with many ties: benchmarks list the wanted document first,
    or name it so that it sorts first.

    Args:
        scores: Shape (n,); ``-inf`` is not retrieved.
        ids: Ids of the n documents.
        depth: At least 1.

    Raises:
        SemanticsError: A score is not a number.
    """
    if np.isnan(scores).any():
        raise SemanticsError(
            f"{np.isnan(scores).sum()} of {len(scores)} scores are not numbers.",
            hint="Check the vectors and the method's formula.",
        )
    positions = np.flatnonzero(scores > -np.inf)
    if len(positions) > depth:
        positions = np.flatnonzero(scores >= np.partition(scores, len(scores) - depth)[len(scores) - depth])
    ties = np.array([zlib.crc32(ids[int(at)].encode()) for at in positions], dtype=np.int64)
    return tuple(ids[int(at)] for at in positions[np.lexsort((-ties, -scores[positions]))[:depth]])


@dataclass(frozen=True)
class Measure:
    """A function from a ranking to a number, for every question.

    Attributes:
        name: Its text form.
        values: Computes the values by question id from questions and rankings by question id. A question without a
            ranking counts as one with an empty ranking; one for which the measure is not defined is absent.
        depth: Documents of a ranking that it needs.
        lower_is_better: Whether 0 is best.
        heading: Heading of its column, where its text form is too long.
    """

    name: str
    values: Callable[[Sequence[JudgedQuestion], Mapping[str, Ranking]], dict[str, float]]
    depth: int = DEPTH
    lower_is_better: bool = False
    heading: str | None = None


def each(value: Callable[[JudgedQuestion, Ranking], float | None]) -> Callable[..., dict[str, float]]:
    """Make the ``values`` of a measure from a function for one question, which returns None where it is undefined."""

    def values(questions: Sequence[JudgedQuestion], rankings: Mapping[str, Ranking]) -> dict[str, float]:
        pairs = ((question.id, value(question, rankings.get(question.id, Ranking()))) for question in questions)
        return {identity: number for identity, number in pairs if number is not None}

    return values


def lsnc(k: int, question: JudgedQuestion, ranking: Ranking) -> float | None:
    """Compute the log-scaled negation consistency of the top k; None without known violations.

    ``-log((V + 1) / (k + 1)) / log(k + 1)`` for V violating documents among the top k, in [0, 1]: 1 without violations,
    0 where all k violate; falls, the first violations costing most. k stays the cutoff where fewer documents were
    retrieved. Source: ComLQ, equation 2.
    """
    violations = sum(document in question.violations for document in ranking.ids[:k])
    return -math.log((violations + 1) / (k + 1)) / math.log(k + 1) if question.violations else None


def violation(k: int, question: JudgedQuestion, ranking: Ranking) -> float | None:
    """Return 1 where one of the top k documents violates the exclusion, else 0. Source: this package."""
    return float(not question.violations.isdisjoint(ranking.ids[:k])) if question.violations else None


def wanted_above_unwanted(question: JudgedQuestion, ranking: Ranking) -> float | None:
    """Return 1 where the best relevant document scores strictly above the best violating one, however far down.

    Undefined where the question has no relevant or no violating document in its corpus. Source: this package, after
    the pairwise accuracy of NevIR (Weller, Lawrie and Van Durme, EACL 2024).
    """
    relevant, violating = (
        [ranking.scores[document] for document in own if document in ranking.scores]
        for own in (question.relevant, question.violations)
    )
    return float(max(relevant) > max(violating)) if relevant and violating else None


MEASURES: dict[str, Callable[..., Measure]] = {
    "LSNC": lambda k: Measure(f"LSNC@{k}", each(partial(lsnc, k)), k),
    "Violation": lambda k: Measure(f"Violation@{k}", each(partial(violation, k)), k, lower_is_better=True),
    "WantedAboveUnwanted": lambda: Measure("WantedAboveUnwanted", each(wanted_above_unwanted), 0, heading="pairwise"),
}
"""Factories of the measures that ir-measures does not have, by name; they take the cutoff, or nothing."""


def get_measure(text: str) -> Measure:
    """Read the text form of a measure.

    Raises:
        InvalidArgumentError: No measure has this form, or ir-measures cannot compute it here.
        MissingPackageError: ir-measures is not installed.
    """
    package = require("ir_measures", "Computing nDCG, AP, R, P and RR")
    name, at, cutoff = text.strip().partition("@")
    with contextlib.suppress(ValueError, NameError, TypeError, AssertionError, RecursionError, MemoryError):
        if name in MEASURES and (not at or int(cutoff) >= 1):
            return MEASURES[name](*((int(cutoff),) if at else ()))
        parsed = package.parse_measure(text.strip())
        parsed.validate_params()
        if parsed.params.get("cutoff", 1) >= 1 and package.DefaultPipeline.supports(parsed):
            return Measure(str(parsed), partial(_by_ir_measures, parsed), parsed.params.get("cutoff", DEPTH))
    raise InvalidArgumentError(
        f"There is no measure {text[:60]!r} that can be computed here.",
        hint="Write one as ir-measures does (nDCG@10, P(rel=2)@5, RR), or LSNC@10, Violation@10, WantedAboveUnwanted.",
    )


def _by_ir_measures(
    measure: Any, questions: Sequence[JudgedQuestion], rankings: Mapping[str, Ranking]
) -> dict[str, float]:
    """Compute the values by ir-measures (MacAvaney, Macdonald and Ounis, ECIR 2022)."""
    # Some of the library's providers are programs that split lines at spaces, and count questions. Scores are places
    # counted from the bottom: ties were broken before, and the library must not break them again.
    numbered = [(str(number), question) for number, question in enumerate(questions)]
    qrels = {number: {quote(id): grade for id, grade in question.relevance.items()} for number, question in numbered}
    run = {
        number: {quote(id): float(-place) for place, id in enumerate(rankings[question.id].ids)}
        for number, question in numbered
        if question.id in rankings
    }
    values = dict.fromkeys((question.id for question in questions), float(measure.DEFAULT))
    return values | {questions[int(row.query_id)].id: float(row.value) for row in measure.iter_calc(qrels, run)}


def default_measures(cutoffs: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the measures to compute where none are named, and of those to show.

    Raises:
        InvalidArgumentError: No cutoff, or one below 1.
    """
    if not cutoffs or min(cutoffs) < 1:
        raise InvalidArgumentError(f"The cutoffs are {list(cutoffs)}.", hint="Give one or more, each at least 1.")
    kinds, k, depth = ("nDCG", "AP", "R", "P", "RR", "LSNC", "Violation"), min(cutoffs), max(cutoffs)
    shown = (f"nDCG@{k}", f"AP@{depth}", f"R@{depth}", f"RR@{k}", f"LSNC@{depth}", f"Violation@{k}")
    computed = (f"{kind}@{cutoff}" for cutoff in sorted(set(cutoffs)) for kind in kinds)
    return (*computed, "WantedAboveUnwanted"), (*shown, "WantedAboveUnwanted")

"""Measures as values: how good the ranking for a question is.

Every measure of ir-measures is one, by its own name: ``nDCG@10`` (linear gain), ``P(rel=2)@5``, ``RR``. Beside them
stand those of this file. A new one is a function like these, and a line in :data:`MEASURES`.
"""

from __future__ import annotations

import difflib
import math
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.evaluation.loading import Question
from logical_retriever.evaluation.workbench import require

DEPTH = 1000
"""Documents of a ranking that measures without a cutoff look at: as many as a run of TREC holds."""


@dataclass(frozen=True)
class Ranking:
    """The answer of a method to one question.

    Attributes:
        ids: Retrieved documents, best first, as many as the measures asked for look at.
        scores: Scores of the documents that are known to be relevant or violating, ``-inf`` for those not retrieved;
            those outside the question's own corpus are absent.
    """

    ids: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)


def rank(scores: npt.NDArray[np.float64], ids: Sequence[str], depth: int) -> tuple[str, ...]:
    """The best ``depth`` of n documents, of equal ones the one whose id has the larger checksum.

    The order of the file or of the ids would not do for these: benchmarks list the wanted document first, or name it so
    that it sorts first, and a method with many ties would profit.

    Args:
        scores: Shape (n,); ``-inf`` is not retrieved.
        ids: Ids of the n documents.
        depth: At least 1.

    Raises:
        SemanticsError: A score is not a number.
    """
    broken = int(np.isnan(scores).sum())
    if broken:
        what = f"{broken} of {len(scores)} scores are not numbers."
        raise SemanticsError(what, hint="Check the vectors and the method's formula.")
    positions = np.flatnonzero(scores > -np.inf)
    if len(positions) > depth:
        positions = np.flatnonzero(scores >= np.partition(scores, len(scores) - depth)[len(scores) - depth])
    ties = np.array([zlib.crc32(ids[int(at)].encode()) for at in positions], dtype=np.int64)
    return tuple(ids[int(at)] for at in positions[np.lexsort((-ties, -scores[positions]))[:depth]])


@dataclass(frozen=True)
class Measure:
    """A number for every question.

    Attributes:
        name: Its text form.
        values: Values by question id, for questions and rankings by question id; a question without a ranking counts as
            an empty one, one for which the measure is not defined is absent.
        depth: Documents of a ranking that it looks at.
        lower_is_better: Whether 0 is best.
        heading: Heads its column, where its text form is too long for that.
    """

    name: str
    values: Callable[[Sequence[Question], Mapping[str, Ranking]], dict[str, float]]
    depth: int = DEPTH
    lower_is_better: bool = False
    heading: str | None = None


def each(value: Callable[[Question, Ranking], float | None]) -> Callable[..., dict[str, float]]:
    """The ``values`` of a measure from its value for one question, None where it is not defined for it."""

    def values(questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> dict[str, float]:
        pairs = ((one.id, value(one, rankings.get(one.id, Ranking()))) for one in questions)
        return {identity: number for identity, number in pairs if number is not None}

    return values


def lsnc(k: int, question: Question, ranking: Ranking) -> float | None:
    """Log-scaled negation consistency of the top k, for questions with known violations.

    ``-log((V + 1) / (k + 1)) / log(k + 1)`` for V violating documents among the top k, in [0, 1]: 1 without violations,
    0 where all k violate; falls, the first violations costing most. k stays the cutoff where fewer documents were
    retrieved. Source: ComLQ, equation 2.
    """
    violations = sum(document in question.violations for document in ranking.ids[:k])
    return -math.log((violations + 1) / (k + 1)) / math.log(k + 1) if question.violations else None


def violation(k: int, question: Question, ranking: Ranking) -> float | None:
    """Whether at least one of the top k documents is about what the question excludes. Source: this package."""
    return float(not question.violations.isdisjoint(ranking.ids[:k])) if question.violations else None


def wanted_above_unwanted(question: Question, ranking: Ranking) -> float | None:
    """Whether the best relevant document scores strictly above the best violating one, however far down.

    Not defined where the question has no relevant or no violating document in its corpus. Source: this package, after
    the pairwise accuracy of NevIR (Weller, Lawrie and Van Durme, EACL 2024).
    """
    relevant, violating = (
        [ranking.scores[document] for document in own if document in ranking.scores]
        for own in (question.relevant, question.violations)
    )
    return float(max(relevant) > max(violating)) if relevant and violating else None


MEASURES: dict[str, Measure | Callable[[int], Measure]] = {
    "LSNC": lambda k: Measure(f"LSNC@{k}", each(partial(lsnc, k)), k),
    "Violation": lambda k: Measure(f"Violation@{k}", each(partial(violation, k)), k, lower_is_better=True),
    "WantedAboveUnwanted": Measure("WantedAboveUnwanted", each(wanted_above_unwanted), depth=0, heading="pairwise"),
}
"""Measures that ir-measures does not have, by name; those with a cutoff as functions of it."""


def get_measure(measure: str | Measure | Any) -> Measure:
    """Read the text form of a measure; a :class:`Measure`, or one of ir-measures, is taken as it is.

    Raises:
        InvalidArgumentError: There is none of this form, or ir-measures has it and cannot compute it here.
        MissingPackageError: ir-measures is not installed.
    """
    if isinstance(measure, Measure):
        return measure
    text = str(measure).strip()
    own = re.fullmatch(r"(\w+)(?:@(\d{1,9}))?", text)
    if own is not None and (made := MEASURES.get(own[1])) is not None:
        if isinstance(made, Measure) and own[2] is None:
            return made
        if not isinstance(made, Measure) and int(own[2] or 0) >= 1:
            return made(int(own[2]))
        form = (
            f"without a cutoff: {own[1]}" if isinstance(made, Measure) else f"with a cutoff of at least 1: {own[1]}@10"
        )
        raise InvalidArgumentError(f"There is no measure {text!r}.", hint=f"Write it {form}.")
    package = require("ir_measures", "Computing nDCG, AP, R, P and RR")
    try:
        parsed = package.parse_measure(text if isinstance(measure, str) else measure)
        parsed.validate_params()
    except (ValueError, NameError, TypeError, AssertionError, RecursionError, MemoryError) as error:
        known = {name.casefold(): name for name in (*MEASURES, *package.measures.registry)}
        close = difflib.get_close_matches(re.split(r"\W", text)[0].casefold(), known, n=3)
        meant = f"Did you mean {' or '.join(known[name] for name in close)}? " if close else ""
        forms = ", ".join(name if isinstance(made, Measure) else f"{name}@10" for name, made in MEASURES.items())
        raise InvalidArgumentError(
            f"There is no measure {text[:60]!r}.",
            hint=f"{meant}Write one as ir-measures does (nDCG@10, P(rel=2)@5, RR), or {forms}.",
        ) from error
    cutoff = parsed.params.get("cutoff", DEPTH)
    if cutoff < 1:
        raise InvalidArgumentError(f"There is no measure {text!r}.", hint="A cutoff is at least 1.")
    try:
        _by_ir_measures(parsed, [Question("q", "", relevance={"d": 1})], {"q": Ranking(("d",))})
    except Exception as error:  # its providers are programs of all kinds
        raise InvalidArgumentError(
            f"ir-measures has the measure {parsed}, but cannot compute it here: {error}",
            hint="Install what it needs (the documentation of ir-measures lists the providers), or leave it out.",
        ) from error
    return Measure(str(parsed), lambda questions, rankings: _by_ir_measures(parsed, questions, rankings), cutoff)


def _by_ir_measures(measure: Any, questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> dict[str, float]:
    """The values of ir-measures (MacAvaney, Macdonald and Ounis, ECIR 2022); its default for an empty ranking."""
    # Some of the library's providers are programs that split lines at spaces: ids become numbers. Scores are places
    # counted from the bottom: ties were broken before, and the library must not break them again.
    ranked = [rankings.get(question.id, Ranking()).ids for question in questions]
    ids = dict.fromkeys(id for one, best in zip(questions, ranked, strict=True) for id in (*one.relevance, *best))
    number = {document: str(place) for place, document in enumerate(ids)}
    qrels = {
        str(place): {number[document]: grade for document, grade in question.relevance.items()}
        for place, question in enumerate(questions)
    }
    run = {
        str(at): {number[id]: float(-rank) for rank, id in enumerate(best)} for at, best in enumerate(ranked) if best
    }
    values = {question.id: float(measure.DEFAULT) for question in questions}
    for metric in measure.iter_calc(qrels, run):
        values[questions[int(metric.query_id)].id] = float(metric.value)
    return values


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

"""Relevance in [0, 1] from evidence or scores, always in the order of the scores.

Evidence is a number of standard deviations of chance, the same for every question, store and encoder; a curve over it,
fitted once, means the same as well. The curve never reaches its ends, not even by rounding: two documents that differ
in score differ in relevance.
"""

from __future__ import annotations

import numpy as np

from logical_retriever.semantics.evidence import Array

MIDDLE = 6.5
"""Evidence at which relevance is one half; ``benchmarks/answers.py`` prints what was judged relevant by relevance."""
SLOPE = 0.55
"""How fast relevance rises with evidence, per standard deviation."""
STRAIGHT = 4.0
"""Logits from which on they grow as a logarithm: evidence of 60 and of 70 would else both round to 1."""
EDGE = 1e-3
"""Share of [0, 1] at either end for scores that lie outside it."""


def relevance_of_evidence(evidence: Array) -> Array:
    """The logistic curve over evidence: shape (N,) to shape (N,), 0 for minus infinity."""
    logits = SLOPE * (evidence - MIDDLE)
    logits = np.where(logits > STRAIGHT, STRAIGHT + np.log1p(np.maximum(logits - STRAIGHT, 0.0)), logits)
    with np.errstate(over="ignore"):
        curve: Array = 1.0 / (1.0 + np.exp(-logits))
    return curve


def evidence_of_score(scores: Array, onset: float) -> Array:
    """Evidence that one wanted term alone would need for a composed score: the inverse of ``log softplus(e - onset)``.

    Args:
        scores: Shape (N,), of :class:`~logical_retriever.semantics.CalibratedSemantics` where something is wanted and
            something is composed.
        onset: Evidence at which a wanted term begins to count in full.
    """
    amounts = np.exp(np.minimum(scores, 700.0))
    # log(expm1(a)) is a + log(1 - exp(-a)); below 1e-8 it is log(a) to double precision, which is the score.
    small = amounts < 1e-8
    rising = np.where(small, 1.0, amounts)
    found: Array = onset + np.where(small, scores, rising + np.log(-np.expm1(-rising)))
    return found


def squeezed(scores: Array) -> Array:
    """Scores that are truth values, or nearly: in [0, 1] as they are up to a thousandth, and in order outside."""
    inside = np.clip(scores, 0.0, 1.0)
    below, above = np.minimum(scores, 0.0), np.maximum(scores - 1.0, 0.0)
    relevance: Array = EDGE + (1.0 - 2.0 * EDGE) * inside
    relevance = np.where(scores < 0.0, EDGE / (1.0 - below), relevance)
    return np.where(scores > 1.0, 1.0 - EDGE / (1.0 + above), relevance)

"""Relevance in [0, 1] from scores, always in their order.

Under calibrated semantics it is a logistic curve, fitted once over all development sets (docs/scoring.md). The curve
depends on three things that mean the same for every question, store and encoder: how far a document stands below the
best one, how much evidence the best one has, and how close the best come to what is wanted, compared with unrelated
texts. Rounding does not reach the ends of the curve: two documents with different scores differ in relevance.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from logical_retriever.query import And, LogicalQuery, Not, Term, to_nnf
from logical_retriever.scoring.evidence import Array

FALL = 6.6
"""How fast relevance falls below the best document, in logits for each factor of e in evidence."""
BEST = 0.26
"""Logits for each factor of e in the evidence of the best document."""
CLOSE = 0.334
"""Logits for each standard deviation of closeness."""
BASE = -1.67
"""Logits where both are 0."""
SEEN = 6
"""Number of best documents among which the closest to what is wanted is looked for; for a single term, the best one is
the closest. The number is fixed, so that relevance does not depend on k."""
USUAL = 10.0
"""Closeness if it is unknown: that of the best documents for most questions with an answer in the corpus."""
CLOSEST = 25.0
"""Greatest closeness that counts: vectors that are all alike have no deviation."""
EDGE = 1e-3
"""Share of [0, 1] at either end for scores outside it."""


def relevance_of_evidence(evidence: Array, close: float | None = None) -> Array:
    """Return the relevance of the best documents of a search, the very best among them.

    Args:
        evidence: Shape (N,), in standard deviations of chance; minus infinity for a certainly irrelevant document.
        close: From :func:`closeness`.

    Returns:
        Shape (N,), in the order of the evidence, and 0 for minus infinity.
    """
    heights = log_softplus(evidence)
    highest = float(heights.max(initial=-np.inf))
    if not np.isfinite(highest):
        return np.zeros(len(evidence))
    bounded = min(USUAL if close is None else close, CLOSEST)
    logits = FALL * (heights - highest) + BEST * highest + CLOSE * bounded + BASE
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-logits)))


def closeness(
    query: LogicalQuery, cosines: Mapping[str, Array], words: Mapping[str, Array], unrelated: tuple[float, float]
) -> float | None:
    """Return how close the closest of N documents comes to what a query wants; exclusions do not count.

    Evidence from vectors and from words adds up by squares, as everywhere. But all terms have one null distribution,
    that of unrelated texts: in a store of one subject, every document is close to a question about it, and none stands
    out.

    Args:
        query: The query.
        cosines: Of each wanted term, shape (N,), N at least 1.
        words: Evidence for each from words, shape (N,); empty if no words were read.
        unrelated: Mean and standard deviation of the cosines of unrelated texts.

    Returns:
        In standard deviations, 0 or more; None for a query that only excludes.
    """
    mean, deviation = unrelated

    def visit(node: LogicalQuery, parts: tuple[Array | None, ...]) -> Array | None:
        if isinstance(node, Term):
            by_vector = np.maximum(cosines[node.text] - mean, 0.0) / deviation
            return np.asarray(np.hypot(by_vector, words.get(node.text, 0.0)))
        wanted = [part for part in parts if part is not None]
        if isinstance(node, Not) or not wanted:
            return None
        return np.asarray((np.minimum if isinstance(node, And) else np.maximum).reduce(wanted))

    found = to_nnf(query).fold(visit)
    return None if found is None else float(found.max())


def evidence_of_score(scores: Array, onset: float) -> Array:
    """Return the evidence that one wanted term alone would need for a score: inverts ``log softplus(e - onset)``.

    Args:
        scores: Shape (N,), of :class:`~logical_retriever.scoring.CalibratedSemantics` where something is wanted and
            something is composed.
        onset: Evidence at which a wanted term begins to count in full.
    """
    amounts = np.exp(np.minimum(scores, 700.0))
    # log(expm1(a)) is a + log(1 - exp(-a)); below 1e-8 it is log(a) to double precision, which is the score.
    small = amounts < 1e-8
    rising = np.where(small, 1.0, amounts)
    return np.asarray(onset + np.where(small, scores, rising + np.log(-np.expm1(-rising))))


def squeezed(scores: Array) -> Array:
    """Return truth values as relevance in the same order: within [0, 1] unchanged up to a thousandth."""
    below, above = np.minimum(scores, 0.0), np.maximum(scores - 1.0, 0.0)
    inside = EDGE + (1.0 - 2.0 * EDGE) * np.clip(scores, 0.0, 1.0)
    relevance = np.where(scores < 0.0, EDGE / (1.0 - below), inside)
    return np.where(scores > 1.0, 1.0 - EDGE / (1.0 + above), relevance)


# One exponential of a number that is never positive: no overflow, and np.logaddexp costs five times as much.
def softplus(x: Array) -> Array:
    """Return ``log(1 + exp(x))``."""
    return np.asarray(np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))


def log_softplus(x: Array) -> Array:
    """Return ``log(log(1 + exp(x)))``: x itself far below 0, log(x) far above."""
    # Below -30 softplus(x) is exp(x) to double precision, and its logarithm x; the floor keeps log's argument positive.
    return np.where(x < -30.0, x, np.log(np.maximum(softplus(x), np.finfo(x.dtype).tiny)))

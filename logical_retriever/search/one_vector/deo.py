"""Direct embedding optimisation: the question's vector, moved towards what is wanted and away from what is not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logical_retriever.query import LogicalQuery, negative_terms, positive_terms
from logical_retriever.results import Convergence
from logical_retriever.search.one_vector.sphere import Array, ascend
from logical_retriever.vectors import Vectors, unit

TEMPERATURE = 0.5
ANCHOR = 0.25
"""Chosen once, together with :data:`TEMPERATURE`, across all development sets of exclusion questions."""


@dataclass(frozen=True)
class Decomposition:
    """A query as the method sees it.

    Attributes:
        anchor: The text whose vector is moved: the question, or the wanted terms joined with "and" where there is
            none; None where nothing is wanted and there is no question.
        positives: Texts it is pulled to: the wanted terms, or the anchor where there are none.
        negatives: Texts it is pushed from: the negated terms.
    """

    anchor: str | None
    positives: tuple[str, ...]
    negatives: tuple[str, ...]

    @classmethod
    def of(cls, query: LogicalQuery, question: str | None = None) -> Decomposition:
        """Read it off a logical query, where the paper asks a language model."""
        wanted, unwanted = positive_terms(query), negative_terms(query)
        anchor = question
        if anchor is None:
            anchor = " and ".join(wanted) if wanted else None
        return cls(anchor, wanted if wanted or anchor is None else (anchor,), unwanted)

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts that are encoded, the anchor first; the anchor alone where nothing is to be contrasted."""
        if self.anchor is None:
            return ()
        return (
            tuple(dict.fromkeys((self.anchor, *self.positives, *self.negatives))) if self.negatives else (self.anchor,)
        )


def moved_vector(
    anchor: Vectors,
    positives: Vectors,
    negatives: Vectors,
    *,
    temperature: float = TEMPERATURE,
    weight: float = ANCHOR,
) -> tuple[Array, Convergence]:
    """Minimise a contrastive loss over the unit sphere, starting at the anchor.

    Loss ``-log(Σ exp(u·p/τ) / (Σ exp(u·p/τ) + Σ exp(u·n/τ))) + w·|u - q|²`` over the positives ``p`` and the negatives
    ``n``, with ``q`` the anchor: pulled to the positives, pushed from the negatives, kept near the original. The
    gradient is analytic; there is no randomness. Without negatives there is nothing to contrast, and the anchor is
    returned as it is.

    Source: the idea of DEO (arXiv 2603.09185), which states a contrastive objective over the query's embedding; the
    paper's own constants belong to its larger encoder.

    Args:
        anchor: q, shape (d,), of any length but 0.
        positives: Shape (P, d), P of at least 1.
        negatives: Shape (M, d).
        temperature: τ, above 0.
        weight: w of staying near the anchor, at least 0.

    Returns:
        The vector, shape (d,), of length 1; and how it was found. The objective is the negative loss.
    """
    origin = unit(anchor)[0].astype(np.float64)
    p, n = unit(positives).astype(np.float64), unit(negatives).astype(np.float64)
    if not len(negatives):
        return origin, Convergence(objective=0.0, gradient_norm=0.0, iterations=0, starts=1, converged=True)
    both = np.concatenate([p, n])

    def objective(points: Array) -> tuple[Array, Array]:
        own, own_weights = _log_sum(points @ p.T / temperature)
        total, weights = _log_sum(points @ both.T / temperature)
        away = points - origin
        values = own - total - weight * np.einsum("sd,sd->s", away, away)
        return values, (own_weights @ p - weights @ both) / temperature - 2.0 * weight * away

    return ascend(objective, origin[None, :])


def _log_sum(x: Array) -> tuple[Array, Array]:
    """Per row, the logarithm of the summed exponentials and each exponential's share of the sum."""
    most = x.max(axis=1, keepdims=True)
    exponentials = np.exp(x - most)
    sums = exponentials.sum(axis=1, keepdims=True)
    return (most + np.log(sums))[:, 0], exponentials / sums

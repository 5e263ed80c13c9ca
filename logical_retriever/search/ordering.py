"""The best of what was scored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError
from logical_retriever.results import DocumentId, id_order

TIES = 1000
"""Documents kept beyond those wanted because their scores are as good up to rounding."""
ROUNDING = 1e-4
"""How far scores from cosines of float32 may be off, relative to the largest of the best scores."""


def ordered(scores: npt.NDArray[np.float64], ids: Sequence[DocumentId]) -> list[int]:
    """Positions of scores of shape (N,), best first, ties by id.

    Raises:
        SemanticsError: A score is NaN.
    """
    _check_scores(scores)
    return sorted(range(len(scores)), key=lambda i: (-scores[i], id_order(ids[i])))


def best_rows(scores: npt.NDArray[np.float64], n: int) -> list[int]:
    """Positions, ascending, of the n best of N scores, and of those that are as good up to rounding.

    Args:
        scores: Shape (N,).
        n: At least 1.

    Raises:
        SemanticsError: A score is NaN.
    """
    _check_scores(scores)
    if len(scores) <= n:
        return list(range(len(scores)))
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    size = np.abs(scores[np.isfinite(scores)]).max(initial=1.0)
    near = np.flatnonzero(scores >= least - ROUNDING * size) if np.isfinite(least) else np.flatnonzero(scores >= least)
    if len(near) > n + TIES:
        near = np.sort(near[np.argsort(-scores[near], kind="stable")[: n + TIES]])
    rows: list[int] = near.tolist()
    return rows


def _check_scores(scores: npt.NDArray[np.float64]) -> None:
    if np.isnan(scores).any():
        raise SemanticsError(
            "A document's score is not a number.", hint="Check the semantics: it must be defined for all evidence."
        )

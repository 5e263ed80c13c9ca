"""The best k of what was scored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError
from logical_retriever.results import DocumentId, id_order


def top_k(scores: npt.NDArray[np.float64], ids: Sequence[DocumentId], k: int) -> list[int]:
    """Positions of the k best scores, best first, ties by id.

    Args:
        scores: Shape (N,).
        ids: N identities.
        k: At least 1.

    Raises:
        SemanticsError: A score is NaN.
    """
    check_scores(scores)
    if k < len(scores):
        threshold = np.partition(scores, len(scores) - k)[len(scores) - k]
        contenders = np.flatnonzero(scores >= threshold).tolist()
    else:
        contenders = list(range(len(scores)))
    return sorted(contenders, key=lambda i: (-scores[i], id_order(ids[i])))[:k]


def check_scores(scores: npt.NDArray[np.float64]) -> None:
    """Refuse scores that cannot be ordered.

    Raises:
        SemanticsError: A score is NaN.
    """
    if np.isnan(scores).any():
        raise SemanticsError(
            "A document's score is not a number.", hint="Check the semantics: it must be defined for all evidence."
        )

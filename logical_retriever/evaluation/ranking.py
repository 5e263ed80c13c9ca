"""From scores to a ranking, with ties broken without favour."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError


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


def tie_keys(ids: Sequence[str]) -> npt.NDArray[np.int64]:
    """A number for each document that orders documents with equal scores, larger first: shape (N,).

    It is a checksum of the id. The order of the file or of the ids would not do: benchmarks list the wanted document
    first, or name it so that it sorts first, and a method with many ties would profit.
    """
    return np.array([zlib.crc32(identity.encode()) for identity in ids], dtype=np.int64)


def rank(
    scores: npt.NDArray[np.float64],
    rows: npt.NDArray[np.intp] | None,
    ids: Sequence[str],
    ties: npt.NDArray[np.int64],
    depth: int,
) -> tuple[str, ...]:
    """The best ``depth`` documents.

    Args:
        scores: Shape (n,); ``-inf`` is not retrieved.
        rows: Rows of the n documents in the corpus, or None for the whole corpus.
        ids: Ids of the N documents of the corpus.
        ties: Shape (N,), see :func:`tie_keys`.
        depth: At least 1.

    Raises:
        SemanticsError: A score is not a number.
    """
    if np.isnan(scores).any():
        raise SemanticsError(
            f"{int(np.isnan(scores).sum())} of {len(scores)} scores are not numbers.",
            hint="Check the vectors and the method's formula.",
        )
    positions = np.flatnonzero(scores > -np.inf)
    if len(positions) > depth:
        least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        positions = np.flatnonzero(scores >= least)
    own = ties[positions] if rows is None else ties[rows[positions]]
    best = positions[np.lexsort((-own, -scores[positions]))[:depth]]
    return tuple(ids[row] for row in (best if rows is None else rows[best]))

"""Documents of a scan that can be among the best, found before anything expensive is computed of all the others."""

from __future__ import annotations

import numpy as np

from logical_retriever.search.problem import Array, Problem
from logical_retriever.search.scan.first_pass import FEW, ApproximateCosines, Rows
from logical_retriever.vectors import Vectors

SHARES = (0.001, 0.002, 0.004, 0.008, 0.015, 0.025, 0.04, 0.06, 0.09, 0.13, 0.2)
"""Share of the documents nearest to each wanted text that are composed; the first that is proved to be enough."""
FIRST_SHARE = 0.02
"""Share that is composed while nothing is known of what documents have to reach."""
SAMPLE = 4000
"""Documents from which a share's least cosine is estimated; a bad estimate costs time, never a document."""
ROUNDING = 1e-9
"""How far above the bound a score must be, relative to it: two ways to compute one score may differ by less."""


class Prefilter:
    """Chooses the documents of a block that may score at least as high as the best of the blocks before.

    A score costs many times what a comparison does, and all but a few documents are about none of the wanted texts. One
    whose cosine with each of these texts is below some limit has a score below a bound; where as many documents as are
    wanted have scored above that bound already, it needs no score of its own.

    Safe to use from several threads.

    Args:
        problem: Whose semantics bounds its scores.

    Attributes:
        few: Whether the latest choice was of a few documents.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.few = bool(problem.wanted)
        self._known: dict[float, tuple[Vectors, float]] = {}

    def rows_above(self, wanted: ApproximateCosines, floor: float) -> Rows | None:
        """Rows, ascending, of all documents that may score ``floor`` or more, and some others.

        Args:
            wanted: Cosines of the wanted texts with N documents.
            floor: Score that a document must reach; -inf where nothing is known.

        Returns:
            None where every document may.
        """
        if not self._problem.wanted or floor == -np.inf:
            return None
        for share in SHARES:
            limits, bound = self._limits(share, wanted)
            if floor > bound + ROUNDING * abs(bound):
                rows = self._near(wanted, limits)
                self.few = len(rows) <= FEW * len(wanted.errors)
                return rows
        self.few = False
        return None

    def first_rows(self, wanted: ApproximateCosines) -> Rows | None:
        """Rows, ascending, of the documents nearest to each wanted text; None where they would tell nothing."""
        return self._near(wanted, self._limits(FIRST_SHARE, wanted)[0]) if self._problem.wanted else None

    def _near(self, wanted: ApproximateCosines, limits: Vectors) -> Rows:
        """Documents that may have a cosine above a limit."""
        near = np.zeros(len(wanted.errors), dtype=bool)
        for row, limit in zip(wanted.cosines, limits, strict=True):
            near |= row > limit - wanted.errors
        return np.flatnonzero(near)

    def _limits(self, share: float, wanted: ApproximateCosines) -> tuple[Vectors, float]:
        """Cosine with each wanted text that this share exceeds, and most that a document below all of them scores."""
        if share not in self._known:
            sampled = wanted.cosines[:, :: max(1, wanted.cosines.shape[1] // SAMPLE)]
            place = int((1.0 - share) * sampled.shape[1])
            limits = np.partition(sampled, place, axis=1)[:, place]
            count = len(self._problem.texts)
            low, high = np.full((count, 1), -1.0), np.ones((count, 1))
            high[list(self._problem.wanted), 0] = limits
            bounds: Array = self._problem.upper_bounds(low, high)
            self._known[share] = limits, float(bounds[0])
        return self._known[share]

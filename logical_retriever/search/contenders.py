"""Documents of a scan that can be among the best, found before anything expensive is computed of all the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from logical_retriever.query import LogicalQuery
from logical_retriever.results import Plan
from logical_retriever.semantics import Evidence, Nulls, Semantics

SHARES = (0.02, 0.05, 0.12)
"""Share of the documents nearest to each wanted text that are composed; the first that is proved to be enough."""
SAMPLE = 4000
"""Documents from which a share's least cosine is estimated; a bad estimate costs time, never a document."""
ROUNDING = 1e-9
"""How far above the bound a score must be, relative to it: two ways to compute one score may differ by less."""

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


class Contenders:
    """Chooses the documents of a block that may score at least as high as the best of the blocks before.

    Calibrated scores cost several exponentials a document, and all but a few documents are about none of the wanted
    texts. A document whose cosine with each of these texts is below some limit has a score below a bound; where as
    many documents as are wanted have scored above that bound already, it needs no score of its own.

    Safe to use from several threads.

    Args:
        query: The query.
        plan: With the T texts.
        semantics: Composes the scores and bounds them.
        nulls: Null distributions of the T texts where the semantics is calibrated.
    """

    def __init__(self, query: LogicalQuery, plan: Plan, semantics: Semantics, nulls: Nulls | None) -> None:
        self._query, self._plan, self._semantics, self._nulls = query, plan, semantics, nulls
        # Cheap compositions cost no more than the choice does.
        pays = semantics.calibrated and semantics.bounded
        self._probes = [plan.texts.index(text) for text in semantics.probes(query, plan.question)] if pays else []
        self._known: dict[float, tuple[Array, float]] = {}

    def choose(self, cosines: Array, floor: float) -> Rows | None:
        """Rows, ascending, of all documents that may score ``floor`` or more, and some others.

        Args:
            cosines: Shape (T, N), in [-1, 1].
            floor: Score that a document must reach; -inf where nothing is known.

        Returns:
            None where every document may.
        """
        if not self._probes or floor == -np.inf:
            return None
        for share in SHARES:
            limits, bound = self._limits(share, cosines)
            if floor > bound + ROUNDING * (1.0 + abs(bound)):
                return self._near(cosines, limits)
        return None

    def likely(self, cosines: Array) -> Rows | None:
        """Rows, ascending, of the documents nearest to each wanted text; None where they would tell nothing.

        Args:
            cosines: Shape (T, N), in [-1, 1].
        """
        return self._near(cosines, self._limits(SHARES[0], cosines)[0]) if self._probes else None

    def _near(self, cosines: Array, limits: Array) -> Rows:
        near = cosines[self._probes[0]] > limits[0]
        for row, limit in zip(self._probes[1:], limits[1:], strict=True):
            near |= cosines[row] > limit
        return np.flatnonzero(near)

    def _limits(self, share: float, cosines: Array) -> tuple[Array, float]:
        """Cosine with each wanted text that this share exceeds, and most that a document below all of them scores."""
        if share not in self._known:
            sampled = cosines[self._probes][:, :: max(1, cosines.shape[1] // SAMPLE)]
            place = int((1.0 - share) * sampled.shape[1])
            limits = np.partition(sampled, place, axis=1)[:, place]
            low, high = np.full((len(cosines), 1), -1.0), np.ones((len(cosines), 1))
            high[self._probes, 0] = limits
            ends = [Evidence(self._plan.texts, end, self._nulls, question=self._plan.question) for end in (low, high)]
            self._known[share] = limits, float(self._semantics.upper_bounds(self._query, *ends)[0])
        return self._known[share]

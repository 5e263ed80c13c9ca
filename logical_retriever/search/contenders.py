"""Documents of a scan that can be among the best, found before anything expensive is computed of all the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from logical_retriever.query import LogicalQuery
from logical_retriever.results import Plan
from logical_retriever.search.first_pass import FEW, Rough
from logical_retriever.semantics import Evidence, NullDistributions, Semantics
from logical_retriever.vectors import Vectors

SHARES = (0.001, 0.002, 0.004, 0.008, 0.015, 0.025, 0.04, 0.06, 0.09, 0.13, 0.2)
"""Share of the documents nearest to each wanted text that are composed; the first that is proved to be enough."""
FIRST_SHARE = 0.02
"""Share that is composed while nothing is known of what documents have to reach."""
SAMPLE = 4000
"""Documents from which a share's least cosine is estimated; a bad estimate costs time, never a document."""
ROUNDING = 1e-9
"""How far above the bound a score must be, relative to it: two ways to compute one score may differ by less."""

Rows = npt.NDArray[np.intp]


class Contenders:
    """Chooses the documents of a block that may score at least as high as the best of the blocks before.

    A score costs many times what a comparison does, and all but a few documents are about none of the wanted texts. One
    whose cosine with each of these texts is below some limit has a score below a bound; where as many documents as are
    wanted have scored above that bound already, it needs no score of its own.

    Safe to use from several threads.

    Args:
        query: The query.
        plan: With the T texts.
        semantics: Composes the scores and bounds them.
        nulls: Null distributions of the T texts where the semantics is calibrated.

    Attributes:
        wanted: Positions of the wanted texts, the only ones whose cosines are looked at; may be empty.
        few: Whether the latest choice was of a few documents.
    """

    def __init__(self, query: LogicalQuery, plan: Plan, semantics: Semantics, nulls: NullDistributions | None) -> None:
        self._query, self._plan, self._semantics, self._nulls = query, plan, semantics, nulls
        self.wanted = [plan.texts.index(text) for text in semantics.wanted_texts(query, plan.question)]
        self.few = bool(self.wanted)
        self._known: dict[float, tuple[Vectors, float]] = {}

    def choose(self, rough: Rough, floor: float) -> Rows | None:
        """Rows, ascending, of all documents that may score ``floor`` or more, and some others.

        Args:
            rough: Cosines of the wanted texts with N documents.
            floor: Score that a document must reach; -inf where nothing is known.

        Returns:
            None where every document may.
        """
        if not self.wanted or floor == -np.inf:
            return None
        for share in SHARES:
            limits, bound = self._limits(share, rough)
            if floor > bound + ROUNDING * (1.0 + abs(bound)):
                rows = self._near(rough, limits)
                self.few = len(rows) <= FEW * len(rough.errors)
                return rows
        self.few = False
        return None

    def likely(self, rough: Rough) -> Rows | None:
        """Rows, ascending, of the documents nearest to each wanted text; None where they would tell nothing."""
        return self._near(rough, self._limits(FIRST_SHARE, rough)[0]) if self.wanted else None

    def _near(self, rough: Rough, limits: Vectors) -> Rows:
        """Documents that may have a cosine above a limit."""
        near = np.zeros(len(rough.errors), dtype=bool)
        for row, limit in zip(rough.cosines, limits, strict=True):
            near |= row > limit - rough.errors
        return np.flatnonzero(near)

    def _limits(self, share: float, rough: Rough) -> tuple[Vectors, float]:
        """Cosine with each wanted text that this share exceeds, and most that a document below all of them scores."""
        if share not in self._known:
            sampled = rough.cosines[:, :: max(1, rough.cosines.shape[1] // SAMPLE)]
            place = int((1.0 - share) * sampled.shape[1])
            limits = np.partition(sampled, place, axis=1)[:, place]
            count = len(self._plan.texts)
            low, high = np.full((count, 1), -1.0), np.ones((count, 1))
            high[self.wanted, 0] = limits
            ends = [Evidence(self._plan.texts, end, self._nulls, question=self._plan.question) for end in (low, high)]
            self._known[share] = limits, float(self._semantics.upper_bounds(self._query, *ends)[0])
        return self._known[share]

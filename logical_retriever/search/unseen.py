"""What documents that were not read can score at most."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass

import numpy as np

from logical_retriever.query import LogicalQuery
from logical_retriever.results import Plan
from logical_retriever.search.reader import Pool
from logical_retriever.semantics import Evidence, Nulls, Semantics
from logical_retriever.stores.base import Capabilities
from logical_retriever.vectors import Vectors, cosine_error

LENGTH_SPREAD = 0.01
"""Vectors are of one length when the longest exceeds the shortest by this share at most: float16 stays below."""


@dataclass(frozen=True)
class RankedList:
    """What the store ranks nearest to a text, or to its opposite: then the least similar documents come first.

    Attributes:
        row: Position of the text.
        sign: 1 for the text, -1 for its opposite.
        ids: Nearest first.
        ended: Whether it is shorter than asked: the store has no more to give.
    """

    row: int
    sign: int
    ids: Sequence[str]
    ended: bool

    def depth(self, asked: set[str]) -> int:
        """How many entries have been asked for, counted from the top up to the first that has not."""
        return next((i for i, id in enumerate(self.ids) if id not in asked), len(self.ids))


@dataclass(frozen=True)
class Limits:
    """What cosines documents can have that were not read, by row of the text; -1 to 1 where nothing is said."""

    least: MutableMapping[int, float]
    most: MutableMapping[int, float]


@dataclass(frozen=True)
class Bound:
    """Upper bounds on the score of a document that was not read.

    Attributes:
        now: For what the lists have left.
        later: What stays of it when the lists of the texts, not those of their opposites, have come down to
            documents unrelated to them: reading these lists deeper cannot bring the bound below.
    """

    now: float
    later: float


class Unseen:
    """Bounds on documents outside a pool.

    A document that was read in no list has, with each listed text, at most the cosine of the last entry read, and at
    least that of the last entry of its opposite's list. One without a usable vector has cosine 0 with everything.

    Args:
        query: The query.
        plan: With the T texts.
        vectors: Shape (T, d).
        semantics: Composes the bound.
        nulls: Null distributions of the texts where the semantics is calibrated.
        capabilities: Of the store.
    """

    def __init__(
        self,
        query: LogicalQuery,
        plan: Plan,
        vectors: Vectors,
        semantics: Semantics,
        nulls: Nulls | None,
        capabilities: Capabilities,
    ) -> None:
        self._query = query
        self._plan = plan
        self._semantics = semantics
        self._nulls = nulls
        self._capabilities = capabilities
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
        self._shortest = float(lengths.min())
        # A store may order two documents the wrong way round whose cosines its float32 arithmetic cannot tell apart.
        self._rounding = 2.0 * cosine_error(vectors.shape[1])

    def limits(self, pool: Pool, lists: Sequence[RankedList]) -> Limits | None:
        """What the lists say of documents that were not read; None where their order tells nothing.

        A list tells something when it descends in cosine. An index that ranks by inner product or Euclidean distance
        makes such lists of vectors of nearly one length, up to an error that follows from the lengths.
        """
        slack = self._rounding
        if not self._capabilities.cosine_order and pool.longest > 0:
            spread = pool.longest / pool.shortest - 1.0
            if spread > LENGTH_SPREAD:
                return None
            # |x'|c' <= |x|c for inner products; for distances also (|x'|^2 - |x|^2) / 2|q||x'| on top.
            slack += spread * (1.0 + pool.longest / self._shortest)
        limits = Limits({}, {})
        for ranked in lists:
            read = ranked.sign * pool.cosines_of(ranked.row, ranked.ids[: ranked.depth(pool.asked)])
            falling = np.minimum.accumulate(read)
            if len(read) and (read - falling).max() > slack:
                return None
            limit = min(1.0, float(falling[-1]) + slack) if len(read) else 1.0
            if ranked.sign > 0:
                limits.most[ranked.row] = limit
            else:
                limits.least[ranked.row] = -limit
        return limits

    def bound(self, limits: Limits) -> Bound:
        """Compose what documents that were not read can score at most."""
        count = len(self._plan.texts)
        # Columns: anything that the lists have left; a document without a usable vector; the first once the texts'
        # lists have come down to documents at right angles to them.
        low, high = np.full((count, 3), -1.0), np.ones((count, 3))
        for row, cosine in limits.most.items():
            high[row] = cosine, 0.0, min(cosine, 0.0)
        for row, cosine in limits.least.items():
            low[row] = cosine
        low[:, 1] = high[:, 1] = 0.0
        # Where lists from both ends have met there is little left, and rounding may turn an interval around.
        low = np.minimum(low, high)
        least, most = (
            Evidence(self._plan.texts, cosines, self._nulls, question=self._plan.question) for cosines in (low, high)
        )
        scores = self._semantics.upper_bounds(self._query, least, most)
        return Bound(now=float(scores[:2].max()), later=float(scores[1:].max()))

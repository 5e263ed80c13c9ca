"""Bounds on the score of documents that were not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from logical_retriever.results import DocumentId
from logical_retriever.search.access import Pool
from logical_retriever.search.lists.directions import Direction
from logical_retriever.search.lists.supremum import Region, Supremum, supremum
from logical_retriever.search.problem import Problem
from logical_retriever.stores.base import Capabilities
from logical_retriever.vectors import LONGEST, SHORTEST, cosine_error

LENGTH_SPREAD = 0.01
"""Vectors are of one length when the longest exceeds the shortest by this share at most: float16 stays below."""


@dataclass
class RankedList:
    """Documents that the store ranks nearest in a direction.

    Attributes:
        direction: Of the list.
        ids: Nearest first.
        ended: Whether it is shorter than asked: the store has no more to give.
        wanted: How many of its entries are to be read.
    """

    direction: Direction
    ids: Sequence[DocumentId]
    ended: bool
    wanted: int = 0

    @property
    def finished(self) -> bool:
        """Whether all of it is to be read."""
        return self.wanted >= len(self.ids)

    def depth(self, asked: set[DocumentId]) -> int:
        """How many entries have been asked for, counted from the top up to the first that has not."""
        return next((i for i, id in enumerate(self.ids) if id not in asked), len(self.ids))


@dataclass(frozen=True)
class End:
    """How far down a list has been read.

    Attributes:
        depth: Entries read from the top without a gap.
        limit: No document that was not read has a greater cosine with the direction; 1 before any entry was read.
        fall: How much the cosine fell from the middle of what was read to its end.
    """

    depth: int
    limit: float
    fall: float


class Unseen:
    """Bounds on documents outside a pool.

    A document that was read in no list has, with each list's direction, at most the cosine of the last entry read: with
    each listed text, and at least that of the last entry of the list of its opposite; and the weighted sum of its
    cosines is at most that of the last entry read in such a direction. One without a usable vector has cosine 0 with
    everything, and may stand anywhere in any list.

    Args:
        problem: Its texts encoded; its semantics composes the bound.
        capabilities: Of the store.
    """

    def __init__(self, problem: Problem, capabilities: Capabilities) -> None:
        self._problem = problem
        self._capabilities = capabilities
        vectors = problem.vectors
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
        self._shortest = min(1.0, float(lengths.min()))  # directions of several texts have length 1
        # A store may order two documents the wrong way round whose cosines its float32 arithmetic cannot tell apart;
        # and a direction of several texts loses a little when it is rounded to float32.
        self._rounding = 2.0 * cosine_error(vectors.shape[1]) + 2.0**-22
        nothing = np.zeros((len(problem.texts), 1))
        bounded = problem.semantics.bounded
        self._without_vector = float(problem.upper_bounds(nothing, nothing)[0]) if bounded else np.inf

    def ends(self, pool: Pool, lists: Sequence[RankedList]) -> list[End] | None:
        """How far the lists have come down; None where their order tells nothing.

        A list tells something when it descends in cosine. An index that ranks by inner product or Euclidean distance
        makes such lists of vectors of nearly one length, up to an error that follows from the lengths.
        """
        if pool.shortest < SHORTEST or LONGEST < pool.longest < np.inf:  # an engine's float32 may have lost others
            return None
        slack = self._rounding
        if not self._capabilities.cosine_order and pool.longest > 0:
            spread = pool.longest / pool.shortest - 1.0
            if spread > LENGTH_SPREAD:
                return None
            # |x'|c' <= |x|c for inner products; for distances also (|x'|^2 - |x|^2) / 2|q||x'| on top.
            slack += spread * (1.0 + pool.longest / self._shortest)
        ends = []
        for ranked in lists:
            depth = ranked.depth(pool.asked)
            read = pool.cosines_along(ranked.direction.weights, ranked.ids[:depth])
            falling = np.minimum.accumulate(read)
            if len(read) and (read - falling).max() > slack:
                return None
            last = float(falling[-1]) if len(read) else 1.0
            fall = float(falling[(len(read) - 1) // 2]) - last if len(read) else 0.0
            ends.append(End(depth, min(1.0, last + slack) if len(read) else 1.0, fall))
        return ends

    def region(self, lists: Sequence[RankedList], ends: Sequence[End]) -> Region:
        """Where the lists leave room for documents that were not read."""
        count = len(self._problem.texts)
        low, high = np.full(count, -1.0), np.ones(count)
        normals, offsets = [], []
        for ranked, end in zip(lists, ends, strict=True):
            direction = ranked.direction
            if direction.row is None:
                normals.append(direction.weights)
                offsets.append(end.limit)
            elif direction.opposite:
                low[direction.row] = -end.limit
            else:
                high[direction.row] = end.limit
        # Where lists from both ends have met there is little left, and rounding may turn an interval around.
        return Region(np.minimum(low, high), high, np.array(normals).reshape(-1, count), np.array(offsets))

    def bound(self, region: Region, target: float, *, tight: bool = False) -> Supremum:
        """The most that documents that were not read can score, as tightly as it takes to compare it with a target.

        Args:
            region: Of their cosines.
            target: What the bound is compared with.
            tight: Whether to bound it tightly even where that is above the target.
        """
        if len(region.normals):
            found = supremum(self._problem.upper_bounds, region, target, tight=tight)
        else:
            # A semantics' bound for one box is mostly tight.
            low, high = region.low[:, None], region.high[:, None]
            found = Supremum(float(self._problem.upper_bounds(low, high)[0]), low, high)
        return replace(found, bound=float(np.maximum(found.bound, self._without_vector)))

    def bound_if_lists_exhausted(
        self, lists: Sequence[RankedList], ends: Sequence[End], target: float, also: Direction | None = None
    ) -> float:
        """The bound that stays when all lists but those of opposites have come down to unrelated documents.

        Reading these lists deeper cannot bring the bound below.

        Args:
            lists: What was asked for.
            ends: How far each has come down.
            target: What the bound is compared with.
            also: A direction that could be asked for.
        """
        if also is not None:
            lists, ends = [*lists, RankedList(also, (), ended=False)], [*ends, End(0, 1.0, 0.0)]
        lowest = [
            end if ranked.direction.opposite else replace(end, limit=min(end.limit, 0.0))
            for ranked, end in zip(lists, ends, strict=True)
        ]
        region = self.region(lists, lowest)
        box = self.bound(replace(region, normals=region.normals[:0], offsets=region.offsets[:0]), target).bound
        return box if box < target else self.bound(region, target).bound

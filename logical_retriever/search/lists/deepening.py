"""The choice of lists to read deeper, and how deep, while what was read does not prove the answer yet."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from logical_retriever.search.lists.directions import Direction
from logical_retriever.search.lists.supremum import Supremum
from logical_retriever.search.lists.unseen import End, RankedList

GROWTH = 1.5
"""Factor by which a list is read deeper at most: 2 reads more documents, 1.25 needs more requests."""
HALVINGS = 4.0
"""Lists that would have to be read this many times twice as deep are all alike: none is known to end sooner."""
ALLOWANCE = 0.1
"""Doublings of the depth beyond the estimate: a second small step is a second request."""
NEAR = 2.0
"""Factor up to which deepening one list is better than asking for another."""
TOGETHER = 2.0
"""Lists of at most this multiple of the least estimate are deepened in one request, where none is near its end."""
PEEK = 0.3
"""An opposite's list is begun where documents may be less like its text than minus this: most never are."""


@dataclass(frozen=True)
class Deepening:
    """How deep to read next.

    Attributes:
        depths: By position of the list, to which depth.
        almost_done: Whether little more of one list is expected to be enough.
        binding_lists: Positions of the lists that hold up the bound: read deeper, they cut off some of what is left.
    """

    depths: Mapping[int, int]
    almost_done: bool
    binding_lists: Collection[int]


def deepened(
    lists: Sequence[RankedList], ends: Sequence[End], open_region: Supremum, positions: Collection[int]
) -> Deepening | None:
    """Deepen the lists that are expected to end first what is left.

    A list alone proves the answer when its limit has come below its least value anywhere in what is left. How deep that
    is follows from how fast it fell: among unrelated documents, about as much with every doubling of the depth. The
    estimate is rough, and is made again after each request. Where it says nothing, lists take turns, so that none of
    them costs more than a multiple of the best.

    Args:
        lists: What was asked for.
        ends: How far each has come down.
        open_region: Boxes where documents that were not read may be good enough.
        positions: Of the lists that can be read deeper.

    Returns:
        None where no list touches what is left.
    """
    if not open_region.low.shape[1]:  # what holds up the bound is a document without a usable vector, wherever it is
        return None
    estimates: dict[int, float] = {}
    depths: dict[int, int] = {}
    for i in positions:
        weights, end = lists[i].direction.weights[:, None], ends[i]
        middles = (weights * (open_region.low + open_region.high) / 2.0).sum(axis=0)
        corners = np.maximum(weights * open_region.low, weights * open_region.high).sum(axis=0)
        if end.depth == 0:
            if worth_beginning(lists[i].direction, open_region):
                depths[i] = 1
        elif corners.max() > end.limit - end.fall * math.log2(GROWTH):
            doublings = (end.limit - float(middles.min())) / end.fall + ALLOWANCE if end.fall > 0 else HALVINGS
            estimates[i] = end.depth * 2.0 ** min(doublings, HALVINGS)
    if not estimates:
        return Deepening(depths, almost_done=False, binding_lists=()) if depths else None
    first = min(estimates, key=estimates.__getitem__)
    almost_done = estimates[first] <= NEAR * ends[first].depth
    for i, estimate in estimates.items():
        if i == first or (not almost_done and estimate <= TOGETHER * estimates[first]):
            depths[i] = deeper(ends[i].depth, estimate)
    return Deepening(depths, almost_done, estimates)


def worth_beginning(opposite: Direction, open_region: Supremum) -> bool:
    """Whether documents that were not read may be so unlike a text that the list of its opposite says something."""
    middles = opposite.weights @ (open_region.low + open_region.high) / 2.0
    return bool(middles.max(initial=-np.inf) > PEEK)


def deeper(depth: int, estimate: float = math.inf) -> int:
    """The next depth: what is estimated to be enough, within the usual growth."""
    return max(depth + 2, math.ceil(min(estimate, GROWTH * depth)))

"""The highest score over a box cut by half-spaces: branch and bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

MAX_BOXES = 4096
"""Boxes looked at before the highest bound of those left is taken as it is: a few milliseconds."""
ENOUGH = 256
"""Boxes looked at where a point is known that reaches the target: they show where the score is high, roughly."""
AT_LEAST, AT_MOST = 64, 512
"""Boxes looked at in one round: fewer cost as much, and what is divided in vain of more grows."""
ROUNDING = 1e-12
"""How far a point may lie outside a half-space and still be taken for one of the region when it is looked for."""


@dataclass(frozen=True)
class Region:
    """Points c of T cosines: ``low <= c <= high``, and ``normals @ c <= offsets``.

    Attributes:
        low: Shape (T,).
        high: Shape (T,).
        normals: Shape (H, T).
        offsets: Shape (H,).
    """

    low: Array
    high: Array
    normals: Array
    offsets: Array


@dataclass(frozen=True)
class Supremum:
    """A bound on the highest score over a region, and where it may be reached.

    Attributes:
        bound: No point of the region scores more; minus infinity where it has no point.
        low: Shape (T, N): least corners of boxes that hold every point of the region that may reach the target.
        high: Shape (T, N): greatest corners, that of the highest bound first.
    """

    bound: float
    low: Array
    high: Array


def supremum(
    upper: Callable[[Array, Array], Array],
    region: Region,
    target: float,
    *,
    max_boxes: int = MAX_BOXES,
    tight: bool = False,
) -> Supremum:
    """Bound the score over a region, as tightly as it takes to tell whether it stays below a target.

    The box is divided again and again, and what the half-spaces leave of each part is shrunk to a box. A part whose
    bound is below the target is done with. When no part is left, the score stays below the target. When a point of the
    region reaches it, it does not, and the boxes that are left show where.

    Source: Tuy, "Monotonic optimization: problems and solution approaches", SIAM Journal on Optimization 11 (2000),
    whose functions increase; here a bound for boxes is enough, which any semantics has that bounds unread documents.

    Args:
        upper: Most that points of N boxes score, from their least and greatest corners, shape (T, N) each.
        region: Of the points.
        target: What the bound is compared with.
        max_boxes: Boxes looked at, roughly.
        tight: Whether to come close to the highest score where it lies above the target.
    """
    # Sides count as long as they are steep: the half-spaces were laid across the slope of the score.
    weights = np.abs(region.normals).max(axis=0, initial=0.0)[:, None] + 1e-3
    low, high = _shrunk(region.low[:, None], region.high[:, None], region)
    waiting = (low[:, :0], high[:, :0], np.empty(0))
    done, reached, looked = -np.inf, -np.inf, 0
    while True:
        while 0 < low.shape[1] < AT_LEAST:
            low, high = _shrunk(*_halved(low, high, weights), region)
        count = low.shape[1]
        looked += count
        centres = (low + high) / 2.0
        found = upper(np.concatenate([low, centres], axis=1), np.concatenate([high, centres], axis=1))
        inside = (region.normals @ centres <= region.offsets[:, None] + ROUNDING).all(axis=0)
        reached = max(reached, float(found[count:][inside].max(initial=-np.inf)))
        if tight:
            target = max(target, reached)
        low = np.concatenate([low, waiting[0]], axis=1)
        high = np.concatenate([high, waiting[1]], axis=1)
        bounds = np.concatenate([found[:count], waiting[2]])
        below = bounds < target
        done = max(done, float(bounds[below].max(initial=-np.inf)))
        order = np.flatnonzero(~below)
        order = order[np.argsort(-bounds[order], kind="stable")]
        low, high, bounds = low[:, order], high[:, order], bounds[order]
        limit = max_boxes if tight or reached < target else ENOUGH
        if not len(bounds) or looked >= limit:
            # Not max(): a bound that is not a number must not pass for a low one.
            return Supremum(float(np.maximum(done, bounds.max(initial=-np.inf))), low, high)
        waiting = (low[:, AT_MOST:], high[:, AT_MOST:], bounds[AT_MOST:])
        low, high = _shrunk(*_halved(low[:, :AT_MOST], high[:, :AT_MOST], weights), region)


def _halved(low: Array, high: Array, weights: Array) -> tuple[Array, Array]:
    """Each of N boxes divided in the middle of its longest side: shape (T, 2N)."""
    side = np.argmax((high - low) * weights, axis=0)
    here = np.arange(len(side))
    less, more = high.copy(), low.copy()
    less[side, here] = more[side, here] = (low[side, here] + high[side, here]) / 2.0
    return np.concatenate([low, more], axis=1), np.concatenate([less, high], axis=1)


def _shrunk(low: Array, high: Array, region: Region) -> tuple[Array, Array]:
    """Boxes, shape (T, N), without what lies beyond a half-space on a whole side; those that are empty left out."""
    for normal, offset in zip(region.normals, region.offsets, strict=True):
        column = normal[:, None]
        spare = offset - np.minimum(column * low, column * high).sum(axis=0)
        kept = spare >= 0.0
        low, high, spare = low[:, kept], high[:, kept], spare[kept]  # copies, which are written to below
        for row in np.flatnonzero(normal):
            if normal[row] > 0.0:
                high[row] = np.minimum(high[row], low[row] + spare / normal[row])
            else:
                low[row] = np.maximum(low[row], high[row] + spare / normal[row])
    return low, high

"""From cosines to truth values: the seam where calibration enters a truth-functional semantics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from logical_retriever.semantics.evidence import Array

TruthMap = Callable[[Array], Array]
"""Maps cosines, shape (T, N) in [-1, 1], to values of the same shape, non-decreasing in each."""


def raw(cosines: Array) -> Array:
    """Cosines as they are, in [-1, 1]: what the ITLR paper composes."""
    return cosines


def clipped(cosines: Array) -> Array:
    """Cosines below 0 count as 0: ``max(0, s)``, in [0, 1]. An unrelated text is false, not half true."""
    return np.clip(cosines, 0.0, 1.0)


def rescaled(cosines: Array) -> Array:
    """Cosines moved linearly to [0, 1]: ``(1 + s) / 2``."""
    return (1.0 + np.clip(cosines, -1.0, 1.0)) * 0.5

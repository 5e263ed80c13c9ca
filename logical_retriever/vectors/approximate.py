"""Cosines that are known to be off by no more than they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logical_retriever.vectors import Vectors

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class ApproximateCosines:
    """Cosines of T texts with N documents, each with a limit of how far off it may be.

    Attributes:
        cosines: Shape (T, N), float32; by their errors outside [-1, 1] at most.
        errors: Shape (N,), float32: how far the cosines of each document are from the true ones at most.
    """

    cosines: Vectors
    errors: Vectors

    def of(self, rows: Rows | None) -> ApproximateCosines:
        """Of some of the documents; all of them for None."""
        return self if rows is None else ApproximateCosines(self.cosines[:, rows], self.errors[rows])

    def block(self, texts: Sequence[int], documents: slice = slice(None)) -> ApproximateCosines:
        """Of some of the texts, in that order, with neighbouring documents; not copied where those are neighbours."""
        neighbours = len(texts) and list(texts) == list(range(texts[0], texts[0] + len(texts)))
        rows = slice(texts[0], texts[0] + len(texts)) if neighbours else list(texts)
        return ApproximateCosines(self.cosines[rows, documents], self.errors[documents])

    def limits(self) -> tuple[Array, Array]:
        """Least and greatest values that the true cosines may have, shape (T, N) each, in [-1, 1]."""
        low = np.subtract(self.cosines, self.errors, dtype=np.float64)
        high = np.add(self.cosines, self.errors, dtype=np.float64)
        return np.maximum(low, -1.0, out=low), np.minimum(high, 1.0, out=high)

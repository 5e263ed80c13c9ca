"""Cosines that are known to be off by no more than they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logical_retriever.vectors import Vectors

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


KEPT_MEMORY = 64_000_000
"""Bytes that cosines kept from one scan for the next may take."""


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


class KeptCosines:
    """Cosines of all documents with texts that a question may go on to ask for, kept by its first scan.

    Blocks may come from several threads; those of one scan do not overlap.

    Args:
        texts: Shape (T, d), of length 1.
    """

    def __init__(self, texts: Vectors) -> None:
        self._keys = [row.tobytes() for row in texts]
        self._documents: object = None
        self._rows: list[int] = []
        self._all = ApproximateCosines(np.empty((0, 0), np.float32), np.empty(0, np.float32))
        self._there: dict[int, int] = {}

    def begin(self, documents: object, count: int, texts: Vectors) -> bool:
        """Whether it takes the blocks of a scan: its texts are among those compared, and there is room.

        Args:
            documents: An object that is another one when a document is.
            count: N.
            texts: Of the scan, shape (S, d).
        """
        compared = {row.tobytes(): place for place, row in enumerate(texts)}
        there = self._documents is None and all(key in compared for key in self._keys)
        there = there and 4 * count * (len(self._keys) + 1) <= KEPT_MEMORY
        if there:
            self._documents, self._rows = documents, [compared[key] for key in self._keys]
            empty = np.empty((len(self._keys), count), np.float32), np.empty(count, np.float32)
            self._all = ApproximateCosines(*empty)
        return there

    def keep(self, documents: object, block: slice, texts: Sequence[int], found: ApproximateCosines) -> None:
        """Keep the cosines of a block of documents with some of the scan's texts, if those wanted are among them."""
        if self._documents is documents and self._all.errors.size and set(self._rows) <= set(texts):
            place = slice(block.start, block.start + len(found.errors))
            self._all.cosines[:, place] = found.cosines[[texts.index(row) for row in self._rows]]
            self._all.errors[place] = found.errors
            self._there[place.start] = len(found.errors)

    def known(self, documents: object, texts: Vectors) -> ApproximateCosines | None:
        """Cosines with some of its texts, in that order; None unless those of all documents are there."""
        if self._documents is not documents or sum(self._there.values()) < len(self._all.errors):
            return None
        rows = [self._keys.index(key) for row in texts if (key := row.tobytes()) in self._keys]
        return self._all.block(rows) if len(rows) == len(texts) else None

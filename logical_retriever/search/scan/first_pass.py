"""Cosines of many documents at once, in float32 or from codes, each with a limit of how far off it may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logical_retriever.search.scan.kernel import LANES, Kernel, compiled_kernel, half_kernel
from logical_retriever.stores.base import VectorBatch
from logical_retriever.vectors import Vectors, check_dimensions, cosine_error, rough_cosines, unit
from logical_retriever.vectors.approximate import ApproximateCosines, Rows
from logical_retriever.vectors.codes import Codes

KERNEL_FROM = 100_000
"""Documents in memory from which the optional kernel is worth loading, and codes are worth making."""

FEW = 0.1
"""Share of a block up to which vectors are picked one by one: reading all of it is faster beyond."""


class FirstPass:
    """Compares texts with the documents of a batch, as fast as these can be read.

    Codes are a quarter of the vectors, so that comparing four texts with them takes less time than reading the vectors
    once.

    Args:
        batch: Of N documents.
        texts: Shape (T, d).
        compiled: Whether the compiled kernel, where numba is installed, does it and not NumPy; None for large stores in
            memory alone.

    Attributes:
        codes: Of the first documents, where the kernel reads codes; None to read no more of them.
        known: With all documents, where the store has compared them with these texts; None to compare them here.

    Raises:
        VectorMismatchError: Texts and documents have different d.
    """

    def __init__(self, batch: VectorBatch, texts: Vectors, *, compiled: bool | None = None) -> None:
        check_dimensions(texts, batch.vectors)
        self._batch, self._texts = batch, unit(texts)
        self.known: ApproximateCosines | None = None if batch.known is None else batch.known(self._texts)
        halves = batch.vectors.dtype == np.float16
        self._kernel: Kernel | None = None
        fast = (halves or batch.scales is not None) and self.known is None
        if fast and (len(batch.ids) >= KERNEL_FROM if compiled is None else compiled):
            self._kernel = half_kernel() if halves else compiled_kernel()
        self.codes: Codes | None = batch.codes() if self._kernel is not None and batch.codes is not None else None
        # Lengths of halves are computed in float32 as well, whose squares are as far off as a product.
        self._error = np.float32(cosine_error(texts.shape[1]) * (1.5 if halves else 1.0))

    def passes(self, texts: int) -> int:
        """How many times documents pass through the processor to be compared with this many texts."""
        if self.known is not None:
            return 0
        return texts if self._kernel is None else -(-texts // LANES)

    @property
    def coarse(self) -> bool:
        """Whether vectors tell documents apart that are alike by what is compared now."""
        known = self.known
        return self.codes is not None or (known is not None and bool(known.errors.max(initial=0.0) > self._error))

    def refine(self) -> None:
        """Compare with the vectors themselves from now on."""
        self.codes = self.known = None

    def over(self, block: slice, texts: Sequence[int]) -> ApproximateCosines:
        """Cosines of the documents of a block with some of the texts, in that order."""
        known = self.known  # another thread may refine
        if known is not None:
            return known.block(texts, block)
        vectors, compared = self._batch.vectors[block], self._texts[texts]
        scales = None if self._batch.scales is None else self._batch.scales[block]
        if self._kernel is None:
            return self._uniform(rough_cosines(compared, vectors, scales))
        codes = self.codes
        if codes is None or len(codes) < block.start + len(vectors):
            return self._uniform(self._kernel(compared, vectors, scales))
        return ApproximateCosines(self._kernel(compared, codes.values[block], codes.steps[block]), codes.errors[block])

    def among(self, block: slice, rows: Rows, texts: Sequence[int]) -> ApproximateCosines:
        """As :meth:`over`, for some documents of the block; rows are counted from its first."""
        if self.known is not None or len(rows) > FEW * (block.stop - block.start):
            return self.over(block, texts).of(rows)
        at = block.start + rows
        scales = None if self._batch.scales is None else self._batch.scales[at]
        return self._uniform(rough_cosines(self._texts[texts], self._batch.vectors[at], scales))

    def _uniform(self, cosines: Vectors) -> ApproximateCosines:
        return ApproximateCosines(cosines, np.full(cosines.shape[1], self._error))


class LazyCosines:
    """Cosines of the documents of a block with T texts, of which some may wait until it is known for whom.

    Args:
        first_pass: Compares.
        block: Positions of N documents.
        count: T.
        first: Positions of texts that are compared with every document at once.
    """

    def __init__(self, first_pass: FirstPass, block: slice, count: int, first: Sequence[int]) -> None:
        self._first_pass, self._block = first_pass, block
        self._first, self._others = sorted(first), [text for text in range(count) if text not in first]
        self._known = first_pass.over(block, self._first)

    def wanted(self, texts: Sequence[int]) -> ApproximateCosines:
        """With some of the first texts and all N documents."""
        if list(texts) == self._first:
            return self._known
        return ApproximateCosines(self._known.cosines[[self._first.index(text) for text in texts]], self._known.errors)

    def of(self, rows: Rows | None) -> ApproximateCosines:
        """With all T texts, of the documents of these rows; of all for None."""
        first = self._known.of(rows)
        if not self._others:
            return first
        if rows is None:
            rest = self._first_pass.over(self._block, self._others)
        else:
            rest = self._first_pass.among(self._block, rows, self._others)
        cosines = np.empty((len(self._first) + len(self._others), len(first.errors)), dtype=np.float32)
        cosines[self._first], cosines[self._others] = first.cosines, rest.cosines
        return ApproximateCosines(cosines, np.maximum(first.errors, rest.errors))

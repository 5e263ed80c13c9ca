"""Cosines of many documents at once, in float32 or from codes, each with a limit of how far off it may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logical_retriever.search.scan.kernel import LANES, Kernel, compiled_kernel, half_kernel
from logical_retriever.stores.base import VectorBatch
from logical_retriever.vectors import Vectors, check_dimensions, cosine_error, rough_cosines, unit
from logical_retriever.vectors.approximate import ApproximateCosines, KeptCosines, Rows
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
        kept: Cosines that another scan of the same question kept, or that this one keeps for another.

    Attributes:
        codes: Of the first documents, where the kernel reads codes; None to read no more of them.
        keeps: Whether texts are better compared with all documents, for the next scan.
        known: With all documents, where the store has compared them with these texts; None to compare them here.

    Raises:
        VectorMismatchError: Texts and documents have different d.
    """

    def __init__(
        self, batch: VectorBatch, texts: Vectors, *, compiled: bool | None = None, kept: KeptCosines | None = None
    ) -> None:
        check_dimensions(texts, batch.vectors)
        self._batch, self._texts = batch, unit(texts)
        self.known: ApproximateCosines | None = None if batch.known is None else batch.known(self._texts)
        self._kept = None if batch.scales is None or self.known is not None else kept
        self.keeps = False
        if self._kept is not None:
            self.known = self._kept.known(batch.scales, self._texts)
            self.keeps = self._kept.begin(batch.scales, len(batch.ids), self._texts)
        halves = batch.vectors.dtype == np.float16
        self._kernel: Kernel | None = None
        fast = (halves or batch.scales is not None) and self.known is None
        if fast and (len(batch.ids) >= KERNEL_FROM if compiled is None else compiled):
            self._kernel = half_kernel() if halves else compiled_kernel()
        self._of_codes = None if self._kernel is None or batch.codes is None else compiled_kernel()
        self.codes: Codes | None = batch.codes() if self._of_codes is not None and batch.codes is not None else None
        # Lengths of halves are computed in float32 as well, whose squares are as far off as a product.
        self._error = np.float32(cosine_error(texts.shape[1]) * (1.5 if halves else 1.0))

    def passes(self, texts: int) -> int:
        """How many times documents pass through the processor to be compared with this many texts."""
        if self.known is not None:
            return 0
        return texts if self._kernel is None else -(-texts // LANES)

    def over(self, block: slice, texts: Sequence[int]) -> ApproximateCosines:
        """Cosines of the documents of a block with some of the texts, in that order."""
        if self.known is not None:
            return self.known.block(texts, block)
        found = self._compared(block, texts)
        if self._kept is not None and self.keeps:
            self._kept.keep(self._batch.scales, block, texts, found)
        return found

    def _compared(self, block: slice, texts: Sequence[int]) -> ApproximateCosines:
        codes, kernel = self.codes, self._of_codes  # another thread may find codes too coarse
        if kernel is None or codes is None or len(codes) < min(block.stop, len(self._batch.ids)):
            return self._by_vectors(block, texts)
        found = kernel(self._texts[texts], codes.values[block], codes.steps[block])
        return ApproximateCosines(found, codes.errors[block])

    def among(self, block: slice, rows: Rows, texts: Sequence[int]) -> ApproximateCosines:
        """As :meth:`over`, for some documents of the block; rows are counted from its first."""
        if self.known is not None or len(rows) > FEW * (block.stop - block.start):
            return self.over(block, texts).of(rows)
        return self._by_vectors(block.start + rows, texts)

    def coarse(self, found: ApproximateCosines) -> bool:
        """Whether the vectors may tell documents apart that these cosines do not."""
        return bool((found.errors > self._error).any())

    def finer(self, block: slice, rows: Rows, texts: Sequence[int]) -> ApproximateCosines:
        """As :meth:`among`, by the vectors themselves; no more codes are read."""
        self.codes = None
        if len(rows) > FEW * (block.stop - block.start):
            return self._by_vectors(block, texts).of(rows)
        return self._by_vectors(block.start + rows, texts)

    def _by_vectors(self, documents: slice | Rows, texts: Sequence[int]) -> ApproximateCosines:
        vectors, compared = self._batch.vectors[documents], self._texts[texts]
        scales = None if self._batch.scales is None else self._batch.scales[documents]
        compare = rough_cosines if self._kernel is None or not isinstance(documents, slice) else self._kernel
        return self._uniform(compare(compared, vectors, scales))

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
        return self._known.block([self._first.index(text) for text in texts])

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

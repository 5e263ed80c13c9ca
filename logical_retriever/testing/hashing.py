"""A small deterministic encoder, so that suites and examples need no model."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError

WORD = re.compile(r"\w+", re.UNICODE)


class HashingEmbedder:
    """Bag of words hashed to d signed components: texts that share words are similar, others nearly orthogonal.

    Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (ICML 2009). No semantics beyond shared
    words; a text without any word gets a fixed vector of its own.

    Args:
        dimension: d, at least 2.
    """

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 2:
            raise InvalidArgumentError(f"dimension must be at least 2, got {dimension}.", hint="Use 256.")
        self.dimension = dimension

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (T, d), float32, rows of length 1."""
        return self._encode(texts)

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (N, d), float32, rows of length 1."""
        return self._encode(texts)

    def _encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in WORD.findall(text.casefold()) or [""]:
                digest = zlib.crc32(word.encode("utf-8", "surrogatepass"))
                row[digest % self.dimension] += 1.0 if digest & 0x8000_0000 else -1.0
            if not row.any():  # words that cancelled out
                row[0] = 1.0
            row /= np.linalg.norm(row)
        return rows

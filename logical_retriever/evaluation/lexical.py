"""BM25 over the documents of a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.evaluation.optional import require


class LexicalIndex:
    """BM25 with bm25s: its defaults (Lucene's variant, k1 1.5, b 0.75), English stop words, no stemming.

    Raises:
        MissingPackageError: bm25s is not installed.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._bm25s: Any = require("bm25s", "BM25")
        self._size = len(texts)
        tokens = self._bm25s.tokenize(list(texts), stopwords="en", show_progress=False)
        self._index: Any = None
        if tokens.vocab:
            # bm25s cannot index a corpus without a single token; every score is 0 there.
            self._index = self._bm25s.BM25()
            self._index.index(tokens, show_progress=False)

    def scores(self, text: str) -> npt.NDArray[np.float64]:
        """Scores of all documents: shape (N,), at least 0; 0 where no word of the text occurs."""
        words = self._bm25s.tokenize([text], stopwords="en", return_ids=False, show_progress=False)[0]
        if self._index is None or not words:
            return np.zeros(self._size)
        return np.asarray(self._index.get_scores(words), dtype=np.float64)

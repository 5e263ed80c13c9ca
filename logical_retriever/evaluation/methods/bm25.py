"""BM25 of the question's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from logical_retriever.evaluation.methods.base import Method, Prepared
from logical_retriever.evaluation.workbench import Array, View, Workbench


class BM25(Method):
    """BM25 of the question over the corpus; a document that shares no word with it is not retrieved."""

    name = "bm25"

    def prepare(self, prepared: Sequence[Prepared], bench: Workbench, progress: Callable[[int, int], None]) -> None:
        """Build the index, so that the first question is not charged for it."""
        del prepared, progress  # the index is of the corpus
        bench.lexical.scores("")

    def texts(self, prepared: Prepared) -> tuple[str, ...]:
        """None: words are compared, not vectors."""
        del prepared
        return ()

    def score(self, prepared: Prepared, view: View) -> Array:
        """BM25 scores, above 0 or ``-inf``."""
        scores = view.lexical(prepared.question.text)
        return np.where(scores > 0, scores, -np.inf)

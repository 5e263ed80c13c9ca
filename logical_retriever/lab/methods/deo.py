"""DEO: the query vector itself is optimised, towards the wanted and away from the unwanted."""

from __future__ import annotations

import numpy as np

from logical_retriever.evaluation.methods.base import QuestionWithQuery
from logical_retriever.evaluation.workbench import Vectors, View
from logical_retriever.lab.methods.geometric import OneVector
from logical_retriever.search import Decomposition, moved_vector
from logical_retriever.search.one_vector.deo import ANCHOR, TEMPERATURE


class DirectEmbeddingOptimization(OneVector):
    """The vector of the retriever's mode "deo", over all documents; see :func:`~logical_retriever.search.moved_vector`.

    A question without negated terms is searched for as it is, since the loss has nothing to contrast.

    Args:
        temperature: Of the contrastive loss, above 0.
        anchor: Weight of staying near the question, at least 0.
    """

    name = "deo"

    def __init__(self, temperature: float = TEMPERATURE, anchor: float = ANCHOR) -> None:
        self.temperature = temperature
        self.anchor = anchor

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The question, and every term where one is negated."""
        return self._parts(prepared).texts

    def combined(self, prepared: QuestionWithQuery, view: View) -> Vectors:
        """The optimised vector."""
        parts, bench = self._parts(prepared), view.bench
        anchor = bench.vectors(parts.texts[:1])[0]
        if not parts.negatives:
            return np.asarray(anchor, dtype=np.float32)
        positives, negatives = bench.vectors(parts.positives), bench.vectors(parts.negatives)
        moved, _ = moved_vector(anchor, positives, negatives, temperature=self.temperature, weight=self.anchor)
        return moved.astype(np.float32)

    def _parts(self, prepared: QuestionWithQuery) -> Decomposition:
        return Decomposition.of(prepared.query, prepared.question.text)

"""The plain dense retriever: the question as one vector."""

from __future__ import annotations

from logical_retriever.evaluation.methods.base import Method, Prepared
from logical_retriever.evaluation.workbench import Array, View


class Dense(Method):
    """Cosine of the whole question with every document, in [-1, 1]: what a vector store does by itself."""

    name = "dense"

    def texts(self, prepared: Prepared) -> tuple[str, ...]:
        """The question."""
        return (prepared.question.text,)

    def score(self, prepared: Prepared, view: View) -> Array:
        """Cosines of the question."""
        scores: Array = view.cosines(self.texts(prepared))[0]
        return scores

"""Any semantics of the package as a method."""

from __future__ import annotations

from logical_retriever.evaluation.methods.base import Method, QuestionWithQuery
from logical_retriever.evaluation.workbench import Array, View
from logical_retriever.semantics import Evidence, Semantics, get_semantics


class BySemantics(Method):
    """Scores of a semantics over the logical query, for all documents of the view.

    Args:
        semantics: A semantics or its name.
        name: Name in tables; by default the semantics' own.
    """

    def __init__(self, semantics: str | Semantics, name: str | None = None) -> None:
        self.semantics = get_semantics(semantics)
        self.name = self.semantics.name if name is None else name

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The terms and whatever else the semantics asks for."""
        return self.semantics.texts(prepared.query)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The composed scores; the range is the semantics' own."""
        texts = self.texts(prepared)
        return self.semantics.compose(prepared.query, Evidence(texts, view.cosines(texts))).scores

"""Plain dense search where a question excludes nothing."""

from __future__ import annotations

from logical_retriever.evaluation.methods.base import Advance, Method, Questions, QuestionWithQuery
from logical_retriever.evaluation.methods.plain import Dense
from logical_retriever.evaluation.workbench import Array, View, Workbench


class Routed(Method):
    """Another method for questions whose logical query has a NOT, the dense retriever for all others.

    Args:
        method: The other method.
        name: Name in tables; by default the method's own.
    """

    def __init__(self, method: Method, name: str | None = None) -> None:
        self.method = method
        self.name = method.name if name is None else name
        self._dense = Dense()

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Prepare the method for the questions it gets."""
        self.method.prepare([one for one in prepared if one.negations], bench, progress)
        self.llm_calls = self.method.llm_calls

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The chosen method's texts."""
        return self._chosen(prepared).texts(prepared)

    def passages(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The chosen method's texts."""
        return self._chosen(prepared).passages(prepared)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The chosen method's scores."""
        return self._chosen(prepared).score(prepared, view)

    def _chosen(self, prepared: QuestionWithQuery) -> Method:
        return self.method if prepared.negations else self._dense

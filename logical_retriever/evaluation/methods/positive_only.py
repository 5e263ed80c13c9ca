"""The cheapest answer to negation: encode what is wanted, leave out what is not."""

from __future__ import annotations

from logical_retriever.evaluation.methods.base import Method, Prepared
from logical_retriever.evaluation.workbench import Array, View


class PositiveOnly(Method):
    """All positive terms joined with " and " and encoded as one text; negated terms are not looked at.

    A question without a positive term is searched for as it is.
    """

    name = "positive-only"

    def texts(self, prepared: Prepared) -> tuple[str, ...]:
        """The joined text."""
        return (prepared.wanted,)

    def score(self, prepared: Prepared, view: View) -> Array:
        """Cosines of the joined text, in [-1, 1]."""
        scores: Array = view.cosines(self.texts(prepared))[0]
        return scores

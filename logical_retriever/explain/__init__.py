"""The whole story of one question, as data, as text and as a page."""

from __future__ import annotations

from typing import Any

from logical_retriever.explain.html import to_html
from logical_retriever.explain.story import MADE_BY as MADE_BY, Story


class Explanation(Story):
    """How a question became a ranking.

    ``print(explanation)`` shows it, a notebook shows it as a page, and :meth:`to_dict` gives it as JSON-serialisable
    data.

    Attributes:
        transformation: The question and the logical query made of it.
        searched: Canonical text of the query that was searched for: the logical query, or the plain question where
            that has no logic.
        result: The ranking, whether it is exact, and what it cost.
        dense: What plain dense retrieval of the question ranks first, for comparison.
        not_shown: First the documents of ``result.left_out``, then those that plain dense retrieval would return and
            the ranking does not, in plain order; with their scores and evidence under the query.
    """

    def _repr_html_(self) -> str:
        """The page that Jupyter and its relatives show, in light and dark."""
        return to_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - IPython's signature
        """The text that IPython shows where it shows no page."""
        printer.text(str(self))

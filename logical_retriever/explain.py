"""The whole story of one question, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.transform.base import Transformation

MADE_BY = {
    "llm": "by the language model",
    "cue": "by cue rules",
    "recorded": "as recorded",
    "given": "as given",
    "dense": "the plain question, because the language model failed",
}


@dataclass(frozen=True)
class Explanation:
    """How a question became a ranking.

    ``print(explanation)`` shows it; :meth:`to_dict` gives it as JSON-serialisable data.

    Attributes:
        transformation: The question and the logical query made of it.
        searched: Canonical text of the query that was searched for: the logical query, or the plain question where
            that has no logic.
        result: The ranking, the plan, and whether it is exact.
        dense: What plain dense retrieval of the question ranks first, for comparison.
    """

    transformation: Transformation
    searched: str
    result: SearchResult
    dense: tuple[RankedDocument, ...]

    @property
    def exact(self) -> bool:
        """Whether the documents are the true best of the store under the semantics."""
        return self.result.exact

    def dense_rank(self, id: str) -> int | None:
        """1-based place of a document in plain dense retrieval; None beyond the ranks that were looked at."""
        return next((rank for rank, document in enumerate(self.dense, start=1) if document.id == id), None)

    def to_dict(self) -> dict[str, Any]:
        """JSON-serialisable form."""
        made, result = self.transformation, self.result
        return {
            "question": made.question,
            "logical_query": str(made.query),
            "method": made.method,
            "problem": made.problem,
            "searched": self.searched,
            "plan": {
                "strategy": result.plan.strategy,
                "reason": result.plan.reason,
                "texts": list(result.plan.texts),
                "fetch_k": result.plan.fetch_k,
            },
            "exact": result.exact,
            "candidates": result.candidates,
            "documents": [
                {
                    "id": document.id,
                    "score": document.score,
                    "dense_rank": self.dense_rank(document.id),
                    "truth_values": dict(document.truth_values),
                    "cosines": dict(document.cosines),
                    "values": dict(document.values),
                    "text": document.text,
                }
                for document in result.documents
            ],
            "dense": [{"id": document.id, "score": document.score} for document in self.dense],
        }

    def __str__(self) -> str:
        made, result = self.transformation, self.result
        lines = [f"Question       {made.question}"]
        lines.append(f"Logical query  {made.query}  ({MADE_BY.get(made.method, made.method)})")
        if made.problem is not None:
            lines.append(f"Problem        {made.problem}")
        if self.searched != str(made.query):
            lines.append(f"Searched for   {self.searched}  (no logic in it: the plain question)")
        completeness = "exact" if result.exact else "approximate"
        lines.append(f"Search         {completeness}: {result.plan.strategy}, {result.plan.reason};")
        lines.append(f"               {result.candidates} documents scored")
        for rank, document in enumerate(result.documents, start=1):
            dense = self.dense_rank(document.id)
            place = f"dense rank {dense}" if dense is not None else f"not in the dense top {len(self.dense)}"
            truths = ", ".join(f"{term!r} {value:.2f}" for term, value in document.truth_values.items())
            lines.append(f"{rank:>3}. {document.score:.3f}  {document.id}  ({place})")
            lines.append(f"     {truths}")
            lines.append(f"     {_shortened(document.text)}")
        return "\n".join(lines)


def _shortened(text: str, width: int = 100) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 3]}..."

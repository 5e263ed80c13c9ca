"""The whole story of one question, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from logical_retriever.query import negative_terms, parse
from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.transform.base import Transformation

MADE_BY = {
    "llm": "by the language model",
    "cue": "by cue rules",
    "recorded": "as recorded",
    "given": "as given",
    "dense": "the plain question, because the language model failed",
}

CLEAR = 4.0
"""Evidence, in standard deviations of chance, from which an excluded term noticeably costs a document its place."""
ABOUT = ((7.0, "clearly about"), (CLEAR, "about"), (2.0, "perhaps about"), (float("-inf"), "not about"))
"""Least evidence and the words for it, strongest first."""


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

    def reasons(self, document: RankedDocument) -> tuple[str, ...]:
        """What is known about a document, one line a term, in words.

        z is evidence in standard deviations of chance (:meth:`~logical_retriever.semantics.Nulls.standardise`); other
        semantics than calibrated ones have truth values alone.
        """
        excluded = set(negative_terms(parse(self.searched))) if document.strengths else set()
        lines = []
        for term, truth in document.truth_values.items():
            z = document.strengths.get(term)
            if z is None:
                lines.append(f"{term!r} {truth:.2f}")
                continue
            how = next(words for least, words in ABOUT if z >= least)
            line = f"{how} {term!r} (z = {z:.1f})"
            if term in excluded:
                line += ": penalised" if z >= CLEAR else ": not held against it"
            lines.append(line)
        return tuple(lines)

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
                "max_candidates": result.plan.max_candidates,
                "max_rounds": result.plan.max_rounds,
            },
            "exact": result.exact,
            "proved": result.proved,
            "completeness": result.completeness,
            "bound": result.bound,
            "gap": result.gap,
            "depths": dict(result.depths),
            "rounds": result.rounds,
            "store_calls": result.store_calls,
            "vectors_read": result.vectors_read,
            "candidates": result.candidates,
            "documents": [
                {
                    "id": document.id,
                    "score": document.score,
                    "dense_rank": self.dense_rank(document.id),
                    "truth_values": dict(document.truth_values),
                    "strengths": dict(document.strengths),
                    "reasons": list(self.reasons(document)),
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
            lines.append(f"Searched for   {self.searched}  (nothing is excluded: plain retrieval of the question)")
        lines.append(f"Search         {result.completeness}")
        lines.append(f"               {result.plan.strategy}: {result.plan.reason}")
        calls = "1 store call" if result.store_calls == 1 else f"{result.store_calls} store calls"
        lines.append(f"               {result.candidates} documents scored, {calls}")
        for rank, document in enumerate(result.documents, start=1):
            dense = self.dense_rank(document.id)
            place = f"dense rank {dense}" if dense is not None else f"not in the dense top {len(self.dense)}"
            lines.append(f"{rank:>3}. {document.score:.3f}  {document.id}  ({place})")
            lines.extend(f"     {reason}" for reason in self.reasons(document))
            lines.append(f"     {_shortened(document.text)}")
        return "\n".join(lines)


def _shortened(text: str, width: int = 100) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 3]}..."

"""The explanation of one answer, as data and as text; :mod:`~logical_retriever.explain.html` makes it a page."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from logical_retriever.explain.html import MADE_BY, shortened, to_html
from logical_retriever.lexical import matched_words, own_words
from logical_retriever.query import Term, has_logic, negative_terms, positive_terms, without_conditions
from logical_retriever.reading.base import ReadQuestion
from logical_retriever.results import Decision, DocumentId, RankedDocument, SearchResult

ABOUT = ((7.0, "clearly about"), (4.0, "about"), (2.0, "a little about"))
"""Least evidence for a wanted term, in standard deviations of chance, and the words for it, strongest first; below:
"not about". For an excluded term, the decision is shown."""

SHOWN_WORDS = 8
"""Matched words that a reason names."""


@dataclass(frozen=True)
class Explanation:
    """How a question became a ranking.

    ``print(explanation)`` shows it, a notebook shows it as a page, and :meth:`to_dict` gives it as JSON-serialisable
    data.

    Attributes:
        read: The question with its logical query.
        result: The ranking, whether it is exact, and what it cost.
        dense: What plain dense retrieval of the question ranks first, for comparison.
        not_shown: First the documents of ``result.left_out``, then those that plain dense retrieval would return and
            the ranking does not, in plain order; with their scores and evidence under the query.
    """

    read: ReadQuestion
    result: SearchResult
    dense: tuple[RankedDocument, ...]
    not_shown: tuple[RankedDocument, ...] = ()

    @property
    def searched(self) -> str:
        """Canonical text of the query that was searched for: the logical query, or the plain question."""
        return self.result.searched

    @cached_property
    def excluded(self) -> frozenset[str]:
        """Texts of the terms that the searched query excludes."""
        return frozenset(negative_terms(self.result.query))

    @property
    def routed(self) -> str | None:
        """Why the question was searched for as it stands; None where the logical query was searched for."""
        read_question = self.read
        if read_question.written or without_conditions(self.result.query) != Term(read_question.sought):
            return None
        if read_question.method == "dense":
            why = "there is no logical query"
        else:
            why = "nothing is excluded" if has_logic(read_question.query) else "the question has no logic"
        by = "its own vector" if self.result.cost.words is None else "its own vector and its words"
        return f"{why}: the question as it stands, by {by}"

    @property
    def others(self) -> tuple[tuple[str, tuple[RankedDocument, ...]], ...]:
        """The documents of ``not_shown`` by why they are not among the answers, each group with its heading."""
        terms = {out.id: self._why(out.term) for out in self.result.left_out}
        excluded = tuple(document for document in self.not_shown if document.id in terms)
        lower = tuple(document for document in self.not_shown if document.id not in terms)
        named = ", ".join(dict.fromkeys(terms.values()))
        groups = (
            (f"Left out for what is excluded, {named}", excluded),
            ("Not among the answers, though plain dense retrieval returns them", lower),
        )
        return tuple(group for group in groups if group[1])

    def _why(self, term: str) -> str:
        return f"{term} (always)" if term in self.result.always_excluded else term

    def dense_rank(self, id: DocumentId) -> int | None:
        """Return the 1-based rank of a document in plain dense retrieval; None beyond the ranks looked at."""
        return next((rank for rank, document in enumerate(self.dense, start=1) if document.id == id), None)

    def reasons(self, document: RankedDocument) -> tuple[str, ...]:
        """Return the evidence for a document in words, one line a term.

        Evidence is in standard deviations of chance, with the parts from vectors and words where words were read; other
        semantics than calibrated ones have truth values alone. An excluded term has the decision on it, with what each
        feature adds to the log odds.
        """
        lines = []
        for term, truth in document.truth_values.items():
            evidence, decision = document.evidence.get(term), document.decisions.get(term)
            if evidence is None:
                lines.append(f"{term!r} {truth:.2f}")
            elif term in self.excluded and decision is not None:
                lines.append(f"{term!r}: {decision} ({decision.probability:.2f} to be left out{_summands(decision)})")
            else:
                how = next((words for least, words in ABOUT if evidence >= least), "not about")
                shown = f"{round(evidence, 1) + 0.0:.1f}{self._sources(document, term)}"
                lines.append(f"{how} {term!r} (evidence {shown})")
        return tuple(lines)

    def matched(self, document: RankedDocument, term: str) -> tuple[str, ...]:
        """Return the words of a document's text that are evidence of a term of the searched query."""
        wanted = positive_terms(self.result.query)
        language = self.result.cost.language
        words = own_words(term, () if term in wanted else wanted, language=language)
        return matched_words(document.text, frozenset(words), language)

    def _sources(self, document: RankedDocument, term: str) -> str:
        """Return where the evidence for a term came from, in words; nothing where it is all from vectors."""
        sources = document.sources.get(term)
        if sources is None or sources.words <= 0.0:
            return ""
        words = ", ".join(self.matched(document, term)[:SHOWN_WORDS])
        return f": {sources.vectors:.1f} by its vector, {sources.words:.1f} by its words {words}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-serialisable form."""
        read_question, result = self.read, self.result
        return {
            "question": read_question.question,
            "logical_query": str(read_question.query),
            "method": read_question.method,
            "problem": read_question.problem,
            "standalone": read_question.standalone,
            "confidence": read_question.confidence,
            "searched": self.searched,
            "routed": self.routed,
            "exact": result.exact,
            "completeness": result.completeness,
            "cost": asdict(result.cost),
            "documents": [self._document(document) for document in result.documents],
            "dense": [{"id": _plain(document.id), "score": document.score} for document in self.dense],
            "not_shown": [self._document(document) for document in self.not_shown],
            "excluded": [
                {
                    "id": _plain(out.id),
                    "text": out.text,
                    "term": out.term,
                    "reason": out.reason,
                    "probability": out.probability,
                }
                for out in result.left_out
            ],
            "note": result.note,
            "always_excluded": list(result.always_excluded),
            "second_opinion": None if result.second_opinion is None else asdict(result.second_opinion),
        }

    def _document(self, document: RankedDocument) -> dict[str, Any]:
        return {
            "id": _plain(document.id),
            "score": document.score,
            "relevance": document.relevance,
            "decisions": {term: asdict(decision) for term, decision in document.decisions.items()},
            "dense_rank": self.dense_rank(document.id),
            **{name: dict(getattr(document, name)) for name in ("truth_values", "evidence", "cosines")},
            "sources": {
                term: {**asdict(source), "matched": list(self.matched(document, term))}
                for term, source in document.sources.items()
            },
            "reasons": list(self.reasons(document)),
            "text": document.text,
        }

    def __str__(self) -> str:
        read_question, result, cost = self.read, self.result, self.result.cost
        opinion = result.second_opinion
        heads = [
            ("Question", read_question.question),
            ("Read as", read_question.standalone),
            ("Logical query", f"{read_question.query}  ({MADE_BY.get(read_question.method, read_question.method)})"),
            ("Problem", read_question.problem),
            ("Searched for", self.routed and f"{self.searched}  ({self.routed})"),
            ("Search", result.completeness),
            ("", cost),
            *(("", f"| {line}") for line in (cost.statement or "").splitlines()),
            ("", result.note),
            ("", opinion if opinion is not None and not opinion.problems else None),  # else the note says it
            ("Always without", ", ".join(result.always_excluded)),
            ("Evidence", "vectors" if cost.words is None else f"vectors, and words by {cost.words}"),
            ("Answer", None if result.documents else "no document was found"),
        ]
        lines = [f"{name:<14} {text}" for name, text in heads if text]
        for rank, document in enumerate(result.documents, start=1):
            lines += self._lines(f"{rank:>3}.", document)
        for heading, documents in self.others:
            lines.append(f"{heading}:")
            for document in documents:
                lines += self._lines("  - ", document)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Return the page that Jupyter and its relatives show, in light and dark."""
        return to_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - IPython's signature
        """Print the text that IPython shows where it shows no page."""
        printer.text(str(self))

    def _lines(self, place: str, document: RankedDocument) -> list[str]:
        dense = self.dense_rank(document.id)
        rank = f"dense rank {dense}" if dense else f"not in the dense top {len(self.dense)}"
        head = f"{place} {document.score:.3f}  {document.id}  (relevance {document.relevance:.2f}, {rank})"
        return [head, *(f"     {line}" for line in (*self.reasons(document), shortened(document.text)))]


def _summands(decision: Decision) -> str:
    """Return what each feature adds to the log odds, the greatest first; nothing for what adds less than .05."""
    parts = sorted(decision.parts.items(), key=lambda part: -abs(part[1]))
    shown = ", ".join(f"{name} {value:+.1f}" for name, value in parts if abs(value) >= 0.05)
    return f": {shown}" if shown else ""


def _plain(id: DocumentId) -> str | int | float:
    """Return an identity as JSON can say it: a number or text as it is, anything else as its text."""
    return id if isinstance(id, (str, int, float)) else str(id)

"""The whole story of one question, as data and as text; how it is shown as a page is not known here."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from logical_retriever.lexical import distinct_words, matched_words
from logical_retriever.query import Term, has_logic, negative_terms, parse, positive_terms, without_conditions
from logical_retriever.results import DocumentId, RankedDocument, SearchResult
from logical_retriever.transform.base import Transformation

MADE_BY = {
    "llm": "by the language model",
    "typed": "as typed",
    "tagger": "by the tagger",
    "recorded": "as recorded",
    "given": "as given",
    "dense": "the plain question, because the language model failed",
}
"""Methods of a transformation in words: who made the logical query."""

ABOUT = ((7.0, "clearly about"), (4.0, "about"), (2.0, "a little about"))
"""Least evidence for a wanted term, in standard deviations of chance, and the words for it, strongest first; below:
"not about". Whether a document is about an excluded term is what the search found."""

SHOWN_WORDS = 8
"""Matched words that a reason names."""


@dataclass(frozen=True)
class Story:
    """An :class:`~logical_retriever.explain.Explanation`, but for its page."""

    transformation: Transformation
    searched: str
    result: SearchResult
    dense: tuple[RankedDocument, ...]
    not_shown: tuple[RankedDocument, ...] = ()

    @cached_property
    def excluded(self) -> frozenset[str]:
        """Texts of the terms that the searched query excludes."""
        return frozenset(negative_terms(parse(self.searched)))

    @property
    def routed(self) -> str | None:
        """Why the question was searched for as it stands; None where the logical query was searched for."""
        transformation = self.transformation
        if transformation.written or without_conditions(parse(self.searched)) != Term(transformation.sought):
            return None
        if transformation.method == "dense":
            why = "there is no logical query"
        else:
            why = "nothing is excluded" if has_logic(transformation.query) else "the question has no logic"
        by = "its own vector" if self.result.cost.words is None else "its own vector and its words"
        return f"{why}: the question as it stands, by {by}"

    @property
    def others(self) -> tuple[tuple[str, tuple[RankedDocument, ...]], ...]:
        """The documents of ``not_shown`` by why they are not among the answers, each group with its heading."""
        terms = {out.id: self._why(out.term) for out in self.result.left_out}
        excluded = tuple(document for document in self.not_shown if document.id in terms)
        lower = tuple(document for document in self.not_shown if document.id not in terms)
        about = ", ".join(dict.fromkeys(terms.values()))
        groups = (
            (f"Left out, being about what is excluded, {about}", excluded),
            ("Not among the answers, though plain dense retrieval returns them", lower),
        )
        return tuple(group for group in groups if group[1])

    def _why(self, term: str) -> str:
        return f"{term} (always)" if term in self.result.always_excluded else term

    def dense_rank(self, id: DocumentId) -> int | None:
        """1-based place of a document in plain dense retrieval; None beyond the ranks that were looked at."""
        return next((rank for rank, document in enumerate(self.dense, start=1) if document.id == id), None)

    def reasons(self, document: RankedDocument) -> tuple[str, ...]:
        """The evidence for a document, one line a term, in words: where words are part of it, with what is from either.

        z is evidence in standard deviations of chance
        (:meth:`~logical_retriever.semantics.NullDistributions.standardise`); other semantics than calibrated ones have
        truth values alone.
        """
        lines = []
        for term, truth in document.truth_values.items():
            z = document.strengths.get(term)
            if z is None:
                lines.append(f"{term!r} {truth:.2f}")
                continue
            how = (
                self._judged(document, term)
                if term in self.excluded
                else next((words for least, words in ABOUT if z >= least), "not about")
            )
            lines.append(f"{how} {term!r} (evidence {round(z, 1) + 0.0:.1f}{self._sources(document, term)})")
        return tuple(lines)

    def _judged(self, document: RankedDocument, term: str) -> str:
        """Whether the search judged a document to be about an excluded term, where it judged it."""
        out = next((candidate for candidate in self.result.left_out if candidate.id == document.id), None)
        if out is not None and out.term == str(Term(term)):
            return f"{out.reason}, about"
        return "about" if term in document.about else "not about"

    def matched(self, document: RankedDocument, term: str) -> tuple[str, ...]:
        """Words of a document's text, as they stand there, that are evidence of a term of the searched query."""
        wanted = positive_terms(parse(self.searched))
        language = self.result.cost.language
        words = distinct_words(term, () if term in wanted else wanted, language=language)
        return matched_words(document.text, frozenset(words), language)

    def _sources(self, document: RankedDocument, term: str) -> str:
        """Where the evidence for a term came from, in words; nothing where it is all from vectors."""
        sources = document.sources.get(term)
        if sources is None or sources.words <= 0.0:
            return ""
        words = ", ".join(self.matched(document, term)[:SHOWN_WORDS])
        return f": {sources.vectors:.1f} by its vector, {sources.words:.1f} by its words {words}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-serialisable form."""
        transformation, result = self.transformation, self.result
        return {
            "question": transformation.question,
            "logical_query": str(transformation.query),
            "method": transformation.method,
            "problem": transformation.problem,
            "standalone": transformation.standalone,
            "confidence": transformation.confidence,
            "searched": self.searched,
            "routed": self.routed,
            "exact": result.exact,
            "completeness": result.completeness,
            "cost": asdict(result.cost),
            "documents": [self._document(document) for document in result.documents],
            "dense": [{"id": _plain(document.id), "score": document.score} for document in self.dense],
            "not_shown": [self._document(document) for document in self.not_shown],
            "excluded": [
                {"id": _plain(out.id), "text": out.text, "term": out.term, "reason": out.reason, "share": out.share}
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
            "about": list(document.about),
            "dense_rank": self.dense_rank(document.id),
            **{name: dict(getattr(document, name)) for name in ("truth_values", "strengths", "cosines")},
            "sources": {
                term: {**asdict(source), "matched": list(self.matched(document, term))}
                for term, source in document.sources.items()
            },
            "reasons": list(self.reasons(document)),
            "text": document.text,
        }

    def __str__(self) -> str:
        transformation, result, cost = self.transformation, self.result, self.result.cost
        opinion = result.second_opinion
        heads = [
            ("Question", transformation.question),
            ("Read as", transformation.standalone),
            ("Logical query", f"{transformation.query}  ({MADE_BY.get(transformation.method, transformation.method)})"),
            ("Problem", transformation.problem),
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

    def _lines(self, place: str, document: RankedDocument) -> list[str]:
        dense = self.dense_rank(document.id)
        rank = f"dense rank {dense}" if dense else f"not in the dense top {len(self.dense)}"
        head = f"{place} {document.score:.3f}  {document.id}  (relevance {document.relevance:.2f}, {rank})"
        return [head, *(f"     {line}" for line in (*self.reasons(document), shortened(document.text)))]


def _plain(id: DocumentId) -> str | int | float:
    """An identity as JSON can say it: a number or text as it is, anything else as its text."""
    return id if isinstance(id, (str, int, float)) else str(id)


def shortened(text: str, width: int = 100) -> str:
    """A text in one line of at most ``width`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 3]}..."

"""Metadata of the documents of an answer, and the events of a question."""

from __future__ import annotations

from typing import Any, Final

from logical_retriever.options import SearchOptions
from logical_retriever.reading import ReadQuestion
from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.search.question import effective_query

PROBLEM: Final = "logical_problem"
"""Key of the metadata that says why a NOT was not understood."""


def answer_metadata(
    ranked: RankedDocument, result: SearchResult, problem: str | None, *, scores: bool = False
) -> dict[str, Any]:
    """A copy of a document's metadata, without what an earlier question may have left in them.

    Args:
        ranked: The document.
        result: The answer that it is part of.
        problem: Why a NOT of the question was not understood, which is added; None for nothing of the kind.
        scores: Whether the document's score, its relevance and the query are added.
    """
    metadata = {name: value for name, value in ranked.metadata.items() if name != PROBLEM}
    if problem is not None:
        metadata[PROBLEM] = problem
    if scores:
        metadata.update(logical_score=ranked.score, logical_relevance=ranked.relevance, logical_query=result.searched)
    return metadata


def query_event(read_question: ReadQuestion, options: SearchOptions) -> dict[str, Any]:
    """The payload of an event: a question has become a logical query; JSON-serialisable.

    Returns:
        ``question``, word for word; ``logical_query``, its canonical text; ``method``, what made it; ``problem``, why
        it was not read, or None; ``standalone``, the question in words that need no conversation, or None;
        ``confidence``, the tagger's, or None; ``searched``, the text of what is searched for: the logical query, or the
        plain question where that has no logic.
    """
    names = ("question", "method", "problem", "standalone", "confidence")
    return {
        **{name: getattr(read_question, name) for name in names},
        "logical_query": str(read_question.query),
        "searched": str(effective_query(read_question, options.composition)),
    }


def search_event(result: SearchResult) -> dict[str, Any]:
    """The account of a search for a run or an event; JSON-serialisable.

    Returns:
        ``completeness``, whether the ranking is exact, and why; ``note``, how many documents were left out, or "";
        ``strategy``, ``scored``, ``requests`` and ``vectors``, as of :class:`logical_retriever.results.Cost`.
    """
    read = {name: getattr(result.cost, name) for name in ("strategy", "scored", "requests", "vectors")}
    return {"completeness": result.completeness, "note": result.note, **read}

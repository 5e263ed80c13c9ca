"""Metadata of the documents of an answer, and the events of a question."""

from __future__ import annotations

import re
from typing import Any, Final

from logical_retriever.reading import ReadQuestion
from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.search.question import Question

PROBLEM: Final = "logical_problem"
"""Metadata key of the reason why a NOT was not understood."""


_END: Final = re.compile(r"(?:(?<=[a-z]{3})|(?<=[\"')]))\.\s+(?=[A-Z])")


def short_problem(problem: str) -> str:
    """Return the first sentence of a problem, for metadata."""
    first = _END.split(problem)[0]
    return first if first.endswith((".", "?", "!")) else f"{first}."


def answer_metadata(ranked: RankedDocument, result: SearchResult, *, scores: bool = False) -> dict[str, Any]:
    """Copy a document's metadata, with the answer's problem in place of an earlier question's.

    Args:
        ranked: The document.
        result: The answer that contains it.
        scores: Whether to add ``logical_score``, ``logical_relevance`` and ``logical_query``.
    """
    metadata = {name: value for name, value in ranked.metadata.items() if name != PROBLEM}
    if result.problem is not None:
        metadata[PROBLEM] = short_problem(result.problem)
    if scores:
        metadata.update(logical_score=ranked.score, logical_relevance=ranked.relevance, logical_query=result.searched)
    return metadata


def query_event(read_question: ReadQuestion, retriever: LogicalRetriever) -> dict[str, Any]:
    """Return the payload of the event of a question that has been read, before it is searched; JSON-serialisable.

    Args:
        read_question: The question with its logical query.
        retriever: Searches for it: with its settings, and no others.

    Returns:
        ``question``, word for word; ``logical_query``, its canonical text; ``method``, what made it; ``problem``, why
        it was not read, or None; ``standalone``, the question in words that need no conversation, or None;
        ``confidence``, the tagger's, or None; ``searched``, the same text as the result's: the logical query with what
        is always excluded, or the plain question where that has no logic.

    Raises:
        FieldError: A condition names a field that the retriever does not know.
    """
    request = Question.of(read_question, retriever.options, fields=retriever.fields)
    names = ("question", "method", "problem", "standalone", "confidence")
    return {
        **{name: getattr(read_question, name) for name in names},
        "logical_query": str(read_question.query),
        "searched": str(request.reported),
    }


def search_event(result: SearchResult) -> dict[str, Any]:
    """Describe a search for a framework's traces and events, as JSON-serialisable data.

    Returns:
        ``completeness`` and ``note`` of the :class:`~logical_retriever.results.SearchResult`; ``strategy``,
        ``scored``, ``requests`` and ``vectors`` of its :class:`~logical_retriever.results.Cost`.
    """
    read = {name: getattr(result.cost, name) for name in ("strategy", "scored", "requests", "vectors")}
    return {"completeness": result.completeness, "note": result.note, **read}

"""Ranked documents on their way into a framework's own types, and the event that comes before them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.retriever import effective_query
from logical_retriever.semantics import Semantics
from logical_retriever.transform import Transformation


def reasons(ranked: RankedDocument, result: SearchResult) -> dict[str, Any]:
    """Why a document stands where it stands: the query that was searched for, its score under it, each term's truth."""
    return {
        "query": result.searched,
        "score": ranked.score,
        "terms": dict(ranked.truth_values),
        "exact": result.exact,
    }


def with_reasons(metadata: Mapping[str, Any], why: object, key: str | None) -> dict[str, Any]:
    """A copy of a store's metadata, whose containers can be changed without changing the store's.

    Args:
        metadata: The store's; leaves are shared, since not every object can be copied.
        why: From :func:`reasons`, or the like.
        key: Where that goes, in place of what the store has there; None leaves it out.
    """
    copy: dict[str, Any] = _copied(dict(metadata))
    return copy if key is None else {**copy, key: why}


def query_event(made: Transformation, semantics: str | Semantics) -> dict[str, Any]:
    """The payload of an event: a question has become a logical query; JSON-serialisable.

    Returns:
        ``question``, word for word; ``logical_query``, its canonical text; ``json``, the same as data; ``method``, what
        made it; ``problem``, why it was not read, or None; ``standalone``, the question in words
        that need no conversation, or None; ``signs``, the words of negation that rules saw;
        ``searched``, the text of what is searched for: the logical query, or the plain question where that has no
        logic.
    """
    return {
        "question": made.question,
        "logical_query": str(made.query),
        "json": made.query.to_dict(),
        "method": made.method,
        "problem": made.problem,
        "standalone": made.standalone,
        "signs": list(made.signs),
        "searched": str(effective_query(made, semantics)),
    }


def _copied(value: Any) -> Any:
    """Copy containers all the way down."""
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_copied(part) for part in value]
    return value

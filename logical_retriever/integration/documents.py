"""Ranked documents on their way into a framework's own types, and the event that comes before them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.options import SearchOptions
from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.search.request import effective_query
from logical_retriever.transform import Transformation

REASONS = ("query", "score", "relevance", "terms", "exact")
"""The reasons for a place in an answer, each under "logical_score" and so on."""


def reasons(ranked: RankedDocument, result: SearchResult) -> dict[str, Any]:
    """Why a document stands where it stands.

    Returns:
        The query that was searched for, the document's score under it and its relevance in [0, 1], each term's truth,
        and whether the ranking is exact.
    """
    return {
        "query": result.searched,
        "score": ranked.score,
        "relevance": ranked.relevance,
        "terms": dict(ranked.truth_values),
        "exact": result.exact,
    }


def with_reasons(metadata: Mapping[str, Any], why: Mapping[str, Any], key: str | None) -> dict[str, Any]:
    """A copy of a store's metadata with the reasons for a place in an answer, as flat keys.

    Vector stores take values that are texts, numbers or truth values: any other reason is written as JSON, and one
    that is None is left out. The reasons of an earlier answer are replaced.

    Args:
        metadata: The store's; containers are copied, leaves shared, since not every object can be copied.
        why: From :func:`reasons`, or the like.
        key: Begins the keys; None leaves the reasons out.

    Raises:
        InvalidArgumentError: The store has metadata of its own under one of the keys.

    Examples:
        >>> with_reasons({"year": 2024}, {"score": 0.5, "terms": {"tea": 1.0}}, "logical")
        {'year': 2024, 'logical_score': 0.5, 'logical_terms': '{"tea": 1.0}'}
    """
    if key is None:
        return _plain(metadata)
    names = {f"{key}_{name}" for name in REASONS}
    taken = sorted(names & metadata.keys())
    if len(taken) == 1:  # an earlier answer leaves several
        raise InvalidArgumentError(
            f"A document of the store has metadata of its own under {taken[0]!r}, where the reasons for its place "
            "would go.",
            hint='Choose another name with metadata_key="why", or leave the reasons out with metadata_key=None.',
        )
    own = {name: value for name, value in _plain(metadata).items() if name not in names}
    return {**own, **{f"{key}_{name}": _flat(reason) for name, reason in why.items() if reason is not None}}


def query_event(made: Transformation, options: SearchOptions) -> dict[str, Any]:
    """The payload of an event: a question has become a logical query; JSON-serialisable.

    Returns:
        ``question``, word for word; ``logical_query``, its canonical text; ``json``, the same as data; ``method``, what
        made it; ``problem``, why it was not read, or None; ``standalone``, the question in words
        that need no conversation, or None; ``confidence``, the tagger's, or None;
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
        "confidence": made.confidence,
        "searched": str(effective_query(made, options.composition)),
    }


def search_event(result: SearchResult, reading: Mapping[str, float]) -> dict[str, Any]:
    """The account of a search for a run or an event; JSON-serialisable.

    Args:
        result: The answer.
        reading: Milliseconds of the stages before the search.

    Returns:
        ``completeness``, whether the ranking is exact, and why; ``note``, how many documents were left out, or "";
        ``strategy``, ``scored``, ``requests`` and ``vectors``, as of :class:`logical_retriever.results.Cost`; and
        ``milliseconds``, of each stage.
    """
    cost = result.cost
    return {
        "completeness": result.completeness,
        "note": result.note,
        **{name: getattr(cost, name) for name in ("strategy", "scored", "requests", "vectors")},
        "milliseconds": {**reading, **cost.milliseconds},
    }


def _copied(value: Any) -> Any:
    """Copy containers all the way down."""
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_copied(part) for part in value]
    return value


def _plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = _copied(dict(metadata))
    return copy


def _flat(reason: Any) -> str | int | float | bool:
    if isinstance(reason, (str, int, float, bool)):
        return reason
    return json.dumps(reason, ensure_ascii=False)

"""Ranked documents on their way into a framework's own types, and the event that comes before them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.retriever import effective_query
from logical_retriever.semantics import Semantics
from logical_retriever.transform import Transformation

MetadataStyle = Literal["flat", "apart", "nested"]
"""Whether reasons are keys of their own, which every vector store takes ("flat"); are read by their key and are no
items ("apart"); or are one mapping under one key ("nested")."""


class AnswerMetadata(dict[str, Any]):
    """A store's metadata with the reasons for a place in an answer, as flat keys: "logical_score" and so on.

    Vector stores take values that are texts, numbers or truth values, so a reason that is neither is written as JSON,
    and one that is None is left out. The key itself, "logical", is not among the items, but can be read: as one mapping
    of all reasons. Where the store has a key of that name, it is the store's.

    Two of these are equal where what the store knew is: reasons belong to the question and not to the document, and
    what joins the answers to several questions must see one document as one.

    Args:
        metadata: The store's; leaves are shared, since not every object can be copied.
        why: From :func:`reasons`, or the like.
        key: What the flat keys begin with.
        apart: Whether to write no flat keys: the items are the store's own, and so is their text.

    Raises:
        InvalidArgumentError: The store has one of the flat keys. Several of them are what an earlier answer left that
            was put into the store, and are replaced.

    Examples:
        >>> metadata = AnswerMetadata({"year": 2024}, {"score": 0.5, "terms": {"tea": 1.0}}, "logical")
        >>> dict(metadata)
        {'year': 2024, 'logical_score': 0.5, 'logical_terms': '{"tea": 1.0}'}
        >>> metadata["logical"]["terms"]
        {'tea': 1.0}
    """

    def __init__(self, metadata: Mapping[str, Any], why: Mapping[str, Any], key: str, *, apart: bool = False) -> None:
        own: set[str] = set() if apart else {f"{key}_{name}" for name in why}
        taken = sorted(own & metadata.keys())
        if len(taken) == 1:
            raise _taken(taken[0])
        given = {} if apart else why
        written = {f"{key}_{name}": _flat(reason) for name, reason in given.items() if reason is not None}
        kept = {name: value for name, value in _plain(metadata).items() if name not in own}
        if _earlier(kept.get(key), why):
            del kept[key]
        super().__init__({**kept, **written})
        self._key, self._why, self._own = key, why, own

    def __missing__(self, key: str) -> Any:
        if key == self._key:
            return self._why
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key == self._key

    def get(self, key: str, default: Any = None, /) -> Any:
        """As of a dict; the reasons together count as being there."""
        try:
            return self[key]
        except KeyError:
            return default

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AnswerMetadata):
            return self.stored() == other.stored()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # as of a dict

    def stored(self) -> dict[str, Any]:
        """The metadata without the reasons."""
        return {name: value for name, value in self.items() if name not in self._own}


def reasons(ranked: RankedDocument, result: SearchResult) -> dict[str, Any]:
    """Why a document stands where it stands.

    Returns:
        The query that was searched for, the document's score under it and its relevance in [0, 1], each term's truth,
        whether it is about each term that is excluded, and whether the ranking is exact.
    """
    return {
        "query": result.searched,
        "score": ranked.score,
        "relevance": ranked.relevance,
        "terms": dict(ranked.truth_values),
        "excluded": dict(ranked.excluded),
        "exact": result.exact,
    }


def with_reasons(
    metadata: Mapping[str, Any], why: Mapping[str, Any], key: str | None, style: MetadataStyle = "nested"
) -> dict[str, Any]:
    """A copy of a store's metadata, whose containers can be changed without changing the store's.

    Args:
        metadata: The store's; leaves are shared, since not every object can be copied.
        why: From :func:`reasons`, or the like.
        key: Where that goes; None leaves it out.
        style: "nested": a mapping under the key. "flat" and "apart": an :class:`AnswerMetadata`.

    Raises:
        InvalidArgumentError: The store has something of its own there. The reasons of an earlier answer, put into the
            store or scored once more, are replaced.
    """
    if isinstance(metadata, AnswerMetadata):
        metadata = metadata.stored()
    if key is None:
        return _plain(metadata)
    if style != "nested":
        return AnswerMetadata(metadata, why, key, apart=style == "apart")
    if key in metadata and not _earlier(metadata[key], why):
        raise _taken(key)
    return {**_plain(metadata), key: why}


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


def search_event(result: SearchResult) -> dict[str, Any]:
    """The words of a run or an event about a search that is done; JSON-serialisable.

    Returns:
        ``completeness``, whether the ranking is exact, and why; ``note``, what was left out, or ""; ``candidates``,
        ``store_calls`` and ``vectors_read``; ``milliseconds``, of each stage; and ``store_milliseconds``, of these
        spent waiting for the store.
    """
    names = ("completeness", "note", "candidates", "store_calls", "vectors_read", "store_milliseconds")
    return {**{name: getattr(result, name) for name in names}, "milliseconds": dict(result.milliseconds)}


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


def _earlier(there: object, why: Mapping[str, Any]) -> bool:
    """Whether something is the reasons of an earlier answer."""
    return isinstance(there, Mapping) and there.keys() == why.keys()


def _flat(reason: Any) -> str | int | float | bool:
    if isinstance(reason, (str, int, float, bool)):
        return reason
    return json.dumps(reason, ensure_ascii=False)


def _taken(key: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"A document of the store has metadata of its own under {key!r}, where the reasons for its place would go.",
        hint='Choose another name with metadata_key="why", or leave the reasons out with metadata_key=None.',
    )

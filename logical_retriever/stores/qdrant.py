"""Formula queries to Qdrant: what the adapters of all wrappers have in common."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.stores.base import PushdownAnswer, PushdownTarget


def pushdown_target(client: Any, *, using: str | None, by_cosine: bool, filter: Any = None) -> PushdownTarget:
    """What a request to a collection is compiled for.

    Args:
        client: A ``qdrant_client.QdrantClient``.
        using: Name of the vector; None for the one without a name.
        by_cosine: Whether the collection's distance is Cosine.
        filter: A ``models.Filter``, or None.

    Raises:
        StoreCapabilityError: Of another distance, points have scores that are no cosines.
    """
    if not by_cosine:
        raise StoreCapabilityError(
            "Qdrant composes the scores of its own distance, which are cosines where that is Cosine alone.",
            hint="Make the collection with Distance.COSINE, or search with pushdown='auto'.",
        )
    native = None if filter is None else filter.model_dump(mode="json", exclude_none=True)
    return PushdownTarget("Qdrant", {"using": using, "version": _version(client), "native_filter": native})


def execute(client: Any, collection: str, statement: Mapping[str, Any]) -> PushdownAnswer:
    """Send a compiled body, whose filter is in it."""
    from qdrant_client import models

    [answer] = client.query_batch_points(collection, requests=[models.QueryRequest(**statement)])
    return PushdownAnswer(tuple(str(point.id) for point in answer.points), json.dumps(_shown(statement), indent=1))


def _version(client: Any) -> str | None:
    """What the server says; None without a server."""
    try:
        version: str = client.info().version
    except NotImplementedError:
        return None
    return version


def _shown(body: Any) -> Any:
    """A body without the components of its vectors."""
    if isinstance(body, Mapping):
        return {key: _shown(value) for key, value in body.items()}
    if isinstance(body, list):
        numbers = len(body) > 1 and all(isinstance(value, float) for value in body)
        return f"<vector of {len(body)}>" if numbers else [_shown(value) for value in body]
    return body

"""Answers of several stores as one: ids, lists and scans."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from logical_retriever.results import DocumentId, id_order
from logical_retriever.stores.base import Filter, Store, VectorBatch

Ranked = tuple[Sequence[DocumentId], Sequence[float]]
"""A store's list, and for each entry the value by which lists are merged."""


@dataclass(frozen=True)
class ShardedId:
    """Identity of a document among shards that may use the same ids.

    Attributes:
        shard: Counted from 1.
        id: The shard's own identity of it.
    """

    shard: int
    id: DocumentId

    def __lt__(self, other: ShardedId) -> bool:
        return (self.shard, id_order(self.id)) < (other.shard, id_order(other.id))

    def __str__(self) -> str:
        return f"{self.shard}/{self.id}"


@dataclass(frozen=True, eq=False)
class ShardFilters:
    """A filter for each shard, of one that they share and conditions that each says in its own language."""

    parts: tuple[Filter, ...]


def filter_of(filter: Filter, part: int) -> Filter:
    """The filter of one shard."""
    return filter.parts[part] if isinstance(filter, ShardFilters) else filter


class Walk:
    """A scan of one shard. Begun anew where it fails before it has given anything, and never later."""

    def __init__(self, store: Store, filter: Filter) -> None:
        self._store, self._filter = store, filter
        self._batches: Iterator[VectorBatch] | None = None
        self._failed: Exception | None = None
        self._given = False

    def next(self) -> VectorBatch | None:
        """The next batch; None at the end."""
        if self._failed is not None and self._given:
            raise self._failed  # the generator that raised would now say that it is at its end
        if self._batches is None or self._failed is not None:
            self._batches = iter(self._store.scan(self._filter))
        try:
            batch = next(self._batches, None)
        except Exception as error:
            self._failed = error
            raise
        self._failed, self._given = None, True
        return batch


def carried(ids: Sequence[DocumentId], values: Mapping[DocumentId, float], first: float) -> list[float]:
    """The value of each entry; of one that did not come back, that of the one before it."""
    found: list[float] = []
    for id in ids:
        found.append(values.get(id, found[-1] if found else first))
    return found


def merged(lists: Sequence[Ranked], n: int) -> list[DocumentId]:
    """The first n entries of several lists, each in its own order, the greatest of those that come next first.

    A list that does not descend is not sorted here: a search looks at the order to know what it may conclude from it.
    """
    heads = [(-values[0], part, 0) for part, (ids, values) in enumerate(lists) if ids]
    heapq.heapify(heads)
    found: list[DocumentId] = []
    while heads and len(found) < n:
        _, part, at = heads[0]
        ids, values = lists[part]
        found.append(ids[at])
        if at + 1 < len(ids):
            heapq.heapreplace(heads, (-values[at + 1], part, at + 1))
        else:
            heapq.heappop(heads)
    return found

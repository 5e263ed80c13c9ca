"""A cache of bounded size for several threads, over cachetools."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """A cache of the entries used last. Safe to use from several threads. A copy or pickle starts empty.

    Args:
        limit: Most entries, at least 0.

    Examples:
        >>> cache = BoundedCache(1)
        >>> cache.put("tea", "green"); cache.put("a", "b"); cache.get("tea") is None
        True
    """

    def __init__(self, limit: int) -> None:
        self._limit, self._lock = limit, Lock()
        self._entries: LRUCache[K, V] = LRUCache(limit)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._limit,)

    def get(self, key: K) -> V | None:
        """Return the value of a key and count it as used; None for an unknown key."""
        with self._lock:
            return self._entries.get(key)

    def put(self, key: K, value: V) -> None:
        """Store a value; the entry unused for longest gives way."""
        with self._lock:
            if self._limit:
                self._entries[key] = value

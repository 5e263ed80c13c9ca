"""cachetools' cache for threads and copies: with a lock, and empty in a copy."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """The entries used last, within a bound. Safe to use from several threads; a copy begins empty.

    Args:
        limit: Most that all entries weigh together, at least 0; an entry that alone weighs more is not kept.
        weigh: Bytes of an entry, key and value together, an estimate; None to count entries.

    Examples:
        >>> cache = BoundedCache(10, weigh=lambda key, value: len(key) + len(value))
        >>> cache.put("tea", "green"); cache.put("a", "b"); cache.get("tea")
        'green'
        >>> cache.put("no", "room"); cache.get("a") is None
        True
    """

    def __init__(self, limit: int, *, weigh: Callable[[K, V], int] | None = None) -> None:
        self._limit, self._weigh, self._lock = limit, weigh, Lock()
        self._entries: LRUCache[K, tuple[V, int]] = LRUCache(limit, getsizeof=lambda entry: entry[1])

    def __reduce__(self) -> tuple[Any, ...]:
        return _empty, (type(self), self._limit, self._weigh)

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """The value of a key, which then counts as used; None where there is none."""
        with self._lock:
            entry = self._entries.get(key)
        return None if entry is None else entry[0]

    def put(self, key: K, value: V, *, replace: bool = True) -> None:
        """Keep a value, and forget what was not used for longest; without ``replace``, a key keeps the one it has."""
        weight = 1 if self._weigh is None else self._weigh(key, value)
        with self._lock:
            if not replace and self._entries.get(key) is not None:
                return
            self._entries.pop(key, None)
            if weight <= self._limit:
                self._entries[key] = value, weight

    def made(self, key: K, make: Callable[[K], V]) -> V:
        """The value of a key, made of it where there is none."""
        value = self.get(key)
        if value is None:
            value = make(key)
            self.put(key, value)
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()


def _empty(kind: type[BoundedCache[K, V]], limit: int, weigh: Callable[[K, V], int] | None) -> Any:
    return kind(limit, weigh=weigh)

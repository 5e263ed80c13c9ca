"""A cache that is bounded in bytes and forgets what was not used for longest."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """A mapping of at most so many bytes. Safe to use from several threads; a copy begins empty.

    Args:
        limit: Most bytes that the entries weigh together, at least 0; an entry that alone weighs more is not kept.
        weigh: Bytes of an entry, key and value together; an estimate is enough.
        max_entries: Most entries; None for no bound but the bytes.

    Examples:
        >>> cache = BoundedCache(10, weigh=lambda key, value: len(key) + len(value))
        >>> cache.put("tea", "green"); cache.put("a", "b"); cache.get("tea")
        'green'
        >>> cache.put("no", "room"); cache.get("a") is None
        True
    """

    def __init__(self, limit: int, *, weigh: Callable[[K, V], int], max_entries: int | None = None) -> None:
        self.limit = limit
        self.max_entries = max_entries
        self._weigh = weigh
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled as its bounds: what it holds can be had again, and its lock cannot be copied."""
        return _empty, (type(self), self.limit, self._weigh, self.max_entries)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def bytes(self) -> int:
        """Weight of all entries together now."""
        return self._bytes

    def get(self, key: K) -> V | None:
        """The value of a key, which then counts as used; None where there is none."""
        with self._lock:
            found = self._entries.get(key)
            if found is None:
                return None
            self._entries.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V, *, replace: bool = True) -> None:
        """Keep a value, and forget what was not used for longest; without ``replace``, a key keeps the one it has."""
        weight = self._weigh(key, value)
        with self._lock:
            if not replace and key in self._entries:
                self._entries.move_to_end(key)
                return
            self._bytes -= self._entries.pop(key, (None, 0))[1]
            if weight > self.limit:
                return
            self._entries[key] = value, weight
            self._bytes += weight
            while self._bytes > self.limit or (self.max_entries is not None and len(self._entries) > self.max_entries):
                self._bytes -= self._entries.popitem(last=False)[1][1]

    def made(self, key: K, make: Callable[[K], V]) -> V:
        """The value of a key, made of it where there is none."""
        found = self.get(key)
        if found is None:
            found = make(key)
            self.put(key, found)
        return found

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0


def _empty(kind: type[BoundedCache[K, V]], limit: int, weigh: Callable[[K, V], int], most: int | None) -> Any:
    return kind(limit, weigh=weigh, max_entries=most)

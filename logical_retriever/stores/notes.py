"""Notes that stores take during one search: which of their parts did not answer, and what computed for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

_CURRENT: ContextVar[SearchNotes | None] = ContextVar("logical_retriever_search_notes", default=None)


class SearchNotes:
    """Notes of one search, from its planning to its answer. Safe to use from several threads.

    A store of several parts can answer although one of them does not; only the search can say so, and a part that was
    missing once is not to be waited for again. Stores find the notes of the search that asks them by
    :func:`current_notes`, through however many wrappers; asked outside a search, they have nobody to tell, and raise.
    """

    def __init__(self) -> None:
        self._absent: dict[tuple[int, int], str] = {}
        self._devices: dict[str, None] = {}
        self._memories: dict[tuple[int, str], tuple[object, Any]] = {}
        self._lock = threading.Lock()

    @property
    def absent(self) -> tuple[str, ...]:
        """The parts that did not answer, in words, one entry for each part."""
        with self._lock:
            return tuple(self._absent.values())

    def absent_parts(self, store: object) -> set[int]:
        """Parts of a store that did not answer."""
        with self._lock:
            return {part for known, part in self._absent if known == id(store)}

    def note_absent(self, store: object, part: int, what: str) -> None:
        """Note that a part of a store did not answer, and why; the first reason stays."""
        with self._lock:
            self._absent.setdefault((id(store), part), what)

    @property
    def device(self) -> str | None:
        """The device that compared vectors first, or why it did not, in words; None where there is none."""
        with self._lock:
            return "; ".join(self._devices) if self._devices else None

    def note_device(self, what: str) -> None:
        """Note that a device compared the vectors of a store, or why it did not."""
        with self._lock:
            self._devices.setdefault(what)

    def memory(self, store: object, what: str, make: Callable[[], T]) -> T:
        """Something that a store wants to know during this search alone, made when it is first asked for."""
        key = (id(store), what)
        with self._lock:
            known = self._memories.get(key)
        if known is None:
            made = make()  # it may ask for another memory
            with self._lock:
                # Together with the store: another one could come to lie at its address.
                known = self._memories.setdefault(key, (store, made))
        value: T = known[1]
        return value

    def take_over(self, other: SearchNotes) -> None:
        """Take over what another search, which asked for this one as well, has noted."""
        absent, devices = dict(other._absent), dict(other._devices)
        with self._lock:
            self._absent = {**absent, **self._absent}
            self._devices = {**self._devices, **devices}

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Stores that are asked inside, in this thread, take their notes here."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)


def current_notes() -> SearchNotes | None:
    """Those of the search that this thread works for; None outside one."""
    return _CURRENT.get()


def remembered(store: object, what: str, look: Callable[[], T]) -> T:
    """Something that a store looks up once for each search; outside one, each time."""
    notes = current_notes()
    return look() if notes is None else notes.memory(store, what, look)

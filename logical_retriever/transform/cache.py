"""The cache of transformed questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from logical_retriever.bounded import BoundedCache
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.transform.base import Transformation

DEFAULT_CACHE_SIZE: Final = 1024
"""Questions remembered by default."""
MAX_ENTRY: Final = 64_000
"""Most characters of a question and its answers together that are remembered."""


class QueryCache:
    """The most recently used transformations, by question and prompt.

    The language model is no part of the key: give each model its own cache. Two threads that ask the same new
    question at the same moment both ask the model; the first answer stored is the one kept, so that later calls
    agree. (``batch`` and ``abatch`` ask identical questions once.)

    Args:
        max_entries: Most transformations kept, at least 1; the least recently used goes first.

    Raises:
        InvalidArgumentError: ``max_entries`` is not a positive integer.
    """

    def __init__(self, max_entries: int = DEFAULT_CACHE_SIZE) -> None:
        if not isinstance(max_entries, int) or isinstance(max_entries, bool) or max_entries < 1:
            hint = "Give a positive integer, or cache=False for no cache."
            raise InvalidArgumentError(f"A cache of {max_entries!r} entries.", hint=hint)
        self._entries = BoundedCache[tuple[str, str], Transformation](max_entries)

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, question: str, prompt_id: str) -> Transformation | None:
        """Return what is stored, marked ``cached=True``, or None."""
        entry = self._entries.get((prompt_id, question))
        return None if entry is None else replace(entry, cached=True)

    def put(self, transformation: Transformation, prompt_id: str) -> None:
        """Store a transformation, unless its question is already there."""
        if sum(map(len, (transformation.question, *transformation.answers))) <= MAX_ENTRY:
            self._entries.put((prompt_id, transformation.question), transformation, replace=False)

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()


def cache_from(setting: bool | int | QueryCache) -> QueryCache | None:
    """Read a ``cache=`` argument: a cache is itself, True the default size, False or 0 no cache, a number a size.

    Raises:
        InvalidArgumentError: It is none of these.
    """
    if isinstance(setting, QueryCache):
        return setting
    if setting in (False, 0):
        return None
    return QueryCache() if setting is True else QueryCache(setting)

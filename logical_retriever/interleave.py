"""Several rankings as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TypeVar, cast

T = TypeVar("T")


def interleaved(rankings: Iterable[Iterable[T]]) -> Iterator[T]:
    """Every ranking's first entry, then every ranking's second, and so on; each entry once.

    Examples:
        >>> list(interleaved(["abc", "bd", "e"]))
        ['a', 'b', 'e', 'd', 'c']
    """
    none = object()
    turns = zip_longest(*rankings, fillvalue=none)
    yield from cast("dict[T, None]", dict.fromkeys(entry for turn in turns for entry in turn if entry is not none))

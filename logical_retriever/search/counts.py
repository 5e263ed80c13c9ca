"""How many documents a store has, asked for no more often than it is worth."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from logical_retriever.stores.base import Store
from logical_retriever.stores.notes import remembered

SMALL = 10_000
"""Stores of fewer documents are counted in every search: what is done with them depends on how many there are."""
SHARE = 1000
"""How many times as long as it took a count is used again: a thousandth of the time at most goes into counting."""
LONGEST = 60.0
"""Seconds that a count is good for at most."""


@dataclass
class CountCache:
    """Counts one store, and remembers it where counting is slow.

    Chroma and Postgres walk through all rows to count them, which at a million documents takes longer than a search.
    Whether a large store has grown lately changes no answer: the plan is the same, and statistics of the store are
    drawn anew only when it has grown by a quarter. Where a proof rests on the number of documents they are counted
    again.

    Args:
        clock: Seconds, from any origin.
    """

    clock: Callable[[], float] = time.monotonic
    _latest: tuple[int | None, float] | None = field(default=None, init=False)

    def count(self, store: Store) -> int | None:
        """Documents in the store, at most :data:`LONGEST` ago if it is large; None where it cannot tell.

        Counted once at most for each question.
        """
        return remembered(self, "count", partial(self._counted, store))

    def _counted(self, store: Store) -> int | None:
        started = self.clock()
        latest = self._latest
        if latest is not None and started < latest[1]:
            return latest[0]
        count = store.count()
        ended = self.clock()
        large = count is not None and count >= SMALL
        self._latest = (count, ended + min(LONGEST, SHARE * (ended - started))) if large else None
        return count

"""Where the time of a question goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """Time of the stages of one question.

    Attributes:
        milliseconds: Of each stage, in the order in which they were first entered.
    """

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time inside to that of a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            took = 1000.0 * (time.perf_counter() - started)
            self.milliseconds[name] = self.milliseconds.get(name, 0.0) + took

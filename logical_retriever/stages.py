"""Where the time of a question goes."""

from __future__ import annotations

import time


class Stopwatch:
    """Time of the stages of one question; it runs from when it is made.

    Attributes:
        milliseconds: Of each stage, in the order in which they first ended.
    """

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def lap(self, name: str) -> None:
        """Add the time since the last stage ended to that of this one."""
        now = time.perf_counter()
        self.milliseconds[name] = self.milliseconds.get(name, 0.0) + 1000.0 * (now - self._since)
        self._since = now

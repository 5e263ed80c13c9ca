"""Where the time of a question goes: how long each stage took, from its reading to its answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass
class StageTimes:
    """Time of one question's stages, each counted once: a stage within another is part of that one.

    Attributes:
        milliseconds: Of each stage, in the order in which they were first entered.
    """

    milliseconds: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, seconds: float) -> None:
        """Add to a stage's time."""
        self.milliseconds[name] = self.milliseconds.get(name, 0.0) + 1000.0 * seconds


_CURRENT: ContextVar[StageTimes | None] = ContextVar("logical_retriever_stage_times", default=None)


@contextmanager
def timed(times: StageTimes | None = None) -> Iterator[StageTimes]:
    """Take the times of one question: these; or those being taken already, outside of any stage; or new ones.

    Args:
        times: Of a question that is worked on in several turns.
    """
    taken = _CURRENT.get() if times is None else times
    if taken is None:
        taken = StageTimes()
    token = _CURRENT.set(taken)
    try:
        yield taken
    finally:
        _CURRENT.reset(token)


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Count the time inside as that of a stage, where times are taken; a search within it takes its own."""
    times = _CURRENT.get()
    if times is None:
        yield
        return
    token = _CURRENT.set(None)
    started = time.perf_counter()
    try:
        yield
    finally:
        times.add(name, time.perf_counter() - started)
        _CURRENT.reset(token)

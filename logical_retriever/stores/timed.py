"""Several stores asked at once, each for so many seconds and no longer."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from contextvars import copy_context
from typing import Generic, TypeVar

from logical_retriever.errors import LogicalRetrieverError, StoreCapabilityError, StoreError, VectorMismatchError

T = TypeVar("T")

MOST_LATE = 8
"""Requests to one store that may still be without an answer when their time is over; while there are so many it is not
asked again. A thread that waits cannot be ended, and a store that hangs must not collect them."""


def is_refusal(error: Exception) -> bool:
    """Whether a store that works refused what it was asked, so that asking again would be of no use."""
    if isinstance(error, StoreError):
        return isinstance(error, (StoreCapabilityError, VectorMismatchError))
    return isinstance(error, LogicalRetrieverError)


class TimedRequests:
    """Asks parts of a store at once; each reads in a thread of its own, so that nobody waits for one that hangs.

    Safe to use from several threads.

    Args:
        seconds: Time for each request; one that failed before is repeated once within it, since reading changes
            nothing.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._late: dict[int, int] = {}
        self._lock = threading.Lock()

    def answers(self, calls: Mapping[int, Callable[[], T]]) -> tuple[dict[int, T], dict[int, Exception]]:
        """Make calls at once.

        Args:
            calls: For each part.

        Returns:
            What they gave, and of those that raised, or were not done in time, the error; both in the order of calls.
        """
        deadline = time.monotonic() + self.seconds
        done: queue.SimpleQueue[_Request[T]] = queue.SimpleQueue()
        waiting: dict[int, _Request[T]] = {}
        finished: dict[int, _Request[T]] = {}
        failed: dict[int, Exception] = {}
        for part, call in calls.items():
            if (late := self._late.get(part, 0)) >= MOST_LATE:
                failed[part] = TimeoutError(f"{late} earlier requests are still without an answer")
                continue
            waiting[part] = _Request(part, call, deadline)
            # Daemons: a thread that waits for ever must not keep the process from ending.
            work = (self._made, waiting[part], done)
            threading.Thread(target=copy_context().run, args=work, name=f"part {part + 1}", daemon=True).start()
        while waiting:
            try:
                request = done.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            finished[request.part] = waiting.pop(request.part)
        for part, request in waiting.items():
            with self._lock:
                if not request.done:
                    request.late = True
                    self._late[part] = self._late.get(part, 0) + 1
            failed[part] = TimeoutError(f"no answer within {self.seconds:g} s")
        failed.update({part: request.error for part, request in finished.items() if request.error is not None})
        given = {part: finished[part].value for part in calls if part not in failed}
        return given, {part: failed[part] for part in calls if part in failed}

    def _made(self, request: _Request[T], done: queue.SimpleQueue[_Request[T]]) -> None:
        try:
            request.make()
        finally:
            with self._lock:
                request.done = True
                if request.late:
                    self._late[request.part] -= 1
            done.put(request)


class _Request(Generic[T]):
    """One call, made in a thread."""

    value: T

    def __init__(self, part: int, call: Callable[[], T], deadline: float) -> None:
        self.part = part
        self.error: Exception | None = RuntimeError("it ended without an answer")
        self.done = False
        self.late = False
        self._call = call
        self._deadline = deadline

    def make(self) -> None:
        for repeated in (False, True):
            try:
                self.value = self._call()
            except Exception as error:  # whatever a client raises
                self.error = error
                if repeated or is_refusal(error) or time.monotonic() >= self._deadline:
                    return
            else:
                self.error = None
                return

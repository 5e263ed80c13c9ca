"""A bound on how long a question may take, whatever the model's client does."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from threading import BoundedSemaphore, Thread
from typing import Any, Final, TypeVar

from logical_retriever.errors import InvalidArgumentError, LLMCallError

A = TypeVar("A")
T = TypeVar("T")

MAX_OVERDUE: Final = 64
"""Most calls with a bound that are under way at the same time, those included that nobody waits for any more."""
_HINT: Final = "Raise timeout, or use a faster model; the client's own timeout and limit of tokens end calls earlier."
_places = BoundedSemaphore(MAX_OVERDUE)


def check_timeout(timeout: object) -> float | None:
    """Return a number of seconds unchanged, or refuse it.

    Raises:
        InvalidArgumentError: It is neither None nor a finite number above 0.
    """
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout < math.inf:
        raise InvalidArgumentError(f"timeout is {timeout!r}.", hint="Give seconds, above 0; or None for no bound.")
    return timeout


def within(seconds: float | None, call: Callable[[A], T], argument: A) -> T:
    """Make a blocking call, and wait for it no longer than this.

    A thread cannot be stopped from outside: a call that takes too long goes on until its client ends it, and its answer
    is seen by nobody. So that a model that hangs does not fill the process with threads, there are at most
    ``MAX_OVERDUE`` of them.

    Raises:
        LLMCallError: It took too long, or too many calls are under way.
    """
    if seconds is None:
        return call(argument)
    began = time.monotonic()
    places = _places
    if not places.acquire(timeout=seconds):
        raise LLMCallError(f"{MAX_OVERDUE} calls of language models are under way and late.", hint=_HINT)
    outcome: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(call(argument))
        except BaseException as error:
            raised.append(error)
        finally:
            places.release()

    # Not of a pool: the interpreter waits for a pool's threads when it ends. The context carries tracing.
    thread = Thread(target=copy_context().run, args=(run,), name="logical-retriever-ask", daemon=True)
    thread.start()
    thread.join(max(0.0, seconds - (time.monotonic() - began)))
    if raised:
        raise raised[0]
    if not outcome:
        raise _late(seconds)
    return outcome[0]


async def awithin(seconds: float | None, call: Coroutine[Any, Any, T]) -> T:
    """Asynchronous twin of :func:`within`: a call that takes too long is cancelled."""
    if seconds is None:
        return await call
    try:
        return await asyncio.wait_for(call, seconds)
    except asyncio.TimeoutError as error:
        raise _late(seconds) from error


def _late(seconds: float) -> LLMCallError:
    return LLMCallError(f"The language model did not answer within {seconds:g} seconds.", hint=_HINT)

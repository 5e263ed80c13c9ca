"""Calls of a language model, with every failure as one kind of error, and a bound on the time of a call."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Event, Thread
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel

from logical_retriever.errors import InvalidArgumentError, LLMCallError, TransformError
from logical_retriever.transform.base import Message, StructuredChatModel

T = TypeVar("T")


_log: Final = logging.getLogger(__name__)


def check_llm(llm: object) -> None:
    """Refuse what cannot be asked.

    Raises:
        InvalidArgumentError: It has no method ``complete``.
    """
    if isinstance(llm, type) or not callable(getattr(llm, "complete", None)):
        raise InvalidArgumentError(
            f"llm is {llm!r}, which has no method complete(messages).",
            hint="Give an object whose complete(messages) returns the text of the model's answer.",
        )


def fills_forms(llm: object) -> bool:
    """Whether a model says that it fills forms."""
    return isinstance(llm, StructuredChatModel) and llm.structured


async def ask(
    llm: Any, messages: Sequence[Message], form: type[BaseModel] | None = None, *, blocking: bool = False
) -> str:
    """Call a model.

    Args:
        llm: A chat model.
        messages: The conversation so far.
        form: The form that it fills; None for text.
        blocking: Whether to call it in this very thread, so that the coroutine never waits; see :func:`completed`.
            Else its asynchronous method is awaited, or a thread where it has none.

    Raises:
        LLMCallError: The model raised, or answered nothing.
    """
    name = "complete" if form is None else "complete_structured"
    native = None if blocking else getattr(llm, f"a{name}", None)
    if native is None and not blocking:
        return await asyncio.to_thread(lambda: completed(ask(llm, messages, form, blocking=True)))
    arguments = (tuple(messages),) if form is None else (tuple(messages), form)
    try:
        answer = getattr(llm, name)(*arguments) if native is None else await native(*arguments)
    except TransformError:  # an adapter's own, with a hint of its own
        raise
    except Exception as error:
        raise LLMCallError(
            f"The language model raised {type(error).__name__}: {error}",
            hint="Check the model's key, network and limits; the cause is attached as __cause__.",
        ) from error
    if not isinstance(answer, str) or not answer.strip():
        raise LLMCallError(
            f"The language model answered {'nothing' if isinstance(answer, str) else type(answer).__name__}.",
            hint="Check the model's output limit and content filter; complete(messages) must return the answer's text.",
        )
    return answer


def completed(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never waits, without an event loop."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return cast("T", done.value)
    raise AssertionError("The coroutine waits for an event loop.")


def check_timeout(timeout: object) -> None:
    """Refuse a timeout that is none.

    Raises:
        InvalidArgumentError: It is neither None nor a finite number above 0.
    """
    if timeout is not None and (type(timeout) not in (int, float) or not 0 < timeout < math.inf):  # type: ignore[operator]
        raise InvalidArgumentError(f"timeout is {timeout!r}.", hint="Give seconds, above 0; or None for no bound.")


def within(seconds: float | None, call: Callable[..., T], *arguments: Any) -> T:
    """Make a blocking call, and wait for it no longer than this.

    A thread cannot be stopped from outside: a late call goes on until its client ends it, and nobody sees its answer.

    Raises:
        LLMCallError: It took too long.
    """
    if seconds is None:
        return call(*arguments)
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(call(*arguments))
        except BaseException as error:
            outcome.set_exception(error)

    # Not a pool's thread: the interpreter would wait for it when it ends. The context carries tracing.
    Thread(target=copy_context().run, args=(run,), name="logical-retriever-ask", daemon=True).start()
    if not wait((outcome,), seconds).done:
        raise _late(seconds)
    return outcome.result()


async def awithin(seconds: float | None, call: Coroutine[Any, Any, T]) -> T:
    """Asynchronous twin of :func:`within`: a late call is cancelled."""
    try:
        return await asyncio.wait_for(call, seconds)
    except asyncio.TimeoutError as error:
        raise _late(seconds or 0.0) from error


def _late(seconds: float) -> LLMCallError:
    return LLMCallError(
        f"The language model did not answer within {seconds:g} seconds.",
        hint="Raise timeout, or use a faster model; the client's own timeout and limit of tokens end calls earlier.",
    )


def refuse_cut_off(metadata: Mapping[str, Any]) -> None:
    """Refuse an answer that ended at a bound on tokens: what is missing could be a NOT.

    Args:
        metadata: What the provider says of the answer; each has its own names for the reason of its end.

    Raises:
        LLMCallError: It was cut off.
    """
    reasons = {str(metadata.get(name)).casefold() for name in ("finish_reason", "stop_reason", "done_reason")}
    if cut_off := reasons & {"length", "max_tokens", "max_output_tokens", "model_length"}:
        raise LLMCallError(
            f"The language model's answer was cut off ({', '.join(cut_off)}).",
            hint="Raise the model's bound on tokens; a logical query needs about two hundred.",
        )


def given_up(error: Exception, no_forms: Event) -> None:
    """Take an error of a model that was asked to fill a form: from now on it is asked for text, and the log says so.

    Args:
        error: What the model raised.
        no_forms: Set where the error says that the model or its server cannot fill forms.

    Raises:
        Exception: The error itself, where it says that the model failed.
    """
    status = getattr(error, "status_code", getattr(error, "code", None))
    if not isinstance(error, (NotImplementedError, TypeError)) and status not in (400, 404, 405, 415, 422, 501):
        raise error
    _log.warning("%s: this model fills no forms; it is asked for text from now on.", type(error).__name__)
    no_forms.set()

"""Calls of a language model, with every failure as one kind of error."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from logical_retriever.errors import InvalidArgumentError, LLMCallError, TransformError
from logical_retriever.reading.base import Message

T = TypeVar("T")


def check_llm(llm: object) -> None:
    """Reject an object without a method ``complete``, or a class.

    Raises:
        InvalidArgumentError: It is one of these.
    """
    if isinstance(llm, type) or not callable(getattr(llm, "complete", None)):
        raise InvalidArgumentError(
            f"llm is {llm!r}, which has no method complete(messages).",
            hint="Give an object whose complete(messages) returns the text of the model's answer.",
        )


async def ask(
    llm: Any, messages: Sequence[Message], form: type[BaseModel] | None = None, *, blocking: bool = False
) -> str:
    """Ask a model and return its answer's text.

    Args:
        llm: A chat model.
        messages: The conversation so far.
        form: The form that it fills, unless it refuses forms and is asked for text in its place; None for text.
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
        if form is not None and refuses_forms(error):
            return await ask(llm, messages, blocking=blocking)
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
    """Run a coroutine that never waits, without an event loop, and return its result."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return cast("T", done.value)
    raise AssertionError("The coroutine waits for an event loop.")


def refuse_cut_off(metadata: Mapping[str, Any]) -> None:
    """Reject an answer that ended at a bound on tokens: the missing part could be a NOT.

    Args:
        metadata: What the provider says about the answer. Each provider has its own name for the reason of its end.

    Raises:
        LLMCallError: The answer was cut off.
    """
    reasons = {str(metadata.get(name)).casefold() for name in ("finish_reason", "stop_reason", "done_reason")}
    if cut_off := reasons & {"length", "max_tokens", "max_output_tokens", "model_length"}:
        raise LLMCallError(
            f"The language model's answer was cut off ({', '.join(cut_off)}).",
            hint="Raise the model's bound on tokens; a logical query needs about two hundred.",
        )


def refuses_forms(error: Exception) -> bool:
    """Return whether an error means that the model or its server cannot fill forms, not that one call failed."""
    status = getattr(error, "status_code", getattr(error, "code", None))
    return isinstance(error, (NotImplementedError, TypeError)) or status in (400, 404, 405, 415, 422, 501)

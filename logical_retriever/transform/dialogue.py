"""Asks a language model: read the answer, send it back with what was wrong with it, within a bound on calls.

Nothing here knows what is asked for. A journal of answers is a chat model of its own, in front of the one it spares.
"""

from __future__ import annotations

import asyncio
import inspect
import itertools
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from dataclasses import KW_ONLY, dataclass, field
from threading import Event, Lock
from typing import Any, Final, Generic, NoReturn, TypeVar, cast

from logical_retriever.errors import (
    CallLimitError,
    InvalidArgumentError,
    LLMAnswerError,
    LLMCallError,
    LogicalQueryError,
    TransformError,
)
from logical_retriever.transform.base import LONG, AsyncChatModel, ChatModel, Message, check_count, shown

S = TypeVar("S")
T = TypeVar("T")

MAX_ANSWER: Final = 200_000
"""Most characters of an answer that is read at all, reasoning included."""
_SHOWN: Final = 10_000
# Providers refuse an assistant message without content.
_NO_ANSWER: Final = "(no answer)"


class CallBudget:
    """Counts calls of a language model and bounds them. Safe to share between threads.

    Args:
        max_calls: Most calls, at least 0; None for no bound.

    Attributes:
        calls: Calls so far, repairs included.

    Raises:
        InvalidArgumentError: ``max_calls`` is neither.
    """

    def __init__(self, max_calls: int | None = None) -> None:
        self.calls = 0
        self._max_calls = None if max_calls is None else check_count("max_calls", max_calls)
        self._lock = Lock()

    def spend(self) -> None:
        """Count a call that is about to be made.

        Raises:
            CallLimitError: It would be one too many; it is not counted.
        """
        with self._lock:
            if self._max_calls is not None and self.calls >= self._max_calls:
                raise CallLimitError(f"The budget of {self._max_calls} calls is used up.", hint="Raise max_calls.")
            self.calls += 1


@dataclass
class Dialogue(Generic[T]):
    """The conversation about one text. All but :meth:`run` and :meth:`arun` is free of input and output.

    Args:
        messages: What to send first.
        read: Reads an answer; a ``ValueError`` of this package or an ``LLMAnswerError`` says what is wrong with
            it, in words for the model. The last one is the cause of the error when no answer could be read.
        repair: The message that asks again; ``{problem}`` stands for what was wrong.
        max_repairs: How often it is sent, at least 0.
        wanted: What the answer should hold, for messages.
        about: The text that is asked about, for messages.
        hint: What to do when no answer could be read.
        budget: Counts and bounds the calls.
        may_be_empty: Whether an answer without text is read like any other; else it is a failed call.

    Attributes:
        messages: What to send to the model next.
        answers: What it answered, oldest first.
        result: What was read, as soon as an answer could be.
    """

    messages: Sequence[Message]
    read: Callable[[str], T]
    _: KW_ONLY
    repair: str
    max_repairs: int
    wanted: str
    about: str
    hint: str
    budget: CallBudget = field(default_factory=CallBudget)
    may_be_empty: bool = False
    answers: list[str] = field(default_factory=list, init=False)
    result: T | None = field(default=None, init=False)

    def run(self, llm: ChatModel) -> T:
        """Ask until an answer can be read.

        Raises:
            LLMCallError: The model raised or answered nothing; it is not asked again.
            LLMAnswerError: No answer could be read.
            CallLimitError: The budget is used up.
        """
        while self.result is None:
            self.budget.spend()
            self.receive(ask(llm.complete, self.messages))
        return self.result

    async def arun(self, llm: ChatModel | AsyncChatModel) -> T:
        """Asynchronous twin of :meth:`run`; a long answer is read in a thread."""
        while self.result is None:
            self.budget.spend()
            answer = await aask(llm, self.messages)
            if isinstance(answer, str) and len(answer) > LONG:
                await asyncio.to_thread(self.receive, answer)
            else:
                self.receive(answer)
        return self.result

    def receive(self, answer: object) -> None:
        """Read an answer: set the result, or prepare the message that asks for a better one.

        Raises:
            LLMCallError: The answer is nothing.
            LLMAnswerError: The answer cannot be read, and no repair is left.
        """
        if not isinstance(answer, str):
            raise LLMCallError(
                f"The language model returned {type(answer).__name__}, not a string.",
                hint="complete(messages) must return the text of the answer (and acomplete await it).",
            )
        if not self.may_be_empty and not answer.strip():
            raise LLMCallError(
                f"The language model answered nothing to {shown(self.about)}.",
                hint="Check the model's output limit and content filter, then ask again.",
            )
        self.answers.append(answer)
        try:
            if len(answer) > MAX_ANSWER:
                raise LLMAnswerError(
                    f"The answer has {len(answer):,} characters; at most {MAX_ANSWER:,} are read.",
                    hint=f"Answer with the {self.wanted} alone.",
                    answers=(answer,),
                )
            self.result = self.read(answer)
        except (LogicalQueryError, InvalidArgumentError, LLMAnswerError) as error:
            if len(self.answers) > self.max_repairs:
                times = "answer" if len(self.answers) == 1 else f"{len(self.answers)} answers"
                raise LLMAnswerError(
                    f"No {self.wanted} in the model's {times} to {shown(self.about)}. The last problem: "
                    f"{error.message}",
                    hint=self.hint,
                    answers=tuple(self.answers),
                ) from error
            before, _, after = self.repair.partition("{problem}")
            problem = str(error).removesuffix(f"\nMore: {error.section}")  # a model does not look into docs
            self.messages = [
                *self.messages,
                {"role": "assistant", "content": answer[:_SHOWN].strip() or _NO_ANSWER},
                {"role": "user", "content": f"{before}{problem}{after}"},
            ]


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


def ask_all(
    ask: Callable[[S], T], items: Sequence[S], workers: int, progress: Callable[[int, int], None] | None = None
) -> list[T]:
    """Ask about several things, several at a time; after the first exception nothing more is asked.

    Args:
        ask: Asks about one; runs with the caller's context variables, which carry tracing in most frameworks.
        items: The things.
        workers: Most threads.
        progress: Called in the caller's thread with the number done and of all.

    Returns:
        The answers, in order.
    """
    failed = Event()

    def one(item: S) -> T | None:
        if failed.is_set():
            return None  # seen by nobody: the exception is raised
        try:
            return ask(item)
        except BaseException:
            failed.set()
            raise

    pool = ThreadPoolExecutor(max(workers, 1), thread_name_prefix="logical-retriever-ask")
    try:
        calls = [pool.submit(copy_context().run, one, item) for item in items]
        for done, call in enumerate(as_completed(calls), start=1):
            call.result()
            if progress is not None:
                progress(done, len(items))
    finally:
        pool.shutdown(cancel_futures=True)
    return [cast("T", call.result()) for call in calls]


async def aask_all(
    ask: Callable[[S], Coroutine[Any, Any, T]],
    items: Sequence[S],
    limit: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[T]:
    """Asynchronous twin of :func:`ask_all`; the first exception cancels the other calls and waits for them to end."""
    gate, done = asyncio.Semaphore(max(limit, 1)), itertools.count(1)

    async def one(item: S) -> T:
        async with gate:
            answer = await ask(item)
        if progress is not None:
            progress(next(done), len(items))
        return answer

    tasks = [asyncio.ensure_future(one(item)) for item in items]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def ask(complete: Callable[[Sequence[Message]], object], messages: Sequence[Message]) -> object:
    """Call the model; whatever it raises is one kind of error, which also crosses threads safely."""
    try:
        answer = complete(tuple(messages))
    except Exception as error:
        _call_failed(error)
    if inspect.iscoroutine(answer):
        answer.close()
    return answer


async def aask(llm: ChatModel | AsyncChatModel, messages: Sequence[Message]) -> object:
    """Call the model without blocking the event loop."""
    acomplete = getattr(llm, "acomplete", None)
    if not callable(acomplete):
        return await asyncio.to_thread(ask, llm.complete, messages)
    try:
        return await acomplete(tuple(messages))
    except Exception as error:
        _call_failed(error)


def _call_failed(error: Exception) -> NoReturn:
    if isinstance(error, TransformError):  # an adapter's own, with a hint of its own
        raise error
    raise LLMCallError(
        f"The language model raised {type(error).__name__}: {error}",
        hint="Check the model's key, network and limits; the cause is attached as __cause__.",
    ) from error

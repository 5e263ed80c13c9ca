"""A conversation with a language model: ask, read, ask again with what was wrong, without knowing what is asked for."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Generic, NoReturn, TypeVar

from logical_retriever.errors import (
    FormulaError,
    InvalidArgumentError,
    LLMAnswerError,
    LLMCallError,
    LogicalQueryError,
    TransformError,
)
from logical_retriever.transform.base import AsyncChatModel, ChatModel, Message

T = TypeVar("T")

_SHOWN: Final = 10_000


class Dialogue(Generic[T]):
    """The conversation about one text. All but :meth:`run` and :meth:`arun` is free of input and output.

    Args:
        messages: What to send first.
        read: Reads an answer; a ``LogicalQueryError``, ``FormulaError`` or ``LLMAnswerError`` says what is wrong with
            it, in words for the model.
        repair: The message that asks again; ``{problem}`` stands for what was wrong.
        max_repairs: How often it is sent, at least 0.
        wanted: What the answer should hold, for messages.
        about: The text that is asked about, for messages.
        hint: What to do when no answer could be read.
        called: Called before each call of the model; it may raise a ``TransformError`` to forbid it.

    Attributes:
        messages: What to send to the model next.
        answers: What it answered, oldest first.
        result: What was read, as soon as an answer could be.
    """

    def __init__(
        self,
        messages: Sequence[Message],
        read: Callable[[str], T],
        *,
        repair: str,
        max_repairs: int,
        wanted: str,
        about: str,
        hint: str,
        called: Callable[[], None] | None = None,
    ) -> None:
        self.messages = list(messages)
        self.answers: list[str] = []
        self.result: T | None = None
        self._read = read
        self._repair = repair
        self._max_repairs = max_repairs
        self._wanted = wanted
        self._about = about
        self._hint = hint
        self._called = called

    def run(self, llm: ChatModel) -> T:
        """Ask until an answer can be read.

        Raises:
            LLMCallError: The model raised or answered nothing; it is not asked again.
            LLMAnswerError: No answer could be read.
        """
        while self.result is None:
            self._before()
            self.receive(_ask(llm.complete, self.messages))
        return self.result

    async def arun(self, llm: ChatModel | AsyncChatModel) -> T:
        """Asynchronous twin of :meth:`run`."""
        while self.result is None:
            self._before()
            self.receive(await _aask(llm, self.messages))
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
        if not answer.strip():
            raise LLMCallError(
                f"The language model answered nothing to {shown(self._about)}.",
                hint="Check the model's output limit and content filter, then ask again.",
            )
        self.answers.append(answer)
        try:
            self.result = self._read(answer)
        except (LogicalQueryError, FormulaError, LLMAnswerError) as error:
            if len(self.answers) > self._max_repairs:
                times = "answer" if len(self.answers) == 1 else f"{len(self.answers)} answers"
                raise LLMAnswerError(
                    f"No {self._wanted} in the model's {times} to {shown(self._about)}. The last problem: "
                    f"{error.message}",
                    hint=self._hint,
                    answers=tuple(self.answers),
                ) from error
            before, _, after = self._repair.partition("{problem}")
            self.messages = [
                *self.messages,
                {"role": "assistant", "content": answer[:_SHOWN]},
                {"role": "user", "content": f"{before}{error}{after}"},
            ]

    def _before(self) -> None:
        if self._called is not None:
            self._called()


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


def check_repairs(max_repairs: object) -> None:
    """Refuse what is no number of repairs.

    Raises:
        InvalidArgumentError: It is not an integer of at least 0.
    """
    if not isinstance(max_repairs, int) or isinstance(max_repairs, bool) or max_repairs < 0:
        raise InvalidArgumentError(f"max_repairs is {max_repairs!r}.", hint="Give an integer, 0 or more.")


async def all_or_cancel(calls: list[Coroutine[Any, Any, T]]) -> list[T]:
    """Results in order; the first exception cancels the other calls and waits for them to end."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def shown(text: str) -> str:
    """The beginning of a text, for messages."""
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


def _ask(complete: Callable[[Sequence[Message]], object], messages: list[Message]) -> object:
    """Call the model; whatever it raises is one kind of error, which also crosses threads safely."""
    try:
        answer = complete(tuple(messages))
    except Exception as error:
        _call_failed(error)
    if inspect.iscoroutine(answer):
        answer.close()
    return answer


async def _aask(llm: ChatModel | AsyncChatModel, messages: list[Message]) -> object:
    """Call the model without blocking the event loop."""
    acomplete = getattr(llm, "acomplete", None)
    if not callable(acomplete):
        return await asyncio.to_thread(_ask, llm.complete, messages)
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

"""Asking a language model: from the journal if it was asked before, within a bound, with one chance to repair."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, TypeVar

from logical_retriever.errors import CallLimitError, LLMAnswerError, LLMCallError
from logical_retriever.lab.synthesis.journal import Journal, answer_key
from logical_retriever.lab.synthesis.results import Stop
from logical_retriever.transform.base import ChatModel, Message
from logical_retriever.transform.dialogue import CallBudget, Dialogue, ask_all

T = TypeVar("T")

_REPAIR: Final = "That answer cannot be used: {problem}"


class InvalidAnswer(LLMAnswerError):
    """An answer that fails a check.

    Args:
        reason: A fixed word for the kind of failure; what the summary counts.
        explanation: What was wrong, for the model, which is asked once more.
    """

    def __init__(self, reason: str, explanation: str) -> None:
        super().__init__(explanation, hint="Answer again, in the form asked for.", answers=())
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}"  # what the model is told; keys of the journal depend on it


class Asker:
    """A language model behind a journal and a bound: a chat model that is asked nothing twice.

    Safe to share between threads; two threads that ask the same thing cause one call.

    Args:
        llm: The language model.
        journal: Where answers are kept.
        model: The model's name; part of what identifies an answer.
        max_calls: Most calls of the model; answers from the journal are free.
        max_repairs: Times an invalid answer is sent back with what is wrong with it.

    Attributes:
        invalid: Invalid answers, by reason.
    """

    def __init__(self, llm: ChatModel, journal: Journal, *, model: str, max_calls: int, max_repairs: int = 1) -> None:
        self.invalid: Counter[str] = Counter()
        self._llm = llm
        self._journal = journal
        self._model = model
        self._budget = CallBudget(max_calls)
        self._max_repairs = max_repairs
        self._lock = threading.Lock()
        self._earlier = frozenset(journal.answers)
        self._used: set[str] = set()
        self._in_flight: dict[str, Future[str]] = {}

    @property
    def calls(self) -> int:
        """Calls made."""
        return self._budget.calls

    @property
    def reused(self) -> int:
        """Distinct answers of earlier runs that this run has used."""
        return len(self._used & self._earlier)

    def ask(self, prompt: str, check: Callable[[str], T]) -> T:
        """Ask, check the answer, and send it back with the problem if it fails.

        Args:
            prompt: One user message.
            check: Reads the answer; raises :class:`InvalidAnswer` if it cannot be used.

        Returns:
            What ``check`` made of the first valid answer.

        Raises:
            InvalidAnswer: The last answer allowed is invalid too. Every invalid answer is counted.
            CallLimitError: The bound on calls is used up.
            LLMCallError: The model raised or returned something that is not text.
        """

        def read(answer: str) -> T:
            try:
                return check(answer)
            except InvalidAnswer as problem:
                self.count(problem.reason)
                raise

        dialogue = Dialogue(
            [{"role": "user", "content": prompt}],
            read,
            repair=_REPAIR,
            max_repairs=self._max_repairs,
            wanted="usable answer",
            about=prompt,
            hint="Use a stronger model.",
            may_be_empty=True,
        )
        try:
            return dialogue.run(self)
        except LLMAnswerError as error:
            raise error.__cause__ if isinstance(error.__cause__, InvalidAnswer) else error from None

    def count(self, reason: str) -> None:
        """Count an invalid answer."""
        with self._lock:
            self.invalid[reason] += 1

    def complete(self, messages: Sequence[Message]) -> str:
        """The answer to a conversation, from the journal if it is there.

        Raises:
            CallLimitError: The bound on calls is used up.
            LLMCallError: The model raised or returned something that is not text.
        """
        key = answer_key(self._model, messages)
        with self._lock:
            self._used.add(key)
            if key in self._journal.answers:
                return self._journal.answers[key]
            waiting = self._in_flight.get(key)
            if waiting is None:
                self._budget.spend()
                self._in_flight[key] = mine = Future[str]()
        if waiting is not None:
            return waiting.result()
        try:
            answer = self._call(messages)
            with self._lock:
                self._journal.add(key, answer)
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(answer)
        finally:
            with self._lock:
                del self._in_flight[key]
        return answer

    def _call(self, messages: Sequence[Message]) -> str:
        cause: Exception | None = None
        try:
            answer = self._llm.complete(messages)
            if isinstance(answer, str):
                return answer
            what = f"returned {type(answer).__name__}, not text"
        except Exception as error:
            cause, what = error, f"raised {type(error).__name__}: {error}"
        raise LLMCallError(
            f"The language model {what} (call {self.calls} of this run).",
            hint=f"{len(self._journal.answers)} answers are kept in {self._journal.path}; "
            "run the same command again to continue.",
        ) from cause


def run_jobs(
    job: Callable[[int], T],
    count: int,
    *,
    workers: int,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[T | None], Stop]:
    """Run numbered jobs, several at a time, and return their results in order.

    A job stopped by the bound on calls gives None; the others still run, since answers in the journal are free.

    Args:
        job: Given a number from 0 to ``count - 1``.
        count: Number of jobs.
        workers: Threads.
        progress: Called with the number of jobs done and of all jobs.

    Returns:
        The results in the order of the numbers, and whether the bound was met.

    Raises:
        Exception: Whatever a job raised first; jobs not begun are cancelled.
    """
    stop = Stop.FINISHED

    def run(number: int) -> T | None:
        nonlocal stop
        try:
            return job(number)
        except CallLimitError:
            stop = Stop.CALL_LIMIT
            return None

    return ask_all(run, range(count), workers, progress), stop

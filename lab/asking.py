"""Questions to a language model within a bound on calls; an unusable answer is sent back once with its problem."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from logical_retriever.errors import InvalidArgumentError, LLMCallError, LogicalRetrieverError, TransformError
from logical_retriever.reading import ChatModel, Message

S = TypeVar("S")
T = TypeVar("T")

REPAIR: Final = "That answer cannot be used: {problem}"


class CallLimitError(TransformError):
    """The bound on calls of the language model is used up."""


class InvalidAnswer(LogicalRetrieverError):
    """An answer of a language model that fails a check.

    Args:
        reason: A fixed word for the kind of failure, which is counted.
        explanation: The failure in words, for the model, which is asked once more.
    """

    def __init__(self, reason: str, explanation: str, hint: str = "Answer again, in the form asked for.") -> None:
        super().__init__(explanation, hint=hint)
        self.reason = reason


class Asker:
    """A language model behind a bound on calls. Safe to share between threads where the model is.

    Args:
        llm: Anything with ``complete(messages) -> str``.
        max_calls: Most calls, at least 0; None for no bound.

    Attributes:
        calls: Calls so far, repairs included.
        invalid: The reason of each invalid answer.

    Raises:
        InvalidArgumentError: ``max_calls`` is below 0.
    """

    def __init__(self, llm: ChatModel, *, max_calls: int | None = None) -> None:
        if max_calls is not None and max_calls < 0:
            raise InvalidArgumentError(f"max_calls is {max_calls}.", hint="Give 0 or more, or None for no bound.")
        self.calls = 0
        self.invalid: list[str] = []
        self._llm = llm
        self._max_calls = max_calls
        self._lock = threading.Lock()

    def ask(self, messages: Sequence[Message], read: Callable[[str], T], repair: str = REPAIR) -> T:
        """Ask, read the answer, and ask once more where it cannot be read.

        Args:
            messages: The conversation so far.
            read: Reads an answer; raises :class:`InvalidAnswer`.
            repair: The message that asks again; ``{problem}`` stands for the failure.

        Raises:
            InvalidAnswer: The second answer is invalid too.
            CallLimitError: The bound on calls is used up.
            LLMCallError: The model raised, or returned something that is not text.
        """
        conversation = list(messages)
        repaired = False
        while True:
            answer = self._complete(conversation)
            try:
                return read(answer)
            except InvalidAnswer as problem:
                self.invalid.append(problem.reason)
                if repaired:
                    raise
                repaired = True
                again = repair.replace("{problem}", f"{problem.message}\n{problem.hint}")
                # Providers refuse an assistant message without content.
                conversation.append({"role": "assistant", "content": answer[:10_000].strip() or "(no answer)"})
                conversation.append({"role": "user", "content": again})

    def _complete(self, messages: Sequence[Message]) -> str:
        with self._lock:
            if self.calls == self._max_calls:
                raise CallLimitError(f"The budget of {self._max_calls} calls is used up.", hint="Raise max_calls.")
            self.calls += 1
        try:
            answer = self._llm.complete(tuple(messages))
        except TransformError:  # an adapter's own, with a hint of its own
            raise
        except Exception as error:
            raise LLMCallError(
                f"The language model raised {type(error).__name__}: {error}",
                hint="Check the model's key, network and limits; the cause is attached as __cause__.",
            ) from error
        if not isinstance(answer, str):
            raise LLMCallError(
                f"The language model returned {type(answer).__name__}, not a string.",
                hint="complete(messages) must return the text of the answer.",
            )
        return answer


def in_parallel(job: Callable[[S], T], items: Iterable[S], workers: int) -> list[T]:
    """Run a job for each item in threads: results in order; after an exception no further item is begun."""
    pool = ThreadPoolExecutor(workers)
    try:
        return list(pool.map(job, items))
    finally:
        pool.shutdown(cancel_futures=True)

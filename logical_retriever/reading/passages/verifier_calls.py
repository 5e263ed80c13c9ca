"""Calls of a verifier within its time, with a record of what failed."""

from __future__ import annotations

import asyncio
import concurrent.futures as futures
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar, copy_context
from threading import Thread
from typing import Any, TypeVar

from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.reading.passages.reader import Pair
from logical_retriever.reading.passages.verifier import Verifier, read_answer
from logical_retriever.results import SecondOpinion, Verdict

TIMEOUT = 10.0
"""Most seconds for one call of a verifier without an attribute ``timeout``."""
PASSAGE = 6_000
"""Most characters of a passage for a verifier without an attribute ``longest``; it does not see the rest."""
# A model's client may belong to the event loop of its creation, so coroutines run in the caller's loop.
_loop: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("loop", default=None)
T = TypeVar("T")


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Run a function in a thread. The coroutines of a verifier inside it run in the caller's event loop."""
    _loop.set(asyncio.get_running_loop())
    return await asyncio.to_thread(function, *arguments)


class VerifierCalls:
    """The calls of a verifier during one search.

    Args:
        verifier: The verifier.
        otherwise: What happens to a document without a verdict, for people.
    """

    def __init__(self, verifier: Verifier, otherwise: str) -> None:
        self._verifier = verifier
        self._longest: int | None = getattr(verifier, "longest", PASSAGE)
        self._otherwise = f"Without a verdict {otherwise}."
        self._known: dict[Pair, Verdict | float | None] = {}
        self._problems: dict[str, str] = {}
        self._documents = self._calls = 0

    @property
    def opinion(self) -> SecondOpinion:
        """The verifier's part in the search so far, with the first problem of each kind."""
        name = getattr(self._verifier, "name", None) or type(self._verifier).__name__
        return SecondOpinion(name, self._documents, self._calls, tuple(self._problems.values()))

    @property
    def failed(self) -> bool:
        """Whether a call failed."""
        return "failure" in self._problems

    def note_limit(self, problem: str) -> None:
        """Note that the verifier was not asked about all documents."""
        self._problems["limit"] = f"{problem} {self._otherwise}"

    def verdicts(self, pairs: Mapping[tuple[Any, str], Pair]) -> Mapping[tuple[Any, str], Verdict | float]:
        """Return the verdicts by document and term, in at most one call.

        Args:
            pairs: Term and passage, by document and term.

        Returns:
            A verdict, or the probability that the passage is to be left out. No entry where the verifier could not say,
            failed or gave an unusable answer.
        """
        shown = {key: self._shown(pair) for key, pair in pairs.items()}
        if shown != pairs:
            self._problems["length"] = f"Passages were shown up to their first {self._longest:,} characters."
        new = [pair for pair in dict.fromkeys(shown.values()) if pair not in self._known]
        if new:
            self._known.update(zip(new, self._answers(new), strict=True))
        self._documents += len({id for id, _ in pairs})
        return {key: verdict for key, pair in shown.items() if (verdict := self._known[pair]) is not None}

    def _answers(self, pairs: Sequence[Pair]) -> Sequence[Verdict | float | None]:
        """Ask about the pairs in one call; None for a missing or unusable answer."""
        self._calls += 1
        timeout: float | None = getattr(self._verifier, "timeout", TIMEOUT)
        try:
            answers = self._call(pairs, timeout)
        except (TimeoutError, futures.TimeoutError):  # different classes in Python 3.10
            problem = "It ran out of time." if timeout is None else f"It did not answer within {timeout:g} seconds."
        except Exception as error:
            message = error.message if isinstance(error, LogicalRetrieverError) else error
            problem = f"It raised {type(error).__name__}: {message}".rstrip(". ") + "."
        else:
            if len(answers) == len(pairs):
                return self._read(answers)
            problem = f"It gave {len(answers)} answers to {len(pairs)} questions."
        self._problems.setdefault("failure", f"{problem} {self._otherwise}")
        return [None] * len(pairs)

    def _read(self, answers: Sequence[Any]) -> Sequence[Verdict | float | None]:
        verdicts = [read_answer(answer) for answer in answers]
        read = zip(answers, verdicts, strict=True)
        if lost := [answer for answer, verdict in read if verdict is None and answer is not None]:
            problem = f"Some of its answers were no verdicts, such as {str(lost[0])[:40]!r}"
            self._problems.setdefault("answers", f"{problem}. {self._otherwise}")
        if any(answer is None for answer in answers) and (unread := getattr(self._verifier, "unread", "")):
            self._problems["unread"] = f"{unread} {self._otherwise}"
        return verdicts

    def quotes(self, pairs: Sequence[Pair]) -> Sequence[str]:
        """Return the sentence of each passage that is most likely to mention the thing; "" where there is none."""
        quotes = getattr(self._verifier, "quotes", None)
        if quotes is None or self.failed or not pairs:
            return [""] * len(pairs)
        shown = [self._shown(pair) for pair in pairs]
        try:
            found = list(quotes([term for term, _ in shown], [passage for _, passage in shown]))
            if len(found) == len(pairs) and all(isinstance(quote, str) for quote in found):
                return found
            problem = "Its quotations were no texts, one for each passage."
        except Exception as error:
            problem = f"It raised {type(error).__name__} when it was to quote: {error}".rstrip(". ") + "."
        self._problems.setdefault("quotes", problem)
        return [""] * len(pairs)

    def _shown(self, pair: Pair) -> Pair:
        return pair[0], pair[1][: self._longest]

    def _call(self, pairs: Sequence[Pair], timeout: float | None) -> Sequence[Any]:
        terms, passages = [term for term, _ in pairs], [passage for _, passage in pairs]
        verifier, loop = self._verifier, _loop.get()
        averify = getattr(verifier, "averify", None)
        if averify is None or loop is None or not loop.is_running():
            if timeout is None:
                return list(verifier.verify(terms, passages))
            return list(_started(verifier.verify, terms, passages).result(timeout))
        future = asyncio.run_coroutine_threadsafe(averify(terms, passages), loop)
        try:
            return list(future.result(timeout))
        finally:
            future.cancel()  # only a late one is still running


def _started(function: Callable[..., T], *arguments: Any) -> futures.Future[T]:
    """Start a call in its own thread and in the caller's context; a late call goes on, and nothing waits for it."""
    outcome: futures.Future[T] = futures.Future()

    def run() -> None:
        try:
            outcome.set_result(function(*arguments))
        except Exception as error:
            outcome.set_exception(error)
        except BaseException as error:  # SystemExit is to end neither this process nor the search
            outcome.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))

    # A daemon thread: the interpreter would wait for a pool's thread at its exit.
    Thread(target=copy_context().run, args=(run,), name="logical-retriever-verify", daemon=True).start()
    return outcome

"""Asking a verifier within a budget: what is remembered is not asked, what fails is said."""

from __future__ import annotations

import asyncio
import inspect
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.results import SecondOpinion, Verdict
from logical_retriever.transform.deadline import within
from logical_retriever.verify.base import Verifier, read_verdict
from logical_retriever.verify.verdict_file import VerdictFile

Pair = tuple[str, str]
"""A term and a passage."""
DOUBT = (0.5, 0.995)
"""Shares of the best evidence between which a document is looked at again; docs/verify.md says what others cost."""
DOCUMENTS, TOKENS, MILLISECONDS = 24, 24_000, 10_000
"""Most that one question is looked at for, by default."""
PASSAGE = 6_000
"""Most characters of a passage that are shown, up to the end of a sentence where there is one."""
CHARACTERS_A_TOKEN = 4
"""How tokens are estimated; scripts without spaces have fewer characters in one."""
ATTEMPTS = 2
_SENTENCE = re.compile(r"[.!?。！？]+[\s\"'”’)]*|\n+")
_loop: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("loop", default=None)
T = TypeVar("T")


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """``asyncio.to_thread``, from where a verifier's coroutine is sent back to the caller's own event loop."""
    _loop.set(asyncio.get_running_loop())
    return await asyncio.to_thread(function, *arguments)


@dataclass(frozen=True, eq=False)
class Verification:
    """A verifier with what it may cost; ``verify=`` makes one with the defaults of any verifier.

    Attributes:
        verifier: Answers.
        documents: Most documents that it looks at for one question, at least 1; the best first.
        tokens: Most tokens of passages and terms for one question, at least 1, estimated from their length.
        milliseconds: Most time for one question, above 0; None for no bound. What it has not answered then is left to
            the scores.
        cache: Path of a file that verdicts are remembered in, or a :class:`VerdictFile`; None to remember none.
        between: Shares of the best evidence, both in [0, 1], between which a document is in doubt.
        margin: How many documents beyond k are looked at, at least 0, so that what is left out has a successor.

    Raises:
        InvalidArgumentError: One is none of these, or a file is given for a verifier without a name.
        CacheFileError: The file is something else, damaged, or cannot be opened.
    """

    verifier: Verifier
    documents: int = DOCUMENTS
    tokens: int = TOKENS
    milliseconds: float | None = MILLISECONDS
    cache: str | Path | VerdictFile | None = None
    between: tuple[float, float] = DOUBT
    margin: int = 2

    def __post_init__(self) -> None:
        _check_verifier(self.verifier)
        for name, least in (("documents", 1), ("tokens", 1), ("margin", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidArgumentError(
                    f"{name} is {value!r}.", hint=f"Give an integer of {least} or more, or leave it out."
                )
        most = self.milliseconds
        if most is not None and (isinstance(most, bool) or not isinstance(most, (int, float)) or not most > 0):
            raise InvalidArgumentError(f"milliseconds is {most!r}.", hint="Give a number above 0, or None.")
        if not _are_bounds(self.between):
            raise InvalidArgumentError(
                f"between is {self.between!r}.", hint="Give two numbers from 0 to 1, the lower first: (0.5, 0.995)."
            )
        if isinstance(self.cache, (str, Path)):
            object.__setattr__(self, "cache", VerdictFile(self.cache))
        if self.cache is not None and self.known_as is None:
            raise InvalidArgumentError(
                f"Verdicts are remembered by the verifier's name, and {type(self.verifier).__name__} has none.",
                hint="Give the verifier name=..., with all that changes its answers.",
            )

    def __deepcopy__(self, memo: object) -> Verification:
        """Itself: it has no state of its own, and clients of models cannot be copied."""
        return self

    @property
    def known_as(self) -> str | None:
        """The verifier's name for itself."""
        return getattr(self.verifier, "name", None)

    @property
    def shown_as(self) -> str:
        """The verifier's name in messages."""
        return self.known_as or type(self.verifier).__name__


class Asking:
    """The questions to a verifier for one search.

    Attributes:
        said: What has been asked so far and what went wrong.
    """

    def __init__(self, verification: Verification) -> None:
        self._verification = verification
        self._began: float | None = None
        self._spent = 0.0
        self._tokens = 0
        self._seen: set[object] = set()
        self._known: dict[Pair, Verdict | None] = {}
        self.said = SecondOpinion(verification.shown_as, 0)

    def ask(self, pairs: Mapping[tuple[Any, str], Pair]) -> Mapping[tuple[Any, str], Verdict]:
        """Verdicts by document and term, those that there are.

        Args:
            pairs: The pair of each document and term, the most important first.
        """
        began = time.monotonic()
        shown = {key: pair for key, pair in pairs.items() if self._within_budget(key, pair)}
        wanted = list(dict.fromkeys(_cut_off(pair) for pair in shown.values()))
        if any(len(passage) > PASSAGE for _, passage in shown.values()):
            self._note(f"Passages were shown up to their first {PASSAGE:,} characters.")
        new = [pair for pair in wanted if pair not in self._known]
        remembered = self._remembered(new)
        self._known.update(remembered)
        new = [pair for pair in new if pair not in remembered]
        if new:
            self._known.update(dict.fromkeys(new))  # asked once, whatever comes of it
            found = self._answers(new)
            self._known.update(found)
            self._remember(found)
        taken = 1000.0 * (time.monotonic() - began)
        self._spent += taken / 1000.0
        self.said = replace(
            self.said,
            documents=len(self._seen),
            remembered=self.said.remembered + len(remembered),
            milliseconds=self.said.milliseconds + taken,
        )
        answers = ((key, self._known.get(_cut_off(pair))) for key, pair in shown.items())
        return {key: verdict for key, verdict in answers if verdict is not None}

    def _within_budget(self, key: tuple[Any, str], pair: Pair) -> bool:
        id, _ = key
        if id not in self._seen and len(self._seen) >= self._verification.documents:
            self._note(f"No more than {self._verification.documents} documents were to be looked at.")
            return False
        tokens = sum(len(text) for text in _cut_off(pair)) // CHARACTERS_A_TOKEN + 1
        if self._tokens + tokens > self._verification.tokens:
            self._note(f"No more than about {self._verification.tokens:,} tokens were to be read.")
            return False
        self._tokens += tokens
        self._seen.add(id)
        return True

    def _answers(self, pairs: Sequence[Pair]) -> Mapping[Pair, Verdict]:
        problem = ""
        for _ in range(ATTEMPTS):
            if (left := self._left()) is not None and left <= 0.0:
                break
            self.said = replace(self.said, calls=self.said.calls + 1)
            try:
                answers = self._called(pairs, left)
                count = len(answers)
            except Exception as error:
                said = error.message if isinstance(error, LogicalRetrieverError) else error
                problem = f"It raised {type(error).__name__}: {said}".rstrip(". ") + "."
            else:
                if count == len(pairs):
                    return self._read(pairs, answers)
                problem = f"It gave {count} answers to {len(pairs)} questions."
        if (left := self._left()) is not None and left <= 0.0:
            problem = f"It did not answer within {self._verification.milliseconds:g} milliseconds."
        self._note(f"{problem} The scores decide alone.")
        return {}

    def _read(self, pairs: Sequence[Pair], answers: Sequence[Any]) -> Mapping[Pair, Verdict]:
        read = {pair: read_verdict(answer) for pair, answer in zip(pairs, answers, strict=True)}
        found = {pair: verdict for pair, verdict in read.items() if verdict is not None}
        if len(found) < len(pairs):
            lost = next(answer for pair, answer in zip(pairs, answers, strict=True) if pair not in found)
            kinds = (
                f"{len(pairs) - len(found)} of its {len(pairs)} answers were no verdicts, such as {str(lost)[:40]!r}"
            )
            self._note(f"{kinds}; there the scores decide alone.")
        return found

    def _called(self, pairs: Sequence[Pair], seconds: float | None) -> Sequence[Any]:
        terms, passages = [term for term, _ in pairs], [passage for _, passage in pairs]
        verifier, loop = self._verification.verifier, _loop.get()
        averify = getattr(verifier, "averify", None)
        if averify is not None and loop is not None and loop.is_running():
            future = asyncio.run_coroutine_threadsafe(averify(terms, passages), loop)
            try:
                return list(future.result(seconds))
            finally:
                future.cancel()  # where it is late; else it has ended
        return list(within(seconds, lambda both: verifier.verify(*both), (terms, passages)))

    def _left(self) -> float | None:
        most = self._verification.milliseconds
        if self._began is None:
            self._began = time.monotonic()
        return None if most is None else most / 1000.0 - (time.monotonic() - self._began)

    def _remembered(self, pairs: Sequence[Pair]) -> Mapping[Pair, Verdict]:
        cache, name = self._verification.cache, self._verification.known_as
        if not isinstance(cache, VerdictFile) or name is None:
            return {}
        found = {pair: cache.get(*pair, name) for pair in pairs}
        return {pair: verdict for pair, verdict in found.items() if verdict is not None}

    def _remember(self, found: Mapping[Pair, Verdict]) -> None:
        cache, name = self._verification.cache, self._verification.known_as
        if isinstance(cache, VerdictFile) and name is not None:
            for pair, verdict in found.items():
                cache.put(*pair, name, verdict)

    def _note(self, problem: str) -> None:
        if problem not in self.said.problems:
            self.said = replace(self.said, problems=(*self.said.problems, problem))


def _cut_off(pair: Pair) -> Pair:
    """The pair with no more of the passage than is shown: whole sentences of it, where there is one."""
    term, passage = pair
    if len(passage) <= PASSAGE:
        return pair
    start = passage[:PASSAGE]
    ends = [found.end() for found in _SENTENCE.finditer(start)]
    return term, start[: ends[-1]] if ends else start


def _are_bounds(given: object) -> bool:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        return False
    if not all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in given):
        return False
    low, high = given
    return bool(0.0 <= low <= high <= 1.0)


def _check_verifier(verifier: object) -> None:
    if not isinstance(verifier, Verifier) or inspect.isclass(verifier):
        raise InvalidArgumentError(
            f"A verifier has a method verify(terms, passages), and {verifier!r} has none.",
            hint="Give a ChatVerifier, a CrossEncoderVerifier, or FunctionVerifier(function).",
        )

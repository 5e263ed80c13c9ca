"""Asking a verifier within a budget: a pair is asked about once, what fails is said."""

from __future__ import annotations

import asyncio
import inspect
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.results import SecondOpinion, Verdict
from logical_retriever.transform.asking import within
from logical_retriever.verify.base import Verifier, read_verdict

Pair = tuple[str, str]
"""A term and a passage."""
DOUBT = (0.5, 0.995)
"""Shares of the best evidence between which a document is looked at again; docs/verify.md says what others cost."""
DOCUMENTS, MILLISECONDS = 24, 10_000
"""Most that one question is looked at for, by default."""
PASSAGE = 6_000
"""Most characters of a passage that are shown, up to the end of a sentence where there is one."""
ATTEMPTS = 2
_SENTENCES = re.compile(r".*(?:[.!?。！？][\s\"'”’)]*|\n)", re.DOTALL)
# A client of a model may belong to the loop that it was made in, so a coroutine runs in the caller's.
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
        milliseconds: Most time for one question, above 0; None for no bound. What it has not answered then is left to
            the scores.
        between: Shares of the best evidence, both in [0, 1], between which a document is in doubt.
        margin: How many documents beyond k are looked at, at least 0, so that what is left out has a successor.

    Raises:
        InvalidArgumentError: One is none of these.
    """

    verifier: Verifier
    documents: int = DOCUMENTS
    milliseconds: float | None = MILLISECONDS
    between: tuple[float, float] = DOUBT
    margin: int = 2

    def __post_init__(self) -> None:
        if not isinstance(self.verifier, Verifier) or inspect.isclass(self.verifier):
            raise InvalidArgumentError(
                f"A verifier has a method verify(terms, passages), and {self.verifier!r} has none.",
                hint="Give a ChatVerifier, or FunctionVerifier(function).",
            )
        for name, least in (("documents", 1), ("margin", 0)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise InvalidArgumentError(
                    f"{name} is {value!r}.", hint=f"Give an integer of {least} or more, or leave it out."
                )
        most = self.milliseconds
        if most is not None and not (_is_number(most) and most > 0):
            raise InvalidArgumentError(f"milliseconds is {most!r}.", hint="Give a number above 0, or None.")
        given = self.between if isinstance(self.between, (tuple, list)) else ()
        if len(given) != 2 or not all(map(_is_number, given)) or not 0.0 <= given[0] <= given[1] <= 1.0:
            raise InvalidArgumentError(
                f"between is {self.between!r}.", hint="Give two numbers from 0 to 1, the lower first: (0.5, 0.995)."
            )

    def __deepcopy__(self, memo: object) -> Verification:
        """Itself: clients of models cannot be copied."""
        return self

    @property
    def shown_as(self) -> str:
        """The verifier's name in messages."""
        return getattr(self.verifier, "name", None) or type(self.verifier).__name__


class Asking:
    """The questions to a verifier for one search.

    Attributes:
        said: What has been asked so far and what went wrong.
    """

    def __init__(self, verification: Verification) -> None:
        self._verification = verification
        self._until: float | None = None
        self._seen: list[object] = []
        self._known: dict[Pair, Verdict | None] = {}
        self.said = SecondOpinion(verification.shown_as, 0)

    def ask(self, pairs: Mapping[tuple[Any, str], Pair]) -> Mapping[tuple[Any, str], Verdict]:
        """Verdicts by document and term, those that there are.

        Args:
            pairs: The pair of each document and term, the most important first.
        """
        began = time.monotonic()
        most, documents = self._verification.milliseconds, self._verification.documents
        self._until = self._until or began + (math.inf if most is None else most / 1000.0)
        ids = list(dict.fromkeys((*self._seen, *(id for id, _ in pairs))))
        if len(ids) > documents:
            self._note(f"No more than {documents} documents were to be looked at.")
        self._seen = ids[:documents]
        shown = {key: _cut_off(pair) for key, pair in pairs.items() if key[0] in self._seen}
        if any(shown[key] != pairs[key] for key in shown):
            self._note(f"Passages were shown up to their first {PASSAGE:,} characters.")
        if new := [pair for pair in dict.fromkeys(shown.values()) if pair not in self._known]:
            self._known.update({**dict.fromkeys(new), **self._answers(new, self._until)})
        self.said = replace(
            self.said,
            documents=len(self._seen),
            milliseconds=self.said.milliseconds + 1000.0 * (time.monotonic() - began),
        )
        return {key: known for key, pair in shown.items() if (known := self._known[pair]) is not None}

    def _answers(self, pairs: Sequence[Pair], until: float) -> Mapping[Pair, Verdict]:
        problem = ""
        for _ in range(ATTEMPTS):
            if (left := until - time.monotonic()) <= 0.0:
                break
            self.said = replace(self.said, calls=self.said.calls + 1)
            try:
                answers = self._called(pairs, None if left == math.inf else left)
            except Exception as error:
                message = error.message if isinstance(error, LogicalRetrieverError) else error
                problem = f"It raised {type(error).__name__}: {message}".rstrip(". ") + "."
            else:
                if len(answers) == len(pairs):
                    return self._read(pairs, answers)
                problem = f"It gave {len(answers)} answers to {len(pairs)} questions."
        if time.monotonic() >= until:
            problem = f"It did not answer within {self._verification.milliseconds:g} milliseconds."
        self._note(f"{problem} The scores decide alone.")
        return {}

    def _read(self, pairs: Sequence[Pair], answers: Sequence[Any]) -> Mapping[Pair, Verdict]:
        read = [read_verdict(answer) for answer in answers]
        if lost := [answer for answer, verdict in zip(answers, read, strict=True) if verdict is None]:
            self._note(
                f"{len(lost)} of its {len(pairs)} answers were no verdicts, such as {str(lost[0])[:40]!r}; there the "
                "scores decide alone."
            )
        return {pair: verdict for pair, verdict in zip(pairs, read, strict=True) if verdict is not None}

    def _called(self, pairs: Sequence[Pair], seconds: float | None) -> Sequence[Any]:
        terms, passages = [term for term, _ in pairs], [passage for _, passage in pairs]
        verifier, loop = self._verification.verifier, _loop.get()
        averify = getattr(verifier, "averify", None)
        if averify is None or loop is None or not loop.is_running():
            return list(within(seconds, lambda both: verifier.verify(*both), (terms, passages)))
        future = asyncio.run_coroutine_threadsafe(averify(terms, passages), loop)
        try:
            return list(future.result(seconds))
        finally:
            future.cancel()  # where it is late; else it has ended

    def _note(self, problem: str) -> None:
        if problem not in self.said.problems:
            self.said = replace(self.said, problems=(*self.said.problems, problem))


def _cut_off(pair: Pair) -> Pair:
    """The pair with no more of the passage than is shown: whole sentences of it, where there is one."""
    term, passage = pair
    start = passage[:PASSAGE]
    whole = _SENTENCES.match(start) if len(passage) > PASSAGE else None
    return term, whole[0] if whole else start


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)

"""A chat model as a verifier."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from logical_retriever.errors import LLMAnswerError
from logical_retriever.reading.base import ChatModel, Message
from logical_retriever.reading.llm_calls import ask, check_llm, completed
from logical_retriever.reading.questions.prompt import load_text
from logical_retriever.results import Verdict

State = Literal["has", "denies", "open", "absent"]
_LINE: Final = re.compile(
    r"\W*(?:pair\s*)?(\d+)\W*[:.)\-]\W*(has|denies|open|absent)\W+(?:(?:and|but)\W+)?(not\W+)?about\W*", re.IGNORECASE
)


# A model is shown the docstrings and descriptions of these two classes: a change of them can change its answers.
class NumberedVerdict(BaseModel):
    """One pair's verdict."""

    model_config = ConfigDict(extra="forbid")

    number: int = Field(description="The pair's number.")
    state: State = Field(description="What the passage says of the thing.")
    about: bool = Field(description="Whether the thing is what the passage deals with.")


class VerdictsForm(BaseModel):
    """What each passage says of the thing that its term names."""

    model_config = ConfigDict(extra="forbid", title="Verdicts")

    verdicts: list[NumberedVerdict] = Field(description="One for each pair, in order.")


class ChatVerifier:
    """A chat model that judges all passages of a question in one call.

    A model with structured output fills a form; any other writes one line for each pair, such as "3: denies, not
    about". Each pair must be answered exactly once; otherwise the answer is rejected.

    Args:
        llm: Anything with ``complete(messages) -> str``, as for :class:`~logical_retriever.LogicalQueryTransformer`.
        name: A name for messages; by default the model's own, if it has one.

    Raises:
        InvalidArgumentError: ``llm`` has no method ``complete``.
    """

    def __init__(self, llm: ChatModel, *, name: str | None = None) -> None:
        check_llm(llm)
        self._llm = llm
        self.name = getattr(llm, "model_name", None) if name is None else name

    def __deepcopy__(self, memo: object) -> ChatVerifier:
        """Return the verifier itself, because clients of models cannot be copied."""
        return self

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[Verdict]:
        """Return one verdict for each pair.

        Raises:
            LLMCallError: The model raised or answered nothing.
            LLMAnswerError: Its answer does not cover each pair exactly once.
        """
        form, messages = self._asked(terms, passages)
        return _read(completed(ask(self._llm, messages, form, blocking=True)), len(terms))

    async def averify(self, terms: Sequence[str], passages: Sequence[str]) -> list[Verdict]:
        """Asynchronous twin of :meth:`verify`."""
        form, messages = self._asked(terms, passages)
        return _read(await ask(self._llm, messages, form), len(terms))

    def _asked(
        self, terms: Sequence[str], passages: Sequence[str]
    ) -> tuple[type[VerdictsForm] | None, tuple[Message, ...]]:
        """Build the messages, and choose the form; a passage is a JSON string on its own line and cannot end it."""
        form = VerdictsForm if getattr(self._llm, "structured", False) else None
        lines = (
            json.dumps({"number": number, "term": term, "passage": passage}, ensure_ascii=False)
            for number, (term, passage) in enumerate(zip(terms, passages, strict=True), start=1)
        )
        instructions = "\n\n".join(load_text(name, __package__) for name in ("verdicts", "form" if form else "lines"))
        # No client can send half a character, so it is written as JSON's escape.
        shown = "\n".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")
        return form, (Message(role="system", content=instructions), Message(role="user", content=shown))


def _read(shown: str, count: int) -> list[Verdict]:
    """Read the verdicts of an answer, in the order of the pairs."""
    try:
        verdicts = VerdictsForm.model_validate_json(shown.strip().removeprefix("```json").strip("`\n ")).verdicts
    except ValidationError:
        verdicts = [
            NumberedVerdict(number=int(match[1]), state=cast("State", match[2].lower()), about=match[3] is None)
            for line in shown.splitlines()
            if (match := _LINE.fullmatch(line.strip()))
        ]
    numbers = [verdict.number for verdict in verdicts]
    if sorted(numbers) != list(range(1, count + 1)):
        raise LLMAnswerError(
            f"The answer has verdicts on {numbers or 'no pair'}, of {count} pairs: {shown[:200]!r}",
            hint="The evidence decides alone; use a model that keeps to the form.",
            answers=(shown,),
        )
    return [_verdict(one.state, one.about) for one in sorted(verdicts, key=lambda one: one.number)]


def _verdict(state: State, about: bool) -> Verdict:
    """Return the verdict of a model that names one state.

    It has no 0 and no 1: models err, and their own statements of certainty are not calibrated. A certainty would also
    outweigh everything else in a decision that adds log-odds.
    """
    states: dict[str, float] = {name: 0.97 if name == state else 0.01 for name in get_args(State)}
    return Verdict(**states, about=0.97 if about else 0.03)

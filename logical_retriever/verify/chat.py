"""A chat model as a verifier."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from logical_retriever.errors import LLMAnswerError
from logical_retriever.reading.base import ChatModel, Message
from logical_retriever.reading.llm_calls import ask, check_llm, completed
from logical_retriever.reading.questions.prompt import load_text

_LINE: Final = re.compile(r"\W*(?:pair\s*)?(\d+)\W*[:.)\-]\W*(about|mentions|not)\W*", re.IGNORECASE)


# A model is shown the docstrings and descriptions of these two classes: a change of them can change its answers.
class NumberedVerdict(BaseModel):
    """One pair's verdict."""

    model_config = ConfigDict(extra="forbid")

    number: int = Field(description="The pair's number.")
    label: Literal["about", "mentions", "not"] = Field(description="Whether the passage is about the topic.")


class VerdictsForm(BaseModel):
    """Whether each passage is about its topic."""

    model_config = ConfigDict(extra="forbid", title="Verdicts")

    verdicts: list[NumberedVerdict] = Field(description="One for each pair, in order.")


class ChatVerifier:
    """A chat model that judges all passages of a question in one call.

    A model with structured output fills a form; any other writes one line for each pair. Each pair must be answered
    exactly once; otherwise the answer is rejected.

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

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[str]:
        """Return one label for each pair: "about", "mentions" or "not".

        Raises:
            LLMCallError: The model raised or answered nothing.
            LLMAnswerError: Its answer does not cover each pair exactly once.
        """
        form, messages = self._asked(terms, passages)
        return _read(completed(ask(self._llm, messages, form, blocking=True)), len(terms))

    async def averify(self, terms: Sequence[str], passages: Sequence[str]) -> list[str]:
        """Asynchronous twin of :meth:`verify`."""
        form, messages = self._asked(terms, passages)
        return _read(await ask(self._llm, messages, form), len(terms))

    def _asked(
        self, terms: Sequence[str], passages: Sequence[str]
    ) -> tuple[type[VerdictsForm] | None, tuple[Message, ...]]:
        """Build the messages, and choose the form; a passage is a JSON string on its own line and cannot end it."""
        form = VerdictsForm if getattr(self._llm, "structured", False) else None
        lines = (
            json.dumps({"number": number, "topic": term, "passage": passage}, ensure_ascii=False)
            for number, (term, passage) in enumerate(zip(terms, passages, strict=True), start=1)
        )
        answer = load_text("verify_form" if form else "verify_lines")
        system = Message(role="system", content=f"{load_text('verify')}\n\n{answer}")
        # No client can send half a character, so it is written as JSON's escape.
        shown = "\n".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")
        return form, (system, Message(role="user", content=shown))


def _read(shown: str, count: int) -> list[str]:
    """Read the labels of an answer, in the order of the pairs."""
    try:
        form = VerdictsForm.model_validate_json(shown.strip().removeprefix("```json").strip("`\n "))
        verdicts = [(verdict.number, str(verdict.label)) for verdict in form.verdicts]
    except ValidationError:
        lines = [match for line in shown.splitlines() if (match := _LINE.fullmatch(line.strip()))]
        verdicts = [(int(match[1]), match[2].lower()) for match in lines]
    numbers = [number for number, _ in verdicts]
    if sorted(numbers) != list(range(1, count + 1)):
        raise LLMAnswerError(
            f"The answer has verdicts on {numbers or 'no pair'}, of {count} pairs: {shown[:200]!r}",
            hint="The scores decide alone; use a model that keeps to the form.",
            answers=(shown,),
        )
    return [label for _, label in sorted(verdicts)]

"""A chat model as a verifier: one call for all passages of a question."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from logical_retriever.errors import LLMAnswerError
from logical_retriever.transform.base import ChatModel, Message
from logical_retriever.transform.llm_calls import ask, check_llm, completed, fills_forms
from logical_retriever.transform.prompts import load_text

_LINE: Final = re.compile(r"\W*(?:pair\s*)?(\d+)\W*[:.)\-]\W*(about|mentions|not)\W*", re.IGNORECASE)


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
    """Asks a chat model about all passages of a question at once.

    A model that says it can fills a form; any other answers one line a pair. An answer that does not have each number
    once is none.

    Args:
        llm: Anything with ``complete(messages) -> str``, as :class:`~logical_retriever.LogicalQueryTransformer` takes
            it.
        name: What messages call it; by default the model's own name, where it has one.

    Raises:
        InvalidArgumentError: ``llm`` is none of these.
    """

    def __init__(self, llm: ChatModel, *, name: str | None = None) -> None:
        check_llm(llm)
        self._llm = llm
        self.name = getattr(llm, "model_name", None) if name is None else name

    def __deepcopy__(self, memo: object) -> ChatVerifier:
        """Itself: clients of models cannot be copied."""
        return self

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[str]:
        """One label a pair.

        Raises:
            LLMCallError: The model raised or answered nothing.
            LLMAnswerError: Its answer does not have each number once.
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
        """The form, if any, and the messages: passages as JSON strings on lines of their own, which nothing can end."""
        form, pairs = VerdictsForm if fills_forms(self._llm) else None, zip(terms, passages, strict=True)
        lines = (
            json.dumps({"number": number, "topic": term, "passage": passage}, ensure_ascii=False)
            for number, (term, passage) in enumerate(pairs, start=1)
        )
        answer = load_text("verify_form" if form else "verify_lines")
        system = Message(role="system", content=f"{load_text('verify')}\n\n{answer}")
        # Halves of characters, which no client can send, as the escapes that JSON has for them.
        shown = "\n".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")
        return form, (system, Message(role="user", content=shown))


def _read(shown: str, count: int) -> list[str]:
    """The labels of an answer in order."""
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

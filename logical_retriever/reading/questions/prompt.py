"""Prompts for language models, with the user's question and conversation put in as data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.reading.base import Message

PROMPT_NAMES: Final = ("default", "itlr")
"""Prompts of the package; "itlr" is the published one (arXiv appendix D, "Logical Formula Prompt")."""

MAX_MESSAGES: Final = 12
"""Most earlier messages in a prompt, the latest."""
MAX_MESSAGE_LENGTH: Final = 2_000
"""Most characters of each of them, from its beginning."""

_SECTIONS: Final = re.compile(r"(?:\[system\][ \t]*\n(.*?)\n)?\[user\][ \t]*\n(.*)", re.DOTALL)
_TAGGED: Final = re.compile(r"<question>\s*\{question\}\s*</question>")
_TAG: Final = re.compile(r"<(\s*(?:/\s*)?question\s*(?:/\s*)?)>", re.IGNORECASE)
_TAGS: Final = re.compile(r"<(\s*/?\s*(?:conversation|question)\s*/?\s*)>", re.IGNORECASE)


@cache
def load_text(name: str, package: str = "logical_retriever.reading") -> str:
    """Read ``prompts/NAME.txt`` of a package, without its final newline."""
    return resources.files(package).joinpath(f"prompts/{name}.txt").read_text(encoding="utf-8").rstrip("\n")


@dataclass(frozen=True)
class Prompt:
    """Instructions for a language model, with a place for the user's question.

    Attributes:
        system: The system message, or empty.
        user: The user message; contains ``{question}`` exactly once.
    """

    system: str
    user: str

    def messages(
        self, question: str, *, in_form: bool = False, note: str = "", history: Sequence[Message] = ()
    ) -> list[Message]:
        """Build the conversation that asks for the logical query of a question.

        The question always stands between ``<question>`` and ``</question>`` and is described as data. Tags inside it
        get square brackets, so that a question cannot end its own delimiter.

        Args:
            question: The user's question.
            in_form: Whether the model fills a form. A note then translates the grammar into the form.
            note: More instructions, after those of the prompt.
            history: The messages of the user's own conversation before the question.
        """
        tagged, data = _TAGGED.search(self.user) is not None, _TAG.sub(r"[\1]", question)
        notes = [self.system, "" if tagged else load_text("data_note"), load_text("form_note") if in_form else "", note]
        if history:
            notes += [load_text("history_note"), load_text("history_form" if in_form else "history_lines")]
        # partition, not str.format or replace: braces in the question are the user's own.
        before, _, after = self.user.partition("{question}")
        text = f"{before}{data}{after}" if tagged else f"{before}<question>\n{data}\n</question>{after}"
        user: Message = {"role": "user", "content": f"{as_data(history)}\n\n{text}" if history else text}
        system = "\n\n".join(filter(None, notes))
        return [{"role": "system", "content": system}, user] if system else [user]


def load_prompt(prompt: str) -> Prompt:
    """Read a ``prompt=`` argument: the name of a prompt of the package, or a text.

    A text may have a line ``[system]`` before its system part and a line ``[user]`` before its user part. Without
    them it is the user part. Braces need no escaping.

    Raises:
        InvalidArgumentError: ``{question}`` is missing, repeated, or in the system part.
    """
    text = load_text(prompt) if prompt in PROMPT_NAMES else str(prompt)
    sections = _SECTIONS.fullmatch(text)
    system, user = ((sections[1] or "").strip("\n"), sections[2].strip("\n")) if sections else ("", text)
    if user.count("{question}") != 1 or "{question}" in system:
        raise InvalidArgumentError(
            f"{text[:60]!r} is no shipped prompt, and as a text of its own it does not have {{question}} exactly once, "
            "in its user part.",
            hint=f"Shipped prompts: {', '.join(PROMPT_NAMES)}. A text of your own contains {{question}} once.",
        )
    return Prompt(system, user)


def as_data(history: Sequence[Message]) -> str:
    """Write the latest messages between tags; the tags of the prompt inside them get square brackets."""
    lines = (f"{message['role']}: {message['content'][:MAX_MESSAGE_LENGTH]}\n" for message in history[-MAX_MESSAGES:])
    return "<conversation>\n" + _TAGS.sub(r"[\1]", "".join(lines)) + "</conversation>"

"""Prompts of a language model as text files, with the user's question put in as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Final

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import LogicalQuery
from logical_retriever.transform.base import Message, check_question, written_query
from logical_retriever.transform.conversation import told

PROMPT_NAMES: Final = ("default", "itlr")
"""Prompts that ship with the package; "itlr" is the published one (arXiv appendix D, "Logical Formula Prompt")."""

_SECTIONS: Final = re.compile(r"(?:\[system\][ \t]*\n(.*?)\n)?\[user\][ \t]*\n(.*)", re.DOTALL)
_HEADING: Final = re.compile(r"^\[(?:system|user)\][ \t]*$", re.MULTILINE)
_TAG: Final = re.compile(r"<(\s*(?:/\s*)?question\s*(?:/\s*)?)>", re.IGNORECASE)


@dataclass(frozen=True)
class Prompt:
    """Instructions for a language model, and the place where the user's question goes.

    The question always reaches the model between ``<question>`` and ``</question>``, and is always described as
    data: a ``user`` text that does not write the tags around ``{question}`` itself gets them, and the note about
    them is added to the system message. Tags inside the question are written with square brackets, so that a
    question cannot end its own delimiter. Braces need no escaping, neither in the prompt nor in the question.

    Attributes:
        name: How errors call it.
        user: The user message; contains ``{question}`` exactly once.
        system: The system message, or empty.
        examples: Pairs of a question and its query in canonical text, shown as earlier turns of the conversation.

    Raises:
        InvalidArgumentError: ``{question}`` is missing, repeated, or in the system part; or a line [system] or [user]
            is left in either.
    """

    name: str
    user: str
    system: str = ""
    examples: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        count, heading = self.user.count("{question}"), _HEADING.search(f"{self.system}\n{self.user}")
        if count != 1 or heading or "{question}" in self.system:
            raise InvalidArgumentError(
                f"Prompt {self.name!r} has {{question}} {count} times in its user part, or also in its system part, or "
                "a line [system] or [user] that begins no section.",
                hint="Write at most one line [system] and then one line [user], each before its text, and {question} "
                "exactly once after the last.",
            )

    def with_examples(self, examples: Iterable[tuple[str, str | LogicalQuery]]) -> Prompt:
        """Return a prompt that also shows these pairs of a question and its logical query.

        Raises:
            InvalidArgumentError: A pair is not a question and a query in the grammar.
        """
        checked = (_checked_example(number, pair) for number, pair in enumerate(examples, start=1))
        return replace(self, examples=(*self.examples, *checked))

    def messages(
        self, question: str, *, in_form: bool = False, note: str = "", history: Sequence[Message] = ()
    ) -> list[Message]:
        """The conversation that asks for the logical query of a question.

        Args:
            question: The user's question.
            in_form: Whether the model fills the form of :mod:`~logical_retriever.transform.forms`; a note says how it
                stands for the grammar.
            note: More instructions, after those of the prompt.
            history: The messages of the user's own conversation before the question.
        """
        tagged = re.search(r"<question>\s*\{question\}\s*</question>", self.user) is not None
        notes = [self.system, "" if tagged else load_text("data_note"), load_text("form_note") if in_form else "", note]
        if history:
            notes += [load_text("history_note"), load_text("history_form" if in_form else "history_lines")]
        system = "\n\n".join(filter(None, notes))
        conversation: list[Message] = [{"role": "system", "content": system}] if system else []
        for example, query in self.examples:
            conversation += [
                {"role": "user", "content": self._ask(example, tagged=tagged)},
                {"role": "assistant", "content": query},
            ]
        content = (f"{told(history)}\n\n" if history else "") + self._ask(question, tagged=tagged)
        return [*conversation, {"role": "user", "content": content}]

    def _ask(self, question: str, *, tagged: bool) -> str:
        # partition, not str.format or replace: braces in the question are the user's own.
        before, _, after = self.user.partition("{question}")
        data = _TAG.sub(r"[\1]", question)
        return f"{before}{data}{after}" if tagged else f"{before}<question>\n{data}\n</question>{after}"


def load_prompt(prompt: str | Prompt) -> Prompt:
    """Read a ``prompt=`` argument: a :class:`Prompt`, the name of a shipped one, or the text of one.

    A text may have a line ``[system]`` before its system part and a line ``[user]`` before its user part; without
    them all of it is the user part.

    Raises:
        InvalidArgumentError: It is none of these.
    """
    if isinstance(prompt, Prompt):
        return prompt
    if not isinstance(prompt, str) or (prompt not in PROMPT_NAMES and "{question}" not in prompt):
        meant = "".join(f" Did you mean {name!r}?" for name in get_close_matches(str(prompt), PROMPT_NAMES, n=1))
        raise InvalidArgumentError(
            f"{str(prompt)[:60]!r} is no shipped prompt, and as a text of its own it lacks {{question}}.",
            hint=f"Shipped prompts: {', '.join(PROMPT_NAMES)}.{meant} A text of your own contains {{question}} once.",
        )
    name, text = (prompt, load_text(prompt)) if prompt in PROMPT_NAMES else ("custom", prompt)
    sections = _SECTIONS.fullmatch(text)
    return Prompt(name, sections[2].strip("\n"), (sections[1] or "").strip("\n")) if sections else Prompt(name, text)


@cache
def load_text(name: str) -> str:
    """Text of a file of this package's ``prompts`` folder, without the final newline."""
    folder = resources.files("logical_retriever.transform").joinpath("prompts")
    return folder.joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def _checked_example(number: int, pair: tuple[str, str | LogicalQuery]) -> tuple[str, str]:
    """One example with its query in canonical text."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InvalidArgumentError(
            f"Example {number} is {pair!r}.", hint="Give each example as a pair (question, logical query)."
        )
    question = check_question(pair[0], where=f"The question of example {number}")
    return question, str(written_query(pair[1], f"The query of example {number} ({question[:60]!r})"))

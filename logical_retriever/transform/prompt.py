"""Prompts of a language model as text files, with the user's question put in as data."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import resources
from itertools import starmap
from typing import Final

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import LogicalQuery, parse
from logical_retriever.transform.alternatives import form_of
from logical_retriever.transform.base import Message, check_question, written_query

PROMPT_NAMES: Final = ("default", "itlr")
"""Prompts that ship with the package; "itlr" is the published one (arXiv appendix D, "Logical Formula Prompt")."""

_SECTION: Final = re.compile(r"^\[(system|user)\][ \t]*\n", re.MULTILINE)


@dataclass(frozen=True)
class Prompt:
    """Instructions for a language model, and the place where the user's question goes.

    The question always reaches the model between ``<question>`` and ``</question>``, and is always described as
    data: a ``user`` text that does not write the tags around ``{question}`` itself gets them, and the note about
    them is added to the system message. Tags inside the question are written with square brackets, so that a
    question cannot end its own delimiter. Braces need no escaping, neither in the prompt nor in the question.

    Attributes:
        name: How errors and caches call it.
        user: The user message; contains ``{question}`` exactly once.
        system: The system message, or empty.
        examples: Pairs of a question and its query in canonical text, shown as earlier turns of the conversation.
        slot: Kind of the text that is put in, and the name of its place and tags; "question" by default.

    Raises:
        InvalidArgumentError: ``{question}`` is missing, repeated, or in the system part.
    """

    name: str
    user: str
    system: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    slot: str = "question"

    def __post_init__(self) -> None:
        place = f"{{{self.slot}}}"
        whose = "user's question" if self.slot == "question" else self.slot
        if place in self.system:
            raise InvalidArgumentError(
                f"Prompt {self.name!r} has {place} in its system part.",
                hint=f"Move {place} to the user part: a {self.slot} must not stand among the instructions.",
            )
        if (count := self.user.count(place)) != 1:
            raise InvalidArgumentError(
                f"Prompt {self.name!r} contains {place} {count} times.",
                hint=f"Write {place} exactly once, where the {whose} goes.",
            )

    @property
    def fingerprint(self) -> str:
        """A digest of everything the model is told, for cache keys."""
        parts = (self.system, self.user, *(text for pair in self.examples for text in pair))
        digest = hashlib.sha256()
        for part in parts:
            encoded = part.encode("utf-8", "surrogatepass")
            digest.update(f"{len(encoded)}:".encode() + encoded)
        return digest.hexdigest()

    def with_examples(self, examples: Iterable[tuple[str, str | LogicalQuery]]) -> Prompt:
        """Return a prompt that also shows these pairs of a question and its logical query.

        Raises:
            InvalidArgumentError: A pair is not a question and a query in the grammar.
        """
        return replace(self, examples=(*self.examples, *starmap(_checked_example, enumerate(examples, start=1))))

    def messages(self, question: str, *, in_form: bool = False) -> list[Message]:
        """The conversation that asks for the logical query of a question.

        Args:
            question: The user's question.
            in_form: Whether the model fills the form of :mod:`~logical_retriever.transform.alternatives`; a note says
                how it stands for the grammar, and examples are shown as filled forms.
        """
        slot = self.slot
        tagged = re.search(rf"<{slot}>\s*\{{{slot}\}}\s*</{slot}>", self.user) is not None
        note = load_text("data_note").replace("question>", f"{slot}>")
        note = note if slot == "question" else note.replace("user's question", slot)
        system = self.system if tagged else "\n\n".join(filter(None, (self.system, note)))
        system = "\n\n".join(filter(None, (system, load_text("form_note")))) if in_form else system
        conversation: list[Message] = [{"role": "system", "content": system}] if system else []
        for example, query in self.examples:
            conversation.append({"role": "user", "content": self._ask(example, tagged=tagged)})
            form = form_of(parse(query)) if in_form else None
            answer = query if form is None else json.dumps(form, ensure_ascii=False)
            conversation.append({"role": "assistant", "content": answer})
        conversation.append({"role": "user", "content": self._ask(question, tagged=tagged)})
        return conversation

    def _ask(self, question: str, *, tagged: bool) -> str:
        # partition, not str.format or replace: braces in the question are the user's own.
        before, _, after = self.user.partition(f"{{{self.slot}}}")
        data = re.sub(rf"<(\s*(?:/\s*)?{self.slot}\s*(?:/\s*)?)>", r"[\1]", question, flags=re.IGNORECASE)
        return f"{before}{data}{after}" if tagged else f"{before}<{self.slot}>\n{data}\n</{self.slot}>{after}"


def load_prompt(prompt: str | Prompt) -> Prompt:
    """Read a ``prompt=`` argument: a :class:`Prompt`, the name of a shipped one, or the text of one.

    A text may have a line ``[system]`` before its system part and a line ``[user]`` before its user part; without
    them all of it is the user part.

    Raises:
        InvalidArgumentError: It is none of these.
    """
    if isinstance(prompt, Prompt):
        return prompt
    if not isinstance(prompt, str):
        raise InvalidArgumentError(
            f"prompt is {type(prompt).__name__} {prompt!r}.",
            hint="Give the name of a shipped prompt, a text with {question} in it, or a Prompt.",
        )
    if prompt in PROMPT_NAMES:
        return split_prompt(prompt, load_text(prompt))
    if "{question}" not in prompt:
        close = get_close_matches(prompt, PROMPT_NAMES, n=1)
        meant = f" Did you mean {close[0]!r}?" if close else ""
        raise InvalidArgumentError(
            f"{prompt[:60]!r} is no shipped prompt, and as a text of its own it lacks {{question}}.",
            hint=f"Shipped prompts: {', '.join(PROMPT_NAMES)}.{meant} A text of your own contains {{question}} once.",
        )
    return split_prompt("custom", prompt)


@cache
def load_text(name: str) -> str:
    """Text of a file of this package's ``prompts`` folder, without the final newline."""
    folder = resources.files("logical_retriever.transform").joinpath("prompts")
    return folder.joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def split_prompt(name: str, text: str, *, slot: str = "question") -> Prompt:
    """Split a prompt text at its section lines.

    Raises:
        InvalidArgumentError: It has other sections than these, or not one place for the text.
    """
    _, *rest = parts = _SECTION.split(text)
    if not rest:
        return Prompt(name, user=text, slot=slot)
    headings, bodies = rest[::2], rest[1::2]
    if parts[0].strip() or sorted(headings) not in (["user"], ["system", "user"]):
        raise InvalidArgumentError(
            f"Prompt {name!r} has the sections {', '.join(headings)}, and {'' if parts[0].strip() else 'no '}text "
            "before them.",
            hint="Write at most one line [system] and exactly one line [user], each before its text.",
        )
    sections = {heading: body.strip("\n") for heading, body in zip(headings, bodies, strict=True)}
    return Prompt(name, user=sections["user"], system=sections.get("system", ""), slot=slot)


def _checked_example(number: int, pair: tuple[str, str | LogicalQuery]) -> tuple[str, str]:
    """One example with its query in canonical text."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InvalidArgumentError(
            f"Example {number} is {pair!r}.", hint="Give each example as a pair (question, logical query)."
        )
    question = check_question(pair[0], where=f"The question of example {number}")
    return question, str(written_query(pair[1], f"The query of example {number} ({question[:60]!r})"))

"""Texts to first-order logic: by a language model, or by way of a logical query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.resources import files
from typing import Final, Literal

from lab.asking import Asker, CallLimitError, InvalidAnswer, in_parallel
from lab.nsir.fol import (
    Formula,
    FormulaError,
    Spelling,
    is_predicate_name,
    joined,
    negation,
    parse,
    predicate,
    spell,
)
from logical_retriever import And, LogicalQuery, LogicalRetrieverError, Not, Term
from logical_retriever.errors import LLMCallError
from logical_retriever.query import refuse_conditions
from logical_retriever.reading import ChatModel, Message

Problem = Literal["empty", "unparsable", "call failed", "budget"]
"""Why a text has no formulas: it has no visible text; no answer of the language model could be read; the model raised;
the budget of calls is used up."""

MAX_FORMULAS: Final = 64
"""Most formulas of an answer."""
MAX_ANSWER: Final = 200_000
"""Most characters of an answer."""
WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""A word: letters and digits, with apostrophes inside."""

_PROBLEMS: Final[dict[type[LogicalRetrieverError], Problem]] = {
    InvalidAnswer: "unparsable",
    CallLimitError: "budget",
    LLMCallError: "call failed",
}
_HEADINGS: Final = {"question": "conclusion", "passage": "premises"}
_HEADING: Final = re.compile(
    r"^[\s*_#>]*(?:(?:\d+|[A-Za-z])[.)]\s*)?(predicates?|conclusions?|premises?)\b[\s*_]*(?:[:：][\s*_]*(.*)|$)",
    re.IGNORECASE,
)
_REASONING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)")
_BULLET: Final = re.compile(r"^(?:>+|[-*•]|\d+[.)])\s+")


@dataclass(frozen=True)
class Translation:
    """A text and its logic.

    Attributes:
        text: The text, word for word.
        formulas: Its formulas; none where there is a problem.
        problem: Why there are none, or None.
        explanation: The problem in words, or None.
    """

    text: str
    formulas: tuple[Formula, ...] = ()
    problem: Problem | None = None
    explanation: str | None = None

    @cached_property
    def spelling(self) -> Spelling:
        """The formulas as one text for an encoder."""
        return spell(self.formulas)


class LLMFormulas:
    """Asks a language model for the formulas of questions and passages.

    One call a text: the answer lists predicates, then the conclusion of a question or the premises of a passage. An
    answer that cannot be parsed is sent back once with the problem.

    Args:
        llm: Anything with ``complete(messages) -> str``.
        max_calls: Most calls in the life of this instance, repairs included; None for no bound.
        max_concurrency: Passages asked about at the same time, at least 1.
    """

    def __init__(self, llm: ChatModel, *, max_calls: int | None = None, max_concurrency: int = 8) -> None:
        self._asker = Asker(llm, max_calls=max_calls)
        self._max_concurrency = max_concurrency

    @property
    def calls(self) -> int:
        """Calls so far."""
        return self._asker.calls

    def question(self, text: str) -> Translation:
        """Ask for the conclusion that stands for a question."""
        return self._translation("question", text)

    def passages(self, texts: Sequence[str]) -> list[Translation]:
        """Ask for the premises that stand for passages, in order; a text that occurs twice is asked about once."""
        distinct = list(dict.fromkeys(texts))
        translations = in_parallel(partial(self._translation, "passage"), distinct, self._max_concurrency)
        by_text = dict(zip(distinct, translations, strict=True))
        return [by_text[text] for text in texts]

    def _translation(self, kind: str, text: str) -> Translation:
        if nothing := empty(text):
            return nothing
        heading = _HEADINGS[kind]
        repair = _prompt("repair").replace("{heading}", heading.capitalize())
        read = partial(read_formulas, heading=heading)
        try:
            return Translation(text, self._asker.ask(_messages(kind, text), read, repair))
        except (InvalidAnswer, CallLimitError, LLMCallError) as error:
            return Translation(text, (), _PROBLEMS[type(error)], error.message)


def from_query(query: LogicalQuery) -> Formula:
    """Translate a logical query into a formula about the passage x that is sought.

    Each term becomes one predicate of x, named by its words; AND, OR and NOT become ∧, ∨ and ¬ in the same structure.

    Raises:
        InvalidArgumentError: The query has conditions.

    Examples:
        >>> from logical_retriever import parse
        >>> print(from_query(parse('"vitamin D" AND NOT ("bone health" OR "who should not take it")')))
        vitamin_D(x) ∧ ¬(bone_health(x) ∨ who_should_not_take_it(x))
    """
    refuse_conditions(query, "NS-IR")

    def visit(node: LogicalQuery, parts: tuple[Formula, ...]) -> Formula:
        if isinstance(node, Term):
            return predicate(predicate_name(node.text), ("x",))
        return negation(parts[0]) if isinstance(node, Not) else joined("∧" if isinstance(node, And) else "∨", parts)

    return query.fold(visit)


def predicate_name(text: str) -> str:
    """Name the predicate of a text: its words, joined by underscores.

    Examples:
        >>> predicate_name("the 1990 World Cup"), predicate_name("x"), predicate_name("???")
        ('the_1990_World_Cup', '_x', 'unnamed')
    """
    name = "_".join(word.replace("'", "").replace("’", "") for word in WORD.findall(text)) or "unnamed"
    return name if is_predicate_name(name) else f"_{name}"


def read_formulas(answer: str, heading: str) -> tuple[Formula, ...]:
    """Read the formulas below a heading; in an answer without any heading, each line is a formula.

    Reasoning, code fences, bold, bullets, numbers and a reading after ``:::`` are passed over. A line that cannot be
    parsed makes the whole answer unusable: leaving it out could drop a negation.

    Args:
        answer: The model's answer.
        heading: "conclusion" or "premises".

    Returns:
        At least one formula.

    Raises:
        InvalidAnswer: A line is no formula, or there is none, or there are too many.
    """
    hint = f'Write the line "{heading.capitalize()}:" and below it one formula a line, as A(x) ∧ ¬B(x).'
    if len(answer) > MAX_ANSWER:
        raise InvalidAnswer("unparsable", f"The answer is too long: {len(answer):,} characters.", hint)
    sections: dict[str, list[str]] = {"": []}
    current = sections[""]
    for line in _REASONING.sub("", answer).splitlines():
        if _FENCE.match(line):
            continue
        if found := _HEADING.match(line):
            current = sections[found[1].casefold().rstrip("s")] = []
        text = (found[2] or "") if found else line
        text = _BULLET.sub("", text.partition(":::")[0].strip()).lstrip("`*$ \t").rstrip("`*$ \t.;,")
        if text:
            current.append(text)
    lines = sections[""] if len(sections) == 1 else sections.get(heading.rstrip("s"), [])
    if not 1 <= len(lines) <= MAX_FORMULAS:
        problem = f"There are {len(lines)} formulas below {heading.capitalize()}; 1 to {MAX_FORMULAS} are wanted."
        raise InvalidAnswer("unparsable", problem, hint)
    try:
        return tuple(map(parse, lines))
    except FormulaError as error:
        raise InvalidAnswer("unparsable", error.message, error.hint) from error


def empty(text: str) -> Translation | None:
    """Return the translation of a text without a visible character; None for any other."""
    if any(character.isprintable() and not character.isspace() for character in text):
        return None
    return Translation(text, (), "empty", "There is no visible text.")


def _messages(kind: str, text: str) -> list[Message]:
    """Fill a prompt: its two parts, and the text as data that cannot end its own tags."""
    data = re.sub(rf"<(\s*(?:/\s*)?{kind}\s*(?:/\s*)?)>", r"[\1]", text, flags=re.IGNORECASE)
    system, _, user = _prompt(kind).removeprefix("[system]\n").partition("\n[user]\n")
    message = data.join(user.split(f"{{{kind}}}", 1))
    return [{"role": "system", "content": system}, {"role": "user", "content": message}]


def _prompt(name: str) -> str:
    return files(__package__).joinpath("prompts").joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")

"""The formulas in a language model's answer.

What is tolerated is wrapping: reasoning, code fences, bold, bullets, numbers, a reading after ``:::``. A formula is
never guessed at: one line below the heading that cannot be parsed makes the whole answer unusable, since leaving it out
could drop a negation.
"""

from __future__ import annotations

import re
from typing import Final

from logical_retriever.errors import FormulaError, LLMAnswerError
from logical_retriever.lab.nsir.fol import Formula, parse
from logical_retriever.transform.answer import MAX_ANSWER_LENGTH, unwrapped

MAX_FORMULAS: Final = 64
"""Most formulas of an answer."""

_HEADING: Final = re.compile(
    r"^[\s*_#>]*(?:(?:\d+|[A-Za-z])[.)]\s*)?(predicates?|conclusions?|premises?)\b[\s*_]*(?:[:：][\s*_]*(.*)|$)",
    re.IGNORECASE,
)
_BULLET: Final = re.compile(r"^(?:>+|[-*•]|\d+[.)])\s+")
# A run of signs is tried from its beginning alone: from each of its signs, a long one would take quadratic time.
_BEFORE: Final = re.compile(r"^[`*$\s]+")
_AFTER: Final = re.compile(r"(?<![`*$\s.;,])[`*$\s.;,]+$")
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)")


def read_formulas(answer: str, heading: str) -> tuple[Formula, ...]:
    """Read the formulas below a heading; in an answer without any heading, each line is a formula.

    Args:
        answer: What the model answered.
        heading: "conclusion" or "premises".

    Returns:
        At least one formula.

    Raises:
        FormulaError: A line is not a formula, or over the bounds.
        LLMAnswerError: There is no formula, or there are too many. Both messages are written for the model.
    """
    if len(answer) > 10 * MAX_ANSWER_LENGTH:
        raise _unusable(f"The answer is too long: {len(answer):,} characters.", heading, answer)
    lines = _below(unwrapped(answer).splitlines(), heading)
    if not lines:
        raise _unusable(f"There is no formula below the heading {heading.capitalize()}.", heading, answer)
    if len(lines) > MAX_FORMULAS:
        raise _unusable(f"There are {len(lines)} formulas; at most {MAX_FORMULAS} are allowed.", heading, answer)
    try:
        return tuple(map(parse, lines))
    except FormulaError:
        raise
    except ValueError as error:  # a name that only a node refuses
        raise _unusable(str(error), heading, answer) from error


def _below(lines: list[str], heading: str) -> list[str]:
    """The texts of formulas: those below the last such heading, up to another one."""
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    before = current
    for line in lines:
        if _FENCE.match(line):
            continue
        if found := _HEADING.match(line):
            name = found[1].casefold().rstrip("s")
            current = sections[name] = []
            line = found[2] if found[2] is not None else ""
        text = _AFTER.sub("", _BEFORE.sub("", _BULLET.sub("", line.partition(":::")[0].strip())))
        if text:
            current.append(text)
    return sections.get(heading.casefold().rstrip("s"), []) if sections else before


def _unusable(problem: str, heading: str, answer: str) -> LLMAnswerError:
    hint = f'Write the line "{heading.capitalize()}:" and below it one formula a line, as A(x) ∧ ¬B(x).'
    return LLMAnswerError(problem, hint=hint, answers=(answer,))

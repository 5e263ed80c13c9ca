"""Mistakes of a text that is not a logical query, in words.

The parser knows where it stopped; this file says why, from what stands before. The readers are the person or the
language model that wrote the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple, TypeAlias

from logical_retriever.errors import LogicalSyntaxError, Span


class Lexeme(NamedTuple):
    """A piece of the text: its kind, its characters, and where they stand."""

    kind: str
    text: str
    span: Span


# Conditions, which may stand there too, are not offered: who knows no fields would make some up.
OPERAND: Final = ("a quoted term", "words", "NOT", 'an opening parenthesis "("')
BEFORE_OPERAND: Final = frozenset({"OPEN", "AND", "OR", "NOT"})
"""Kinds of lexemes that a term follows."""

_Mistake: TypeAlias = tuple[str, str, tuple[str, ...], "Span | None"]
"""The problem, what to do, what would have been accepted there, and where, if not at the culprit."""
_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})
_SHORTHAND: Final = re.compile(r"[&|!\-~¬+]+")
_QUOTE: Final = re.compile(r'(?<!\\)"')
_ODD: Final = "Check the quotes: their number is odd, so that one of them is not closed."
_ESCAPED: Final = "Remove the backslashes before the quotes: they escape quotes inside a quoted term only."


def explain(text: str, last: Lexeme | None, opened: Sequence[Lexeme], culprit: Lexeme) -> LogicalSyntaxError:
    """Say why a text cannot go on.

    Args:
        text: All of it.
        last: The lexeme before; None at the beginning.
        opened: Parentheses that are open, outermost first.
        culprit: The lexeme that cannot follow, of kind "END" at the end of the text, of kind "OTHER" for a quote or
            bracket at which the text cannot be split into lexemes.
    """
    follows = ("AND", "OR", 'a closing parenthesis ")"' if opened else "the end of the text")
    if culprit.kind == "OTHER":
        mistake = _of_character(text, culprit.span.start)
    elif last is None or last.kind in BEFORE_OPERAND:
        mistake = _operand_missing(last, opened, culprit)
    else:
        mistake = _operator_missing(text, last, opened, culprit, follows)
    problem, hint, expected, span = mistake
    return LogicalSyntaxError(problem, text=text, span=span or culprit.span, expected=expected, hint=hint)


def _of_character(text: str, position: int) -> _Mistake:
    sign, rest = text[position], text[position:]
    bracket = 'A condition reads [year >= 1990]; a bracket that belongs to a term is written in quotes: "list[int]".'
    if sign == "]":
        return f"The bracket closed at character {position} was never opened.", bracket, OPERAND, None
    if sign == "[":
        hint = _ODD if len(_QUOTE.findall(rest)) % 2 else bracket
        expected = ('a closing bracket "]" before the end of the text',)
        return f"The bracket opened at character {position} is never closed.", hint, expected, None
    if sign != '"':
        hint = 'Use straight quotes " around terms; typographic quotes may stand inside them.'
        return f"A typographic quote {sign} does not quote.", hint, ('a straight quote (")',), None
    if blank := re.match(r'"\s*"', rest):
        hint = "Put the words to search for between the quotes, or remove the quotes and their operator."
        span = Span(position, position + blank.end())
        return "There is nothing between these quotes.", hint, ("a quoted term with text in it",), span
    hint = r"Add the closing quote; a quote inside a term is written \"."
    if text[:position].endswith("\\"):
        hint = _ESCAPED
    elif re.search("[“”„‟«»＂]", rest):
        hint = 'Close it with a straight quote ("); a typographic quote does not.'
    elif text.rstrip().endswith('\\"'):
        hint = r"A backslash before a quote makes it part of the term; a backslash at the end of a term is written \\."
    expected = ('a closing quote (") before the end of the text',)
    return f"The quote opened at character {position} is never closed.", hint, expected, None


def _operand_missing(last: Lexeme | None, opened: Sequence[Lexeme], culprit: Lexeme) -> _Mistake:
    """Something has to be a term, and is not."""
    if last is not None and last.kind != "OPEN":
        if culprit.kind in _OPERATORS:
            hint = "Keep one of the two, or put a term between them."
            return f"{_named(culprit)} follows {_named(last)} directly.", hint, OPERAND, None
        hint = f"Add the term that belongs after {last.kind}, or remove {last.kind}."
        return f"{_named(last)} has nothing on its right.", hint, OPERAND, None
    if culprit.kind in _OPERATORS:
        hint = f"Add the term that belongs before {culprit.kind}, or remove {culprit.kind}."
        return f"{_named(culprit)} has nothing on its left.", hint, OPERAND, None
    if last is None and culprit.kind == "END":
        return "The query is empty.", 'Write at least one term, for example "vitamin D".', OPERAND, None
    if last is not None and culprit.kind == "CLOSE":
        span = Span(last.span.start, culprit.span.end)
        return "There is nothing between these parentheses.", "Put a term between them, or remove them.", OPERAND, span
    return _parenthesis(opened, culprit, OPERAND)


def _parenthesis(opened: Sequence[Lexeme], culprit: Lexeme, expected: tuple[str, ...]) -> _Mistake:
    """One without its partner."""
    if culprit.kind == "END":
        span = opened[-1].span
        hint = 'Add ")" where the group ends, or remove this "("; a parenthesis that belongs to a term must be quoted.'
        expected = ('a closing parenthesis ")" before the end of the text',)
        return f"The parenthesis opened at character {span.start} is never closed.", hint, expected, span
    hint = 'Remove this ")", or add "(" where the group begins; a parenthesis that belongs to a term must be quoted.'
    return f"The parenthesis closed at character {culprit.span.start} was never opened.", hint, expected, None


def _operator_missing(
    text: str, left: Lexeme, opened: Sequence[Lexeme], right: Lexeme, follows: tuple[str, ...]
) -> _Mistake:
    """Two terms stand side by side, or a parenthesis or NOT stands where an operator has to."""
    if right.kind in ("END", "CLOSE"):
        return _parenthesis(opened, right, follows)
    if right.kind == "NOT":
        hint = "NOT negates what follows and joins nothing: write AND NOT."
        return f"{_named(right)} stands between two terms.", hint, follows, None
    if (meant := _lower_case_operators(left, right) or _shorthand(left, right)) is not None:
        span, hint = meant
        problem = f"{_shown(text[span.start : span.end])} is not an operator as it is written."
        return problem, hint, OPERAND if span.start == left.span.start else follows, span
    touching = left.span.end == right.span.start
    if "CONDITION" in (left.kind, right.kind) and touching:
        hint = 'A bracket that belongs to a term is written in quotes: "list[int]"; beside a condition write AND or OR.'
    elif left.kind == "WORDS" and left.text.endswith("\\"):
        hint = _ESCAPED
    elif len(_QUOTE.findall(text)) % 2:
        hint = _ODD
    elif touching and right.kind != "OPEN" and left.kind != "CLOSE":
        hint = r"A quote inside a term is written \"; between two terms write AND or OR."
    else:
        hint = "Write AND or OR between the two, or put one pair of quotes around the whole phrase."
    return f"An operator is missing before {_shown(right.text)}.", hint, follows, None


def _lower_case_operators(left: Lexeme, right: Lexeme) -> tuple[Span, str] | None:
    """Words such as ``and not`` at the border of two terms: where they stand, and what to write."""
    for lexeme, step in ((right, 1), (left, -1)):
        words = list(re.finditer(r"\S+", lexeme.text))[::step] if lexeme.kind == "WORDS" else []
        if run := list(takewhile(lambda word: word[0].upper() in _OPERATORS, words[:2]))[::step]:
            span = Span(lexeme.span.start + run[0].start(), lexeme.span.start + run[-1].end())
            upper = " ".join(word[0].upper() for word in run)
            # A lower-case "not" between two terms needs the AND as well, else the next message would ask for it.
            upper = "AND NOT" if upper == "NOT" and span.start > left.span.start else upper
            return span, f"Operators are written in upper case: {upper}."
    return None


def _shorthand(left: Lexeme, right: Lexeme) -> tuple[Span, str] | None:
    """Where signs such as ``&!`` or ``~`` stand as a word at the border of two terms, and what to write."""
    hint = "Write the operators as words, with white space around them: AND, OR, NOT."
    if right.kind == "WORDS" and (match := _SHORTHAND.fullmatch(right.text.split()[0])):
        return Span(right.span.start, right.span.start + len(match[0])), hint
    if left.kind == "WORDS" and (match := _SHORTHAND.fullmatch(left.text.split()[-1])):
        return Span(left.span.end - len(match[0]), left.span.end), hint
    return None


def _named(operator: Lexeme) -> str:
    """An operator as written, with its word where it was written as a sign."""
    return operator.kind if operator.text == operator.kind else f'"{operator.text}" ({operator.kind})'


def _shown(text: str) -> str:
    """A piece of the text on one line, in quotes unless it brings its own."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = line if len(line) <= 40 else f"{line[:37]}..."
    return line if line.startswith('"') else f'"{line}"'

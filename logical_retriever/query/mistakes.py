"""Mistakes of a text that is not a logical query, in words.

The parser knows where it stopped; this file says why, from what stands before. The readers are the person or the
language model that wrote the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from logical_retriever.errors import LogicalSyntaxError, Span


class Lexeme(NamedTuple):
    """A piece of the text: its kind, its characters, and where they stand."""

    kind: str
    text: str
    span: Span


BEFORE_OPERAND: Final = frozenset({"OPEN", "AND", "OR", "NOT"})
"""Kinds of lexemes that a term follows."""

_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})
_SHORTHAND: Final = re.compile(r"[&|!\-~¬+]+")
_QUOTE: Final = re.compile(r'(?<!\\)"')
# Conditions, which may stand there too, are not offered: who knows no fields would make some up.
_OPERAND: Final = ("a quoted term", "words", "NOT", 'an opening parenthesis "("')
_OPERATOR: Final = ("AND", "OR")
_CLOSING_QUOTE: Final = ('a closing quote (") before the end of the text',)
_CLOSING_BRACKET: Final = ('a closing bracket "]" before the end of the text',)
_UNCLOSED: Final = "The quote opened at character {at} is never closed."
_UNCLOSED_BRACKET: Final = "The bracket opened at character {at} is never closed."
_UNJOINED: Final = "An operator is missing before {shown}."
_NO_OPERATOR: Final = "{shown} is not an operator as it is written."
_ODD: Final = "Check the quotes: their number is odd, so that one of them is not closed."
_ESCAPED: Final = "Remove the backslashes before the quotes: they escape quotes inside a quoted term only."
_BRACKET: Final = (
    'A condition reads [year >= 1990]; a bracket that belongs to a term is written in quotes: "list[int]".'
)

_MISTAKES: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "empty": ("The query is empty.", 'Write at least one term, for example "vitamin D".', _OPERAND),
    "operators": (
        "{sign} follows {last} directly.",
        "Keep one of the two, or put a term between them.",
        _OPERAND,
    ),
    "no right": (
        "{last} has nothing on its right.",
        "Add the term that belongs after {before}, or remove {before}.",
        _OPERAND,
    ),
    "no left": (
        "{sign} has nothing on its left.",
        "Add the term that belongs before {kind}, or remove {kind}.",
        _OPERAND,
    ),
    "nothing inside": (
        "There is nothing between these parentheses.",
        "Put a term between them, or remove them.",
        _OPERAND,
    ),
    "open": (
        "The parenthesis opened at character {at} is never closed.",
        'Add ")" where the group ends, or remove this "("; a parenthesis that belongs to a term must be quoted.',
        ('a closing parenthesis ")" before the end of the text',),
    ),
    "closed": (
        "The parenthesis closed at character {at} was never opened.",
        'Remove this ")", or add "(" where the group begins; a parenthesis that belongs to a term must be quoted.',
        _OPERATOR,
    ),
    "not": (
        "{sign} stands between two terms.",
        "NOT negates what follows and joins nothing: write AND NOT.",
        _OPERATOR,
    ),
    "lower case": (_NO_OPERATOR, "Operators are written in upper case: {upper}.", _OPERATOR),
    "shorthand": (
        _NO_OPERATOR,
        "Write the operators as words, with white space around them: AND, OR, NOT.",
        _OPERATOR,
    ),
    "beside a condition": (
        _UNJOINED,
        'A bracket that belongs to a term is written in quotes: "list[int]"; beside a condition write AND or OR.',
        _OPERATOR,
    ),
    "escaped": (_UNJOINED, _ESCAPED, _OPERATOR),
    "odd": (_UNJOINED, _ODD, _OPERATOR),
    "touching": (
        _UNJOINED,
        r"A quote inside a term is written \"; between two terms write AND or OR.",
        _OPERATOR,
    ),
    "side by side": (
        _UNJOINED,
        "Write AND or OR between the two, or put one pair of quotes around the whole phrase.",
        _OPERATOR,
    ),
    "]": ("The bracket closed at character {at} was never opened.", _BRACKET, _OPERAND),
    "[": (_UNCLOSED_BRACKET, _BRACKET, _CLOSING_BRACKET),
    "[ odd": (_UNCLOSED_BRACKET, _ODD, _CLOSING_BRACKET),
    "typographic": (
        "A typographic quote {shown} does not quote.",
        'Use straight quotes " around terms; typographic quotes may stand inside them.',
        ('a straight quote (")',),
    ),
    "blank": (
        "There is nothing between these quotes.",
        "Put the words to search for between the quotes, or remove the quotes and their operator.",
        ("a quoted term with text in it",),
    ),
    '"': (_UNCLOSED, r"Add the closing quote; a quote inside a term is written \".", _CLOSING_QUOTE),
    '" escaped': (_UNCLOSED, _ESCAPED, _CLOSING_QUOTE),
    '" typographic': (
        _UNCLOSED,
        'Close it with a straight quote ("); a typographic quote does not.',
        _CLOSING_QUOTE,
    ),
    '" swallowed': (
        _UNCLOSED,
        r"A backslash before a quote makes it part of the term; a backslash at the end of a term is written \\.",
        _CLOSING_QUOTE,
    ),
}
"""Problem, hint, and what would have been accepted; after operators, what else may stand there is added."""


def explain(text: str, last: Lexeme | None, opened: Sequence[Lexeme], culprit: Lexeme) -> LogicalSyntaxError:
    """Say why a text cannot go on.

    Args:
        text: All of it.
        last: The lexeme before; None at the beginning.
        opened: Parentheses that are open, outermost first.
        culprit: The lexeme that cannot follow, of kind "END" at the end of the text, of kind "OTHER" for a quote or
            bracket at which the text cannot be split into lexemes.
    """
    name, span, upper = culprit.text, culprit.span, ""
    if culprit.kind == "OTHER":
        name, span = _of_character(text, span)
    elif last is None or last.kind in BEFORE_OPERAND:
        name = _operand_missing(last, opened, culprit)
    elif culprit.kind in ("END", "CLOSE", "NOT"):
        name = {"END": "open", "CLOSE": "closed", "NOT": "not"}[culprit.kind]
    elif (meant := _lower_case_operators(last, culprit)) is not None:
        name, (span, upper) = "lower case", meant
    elif (signs := _shorthand(last, culprit)) is not None:
        name, span = "shorthand", signs
    else:
        name = _operator_missing(text, last, culprit)
    span = (
        opened[-1].span
        if name == "open"
        else Span(opened[-1].span.start, span.end)
        if name == "nothing inside"
        else span
    )
    problem, hint, expected = _MISTAKES[name]
    if (last is None and name == "closed") or (
        last is not None and expected is _OPERATOR and span.start == last.span.start
    ):
        expected = _OPERAND
    elif expected is _OPERATOR:
        expected = (*_OPERATOR, 'a closing parenthesis ")"' if opened else "the end of the text")
    shown = text[span.start] if name == "typographic" else _shown(text[span.start : span.end])
    told = {"at": span.start, "shown": shown, "sign": _named(culprit), "kind": culprit.kind, "upper": upper}
    if last is not None:
        told |= {"last": _named(last), "before": last.kind}
    return LogicalSyntaxError(problem.format(**told), text=text, span=span, expected=expected, hint=hint.format(**told))


def _of_character(text: str, span: Span) -> tuple[str, Span]:
    sign, rest = text[span.start], text[span.start :]
    if sign in "[]":
        return ("[ odd" if sign == "[" and len(_QUOTE.findall(rest)) % 2 else sign), span
    if sign != '"':
        return "typographic", span
    if blank := re.match(r'"\s*"', rest):
        return "blank", Span(span.start, span.start + blank.end())
    if text[: span.start].endswith("\\"):
        return '" escaped', span
    if re.search("[“”„‟«»＂]", rest):
        return '" typographic', span
    return ('" swallowed' if text.rstrip().endswith('\\"') else sign), span


def _operand_missing(last: Lexeme | None, opened: Sequence[Lexeme], culprit: Lexeme) -> str:
    """Something has to be a term, and is not."""
    if last is not None and last.kind != "OPEN":
        return "operators" if culprit.kind in _OPERATORS else "no right"
    if culprit.kind in _OPERATORS:
        return "no left"
    if culprit.kind == "END":
        return "open" if opened else "empty"
    return "closed" if last is None else "nothing inside"


def _operator_missing(text: str, left: Lexeme, right: Lexeme) -> str:
    """Two terms stand side by side."""
    touching = left.span.end == right.span.start
    if "CONDITION" in (left.kind, right.kind) and touching:
        return "beside a condition"
    if left.kind == "WORDS" and left.text.endswith("\\"):
        return "escaped"
    if len(_QUOTE.findall(text)) % 2:
        return "odd"
    return "touching" if touching and right.kind != "OPEN" and left.kind != "CLOSE" else "side by side"


def _lower_case_operators(left: Lexeme, right: Lexeme) -> tuple[Span, str] | None:
    """Words such as ``and not`` at the border of two terms: where they stand, and in upper case."""
    for lexeme, step in ((right, 1), (left, -1)):
        words = list(re.finditer(r"\S+", lexeme.text))[::step] if lexeme.kind == "WORDS" else []
        if run := list(takewhile(lambda word: word[0].upper() in _OPERATORS, words[:2]))[::step]:
            span = Span(lexeme.span.start + run[0].start(), lexeme.span.start + run[-1].end())
            upper = " ".join(word[0].upper() for word in run)
            # A lower-case "not" between two terms needs the AND as well, else the next message would ask for it.
            upper = "AND NOT" if upper == "NOT" and span.start > left.span.start else upper
            return span, upper
    return None


def _shorthand(left: Lexeme, right: Lexeme) -> Span | None:
    """Where signs such as ``&!`` or ``~`` stand as a word at the border of two terms."""
    if right.kind == "WORDS" and (match := _SHORTHAND.fullmatch(right.text.split()[0])):
        return Span(right.span.start, right.span.start + len(match[0]))
    if left.kind == "WORDS" and (match := _SHORTHAND.fullmatch(left.text.split()[-1])):
        return Span(left.span.end - len(match[0]), left.span.end)
    return None


def _named(operator: Lexeme) -> str:
    """An operator as written, with its word where it was written as a sign."""
    return operator.kind if operator.text == operator.kind else f'"{operator.text}" ({operator.kind})'


def _shown(text: str) -> str:
    """A piece of the text on one line, in quotes unless it brings its own."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = line if len(line) <= 40 else f"{line[:37]}..."
    return line if line.startswith('"') else f'"{line}"'

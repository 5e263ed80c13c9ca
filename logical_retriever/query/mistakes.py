"""Mistakes of a text that is not a logical query, in words.

The parser knows where it stopped; this file says why, from what stands before. One function a kind of mistake, each
with its own hint. The readers are the person or the language model that wrote the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from logical_retriever.errors import LogicalSyntaxError, Span


class Lexeme(NamedTuple):
    """A piece of the text: its kind in the grammar, its characters, and where they stand."""

    kind: str
    text: str
    span: Span


# Conditions, which may stand there too, are not offered: who knows no fields would make some up.
OPERAND: Final = ("a quoted term", "words", "NOT", 'an opening parenthesis "("')

_OPERATOR: Final = frozenset({"_AND", "_OR", "NOT"})
_WORDS: Final = frozenset({"AND", "OR", "NOT"})
_SHORTHAND: Final = re.compile(r"[&|!\-~¬+]+")


def explain(text: str, before: Sequence[Lexeme], culprit: Lexeme | None) -> LogicalSyntaxError:
    """Say why a text cannot go on with ``culprit`` (None: cannot end) after the lexemes before it."""
    last = before[-1] if before else None
    if last is None or last.kind == "OPEN" or last.kind in _OPERATOR:
        return _operand_missing(text, before, culprit)
    if culprit is None:
        return _never_closed(text, _open_parentheses(before)[-1])
    if culprit.kind == "CLOSE":
        return _never_opened(text, culprit, ("AND", "OR", "the end of the text"))
    if culprit.kind == "NOT":
        return LogicalSyntaxError(
            f"{_named(culprit)} stands between two terms.",
            text=text,
            span=culprit.span,
            expected=_continuation(before),
            hint="NOT negates what follows and joins nothing: write AND NOT.",
        )
    return _operator_missing(text, before, culprit)


def explain_quote(text: str, position: int) -> LogicalSyntaxError:
    """Say what is wrong with the quote or bracket at ``position``, where the text cannot be split into lexemes."""
    if text[position] in "[]":
        return _bracket(text, position)
    if text[position] != '"':
        return LogicalSyntaxError(
            f"A typographic quote {text[position]} does not quote.",
            text=text,
            span=Span(position, position + 1),
            expected=('a straight quote (")',),
            hint='Use straight quotes " around terms; typographic quotes may stand inside them.',
        )
    if blank := re.compile(r'"\s*"').match(text, position):
        return LogicalSyntaxError(
            "There is nothing between these quotes.",
            text=text,
            span=Span(*blank.span()),
            expected=("a quoted term with text in it",),
            hint="Put the words to search for between the quotes, or remove the quotes and their operator.",
        )
    if text[:position].endswith("\\"):
        hint = "Remove the backslashes before the quotes: they escape quotes inside a quoted term only."
    elif re.search("[“”„‟«»＂]", text[position:]):
        hint = 'Close it with a straight quote ("); a typographic quote does not.'
    elif text.rstrip().endswith('\\"'):
        hint = r"A backslash before a quote makes it part of the term; a backslash at the end of a term is written \\."
    else:
        hint = r"Add the closing quote; a quote inside a term is written \"."
    return LogicalSyntaxError(
        f"The quote opened at character {position} is never closed.",
        text=text,
        span=Span(position, position + 1),
        expected=('a closing quote (") before the end of the text',),
        hint=hint,
    )


def _bracket(text: str, position: int) -> LogicalSyntaxError:
    hint = 'A condition reads [year >= 1990]; a bracket that belongs to a term is written in quotes: "list[int]".'
    expected: tuple[str, ...]
    if text[position] == "]":
        problem, expected = f"The bracket closed at character {position} was never opened.", OPERAND
    else:
        problem = f"The bracket opened at character {position} is never closed."
        expected = ('a closing bracket "]" before the end of the text',)
        if len(re.findall(r'(?<!\\)"', text[position:])) % 2:
            hint = "Check the quotes: their number is odd, so that one of them is not closed."
    span = Span(position, position + 1)
    return LogicalSyntaxError(problem, text=text, span=span, expected=expected, hint=hint)


def single_quotes(text: str, span: Span) -> LogicalSyntaxError:
    """Say that a term stands between single quotes or backticks."""
    return LogicalSyntaxError(
        f"Terms are not quoted with {text[span.start]}.",
        text=text,
        span=span,
        expected=("a term in double quotes",),
        hint='Write double quotes " around the term, or no quotes at all.',
    )


def not_unicode(text: str, span: Span) -> LogicalSyntaxError:
    """Say that a text is not valid Unicode."""
    return LogicalSyntaxError(
        "The text is not valid Unicode.",
        text=text,
        span=span,
        expected=("a character",),
        hint="Decode the text with the encoding it was written in, most often UTF-8, before parsing it.",
    )


def _operand_missing(text: str, before: Sequence[Lexeme], culprit: Lexeme | None) -> LogicalSyntaxError:
    """Something has to be a term, and is not."""
    last = before[-1] if before else None
    span = Span(len(text), len(text)) if culprit is None else culprit.span
    if last is not None and last.kind in _OPERATOR:
        if culprit is not None and culprit.kind in _OPERATOR:
            problem = f"{_named(culprit)} follows {_named(last)} directly."
            hint = "Keep one of the two, or put a term between them."
        else:
            problem = f"{_named(last)} has nothing on its right."
            hint = f"Add the term that belongs after {_word(last)}, or remove {_word(last)}."
    elif culprit is None and last is None:
        problem, hint = "The query is empty.", 'Write at least one term, for example "vitamin D".'
    elif culprit is None:
        return _never_closed(text, _open_parentheses(before)[-1])
    elif culprit.kind == "CLOSE" and last is None:
        return _never_opened(text, culprit, OPERAND)
    elif culprit.kind == "CLOSE":
        span = Span(before[-1].span.start, culprit.span.end)
        problem, hint = "There is nothing between these parentheses.", "Put a term between them, or remove them."
    else:
        problem = f"{_named(culprit)} has nothing on its left."
        hint = f"Add the term that belongs before {_word(culprit)}, or remove {_word(culprit)}."
    return LogicalSyntaxError(problem, text=text, span=span, expected=OPERAND, hint=hint)


def _never_closed(text: str, opening: Lexeme) -> LogicalSyntaxError:
    return LogicalSyntaxError(
        f"The parenthesis opened at character {opening.span.start} is never closed.",
        text=text,
        span=opening.span,
        expected=('a closing parenthesis ")" before the end of the text',),
        hint='Add ")" where the group ends, or remove this "("; a parenthesis that belongs to a term must be quoted.',
    )


def _never_opened(text: str, closing: Lexeme, expected: tuple[str, ...]) -> LogicalSyntaxError:
    return LogicalSyntaxError(
        f"The parenthesis closed at character {closing.span.start} was never opened.",
        text=text,
        span=closing.span,
        expected=expected,
        hint='Remove this ")", or add "(" where the group begins; a parenthesis that belongs to a term must be quoted.',
    )


def _operator_missing(text: str, before: Sequence[Lexeme], culprit: Lexeme) -> LogicalSyntaxError:
    """Two terms stand side by side."""
    left, right = before[-1], culprit
    if found := _lower_case_operators(left, right):
        span, words = found
        # A lower-case "not" between two terms needs the AND as well, else the next message would ask for it.
        joined = "AND NOT" if words == "NOT" and span.start > left.span.start else words
        return _mere_words(text, before, span, f"Operators are written in upper case: {joined}.")
    if shorthand := _shorthand(left, right):
        hint = "Write the operators as words, with white space around them: AND, OR, NOT."
        return _mere_words(text, before, shorthand, hint)
    if "CONDITION" in (left.kind, right.kind) and left.span.end == right.span.start:
        hint = 'A bracket that belongs to a term is written in quotes: "list[int]"; beside a condition write AND or OR.'
        return _missing(text, before, culprit, hint)
    touching = left.span.end == right.span.start and right.kind != "OPEN" and left.kind != "CLOSE"
    if left.kind == "WORDS" and left.text.endswith("\\"):
        hint = "Remove the backslashes before the quotes: they escape quotes inside a quoted term only."
    elif len(re.findall(r'(?<!\\)"', text)) % 2:
        hint = "Check the quotes: their number is odd, so that one of them is not closed."
    elif touching:
        hint = r"A quote inside a term is written \"; between two terms write AND or OR."
    else:
        hint = "Write AND or OR between the two, or put one pair of quotes around the whole phrase."
    return _missing(text, before, culprit, hint)


def _missing(text: str, before: Sequence[Lexeme], culprit: Lexeme, hint: str) -> LogicalSyntaxError:
    return LogicalSyntaxError(
        f"An operator is missing before {_shown(culprit.text)}.",
        text=text,
        span=culprit.span,
        expected=_continuation(before),
        hint=hint,
    )


def _mere_words(text: str, before: Sequence[Lexeme], span: Span, hint: str) -> LogicalSyntaxError:
    """Something that was meant as an operator was read as part of a term."""
    return LogicalSyntaxError(
        f"{_shown(text[span.start : span.end])} is not an operator as it is written.",
        text=text,
        span=span,
        expected=OPERAND if span.start == before[-1].span.start else _continuation(before),
        hint=hint,
    )


def _lower_case_operators(left: Lexeme, right: Lexeme) -> tuple[Span, str] | None:
    """Words such as ``and not`` at the border of two terms: where they stand, and in upper case."""
    for lexeme, step in ((right, 1), (left, -1)):
        words = list(re.finditer(r"\S+", lexeme.text))[::step] if lexeme.kind == "WORDS" else []
        run = list(takewhile(lambda word: word[0].upper() in _WORDS, words[:2]))[::step]
        if run:
            start = lexeme.span.start
            return Span(start + run[0].start(), start + run[-1].end()), " ".join(word[0].upper() for word in run)
    return None


def _shorthand(left: Lexeme, right: Lexeme) -> Span | None:
    """Where signs such as ``&!`` or ``~`` stand as a word at the border of two terms."""
    if right.kind == "WORDS" and (match := _SHORTHAND.fullmatch(right.text.split()[0])):
        return Span(right.span.start, right.span.start + len(match[0]))
    if left.kind == "WORDS" and (match := _SHORTHAND.fullmatch(left.text.split()[-1])):
        return Span(left.span.end - len(match[0]), left.span.end)
    return None


def _open_parentheses(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """Opening parentheses without their closing one, outermost first."""
    opened: list[Lexeme] = []
    for lexeme in lexemes:
        if lexeme.kind == "OPEN":
            opened.append(lexeme)
        elif lexeme.kind == "CLOSE":
            opened.pop()
    return opened


def _continuation(before: Sequence[Lexeme]) -> tuple[str, ...]:
    """The lexemes that may follow a complete term, in words."""
    return ("AND", "OR", 'a closing parenthesis ")"' if _open_parentheses(before) else "the end of the text")


def _word(operator: Lexeme) -> str:
    return operator.kind.lstrip("_")


def _named(operator: Lexeme) -> str:
    """An operator as written, with its word where it was written as a sign."""
    word = _word(operator)
    return word if operator.text == word else f'"{operator.text}" ({word})'


def _shown(text: str) -> str:
    """A piece of the text on one line, in quotes unless it brings its own."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = line if len(line) <= 40 else f"{line[:37]}..."
    return line if line.startswith('"') else f'"{line}"'

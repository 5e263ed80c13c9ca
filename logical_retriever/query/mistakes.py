"""Mistakes of a text that is not a logical query, in words, for the person or the model that wrote it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from logical_retriever.errors import LogicalSyntaxError, Span


class Lexeme(NamedTuple):
    """A piece of the text: its kind, its characters, and where they stand."""

    kind: str
    text: str
    span: Span


BEFORE_OPERAND: Final = frozenset({"OPEN", "AND", "OR", "NOT"})
"""Kinds of lexemes that a term follows."""
VALUES: Final = ("a text in double quotes", "a number", "true", "false", "a date")
"""Kinds of values that a condition may name."""

# Conditions, which may stand there too, are not offered: who knows no fields would make some up.
_OPERAND: Final = ("a quoted term", "words", "NOT", 'an opening parenthesis "("')
_CLOSING_QUOTE: Final = ('a closing quote (") before the end of the text',)
_BRACKET: Final = (
    'A condition reads [year >= 1990]; a bracket that belongs to a term is written in quotes: "list[int]".'
)
_LIST: Final = 'Write the values between brackets of their own: [country in ["France", "Italy"]].'
_ONE: Final = "Texts stand in double quotes, dates are written 2020-01-31; only in and not in take a list."

# Problem, hint, and what would have been accepted, where that is always the same. From "field" on, mistakes in a
# condition by what should stand there.
_BRACKET_NAME: Final = (
    'A condition reads [year >= 1990]; a name that has spaces in it stands in quotes: ["release year" >= 1990].'
)
_OPERATORS: Final = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "exists")
_MISTAKES: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "empty": ("The query is empty.", 'Write at least one term, for example "vitamin D".', _OPERAND),
    "no right": ("{last} has nothing on its right.", "Add the term that belongs there, or remove {last}.", _OPERAND),
    "no left": ("{shown} has nothing on its left.", "Add the term that belongs there, or remove {shown}.", _OPERAND),
    "nothing": ("There is nothing between these parentheses.", "Put a term there, or remove them.", _OPERAND),
    "(": (
        "The parenthesis opened at character {at} is never closed.",
        'Add ")" where the group ends; a parenthesis that belongs to a term is written in quotes.',
        ('a closing parenthesis ")" before the end of the text',),
    ),
    ")": (
        "The parenthesis closed at character {at} was never opened.",
        'Add "(" where the group begins; a parenthesis that belongs to a term is written in quotes.',
        (),
    ),
    "not": (
        "{shown} stands between two terms.",
        "NOT negates what follows and joins nothing: write AND NOT.",
        (),
    ),
    "no operator": (
        "{shown} is not an operator as it is written.",
        "Operators are words in upper case, with white space around them: AND, OR, NOT, AND NOT.",
        ("an operator in upper case",),
    ),
    "odd": (
        "An operator is missing before {shown}.",
        "Check the quotes: their number is odd, so that one of them is not closed.",
        (),
    ),
    "unjoined": (
        "An operator is missing before {shown}.",
        r"Write AND or OR between the two, or one pair of quotes around the whole phrase, with \" for a quote in it.",
        (),
    ),
    "[": (
        "The bracket opened at character {at} is never closed.",
        _BRACKET,
        ('a closing bracket "]" before the end of the text',),
    ),
    "]": ("The bracket closed at character {at} was never opened.", _BRACKET, _OPERAND),
    '"': (
        "The quote opened at character {at} is never closed.",
        r'Close it with a straight quote "; inside a quoted term \" is a quote and \\ a backslash.',
        _CLOSING_QUOTE,
    ),
    "escaped": (
        "The quote opened at character {at} is never closed.",
        "Remove the backslashes before the quotes: they escape quotes inside a quoted term only.",
        _CLOSING_QUOTE,
    ),
    "blank": (
        "There is nothing between these quotes.",
        "Put the words to search for between them, or remove the quotes and their operator.",
        ("a quoted term with text in it",),
    ),
    "quotes": (
        "{sign} does not quote.",
        'Use straight double quotes " around terms; others may stand inside them.',
        ('a straight quote (")',),
    ),
    "field": ("{shown} is not the name of a field.", _BRACKET, ("the name of a field, in quotes if it has spaces",)),
    "bare": ("The condition has no operator.", _BRACKET_NAME, _OPERATORS),
    "operator": ("{shown} is not an operator of conditions.", _BRACKET_NAME, _OPERATORS),
    "value": ("{shown} is not a value.", _ONE, VALUES),
    "list": ("{shown} is not a list of values.", _LIST, ('an opening bracket "["',)),
    "element": ("{shown} is not a value.", _LIST, VALUES),
    "comma": ("The list does not go on with {shown}.", _LIST, ('a comma ","', 'a closing bracket "]"')),
    "closing": (
        "The condition does not go on with {shown}.",
        "Write one condition between brackets; join two with AND or OR outside of them.",
        ('the closing bracket "]"',),
    ),
    "time": ("There is no such day or time: {shown}.", "Check the calendar.", VALUES),
}
_MISSPELT: Final = r"(?:(?i:and|or|not)(?:\s+(?i:and|or|not))?|[&|!\-~¬+]+)"
_FIRST_WORD: Final = re.compile(rf"{_MISSPELT}(?!\S)")
_LAST_WORD: Final = re.compile(rf"(?<!\S){_MISSPELT}\Z")
_QUOTE: Final = re.compile(r'(?<!\\)"')


def mistake(name: str, text: str, span: Span, expected: tuple[str, ...] = (), **words: object) -> LogicalSyntaxError:
    """The error of a mistake, with what would have been accepted where the table does not say it."""
    problem, hint, usual = _MISTAKES[name]
    words = {"at": span.start, "shown": _shown(text[slice(*span)]), **words}
    hint = hint.format(**words)
    return LogicalSyntaxError(problem.format(**words), text=text, span=span, expected=expected or usual, hint=hint)


def explain(text: str, last: Lexeme | None, opened: int | None, culprit: Lexeme) -> LogicalSyntaxError:
    """Say why a text cannot go on outside of conditions.

    Args:
        text: All of it.
        last: The lexeme before; None at the beginning.
        opened: Where the innermost open parenthesis stands; None for none.
        culprit: The lexeme that cannot follow.
    """
    kind, span = culprit.kind, culprit.span
    wanted = last is None or last.kind in BEFORE_OPERAND
    following = ("AND", "OR", "the end of the text" if opened is None else 'a closing parenthesis ")"')
    if kind == "OTHER":
        return unreadable(text, span.start)
    if wanted and last is not None and last.kind != "OPEN":
        return mistake("no right", text, span, last=_shown(last.text))
    if kind == "CLOSE" and opened is None:
        return mistake(")", text, span, _OPERAND if wanted else following)
    if kind == "END" and opened is not None:
        return mistake("(", text, Span(opened, opened + 1))
    if wanted:
        name = {"END": "empty", "CLOSE": "nothing"}.get(kind, "no left")
        return mistake(name, text, span if opened is None or name == "no left" else Span(opened, span.end))
    if kind == "NOT":
        return mistake("not", text, span, following)
    if kind == "WORDS" and (written := _FIRST_WORD.match(text, *span)):
        return mistake("no operator", text, Span(*written.span()))
    if last is not None and last.kind == "WORDS" and (written := _LAST_WORD.search(last.text)):
        return mistake("no operator", text, Span(last.span.end - len(written[0]), last.span.end))
    return mistake("odd" if len(_QUOTE.findall(text)) % 2 else "unjoined", text, span, following)


def unreadable(text: str, at: int) -> LogicalSyntaxError:
    """Say why a character begins no lexeme: a quote, or a closing bracket."""
    sign, span = text[at], Span(at, at + 1)
    if sign not in '"]':
        return mistake("quotes", text, span, sign=sign)
    if sign == '"' and (blank := re.compile(r'"\s*"').match(text, at)):
        return mistake("blank", text, Span(*blank.span()))
    return mistake("escaped" if text[:at].endswith("\\") and sign == '"' else sign, text, span)


def _shown(text: str) -> str:
    """A piece of the text on one line, in quotes unless it is an operator or brings its own."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = line if len(line) <= 40 else f"{line[:37]}..."
    return line if line.startswith('"') or line in ("AND", "OR", "NOT") else f'"{line}"'

"""Mistakes in the text of a query, in words for the person or the model that wrote it."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from lark import Token, UnexpectedInput

from logical_retriever.errors import LogicalSyntaxError, Span

# Conditions may stand there too, but are not offered: an author without known fields would make some up.
_OPERAND: Final = ("a quoted term", "words", "NOT", 'an opening parenthesis "("')
_CLOSING_QUOTE: Final = ('a closing quote (") before the end of the text',)
_OPERATORS: Final = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "exists")
_VALUES: Final = ("a text in double quotes", "a number", "true", "false", "a date")
_BRACKET: Final = (
    'A condition reads [year >= 1990]; a bracket that belongs to a term is written in quotes: "list[int]".'
)
_BRACKET_NAME: Final = (
    'A condition reads [year >= 1990]; a name that has spaces in it stands in quotes: ["release year" >= 1990].'
)
_LIST: Final = 'Write the values between brackets of their own: [country in ["France", "Italy"]].'
_ONE: Final = "Texts stand in double quotes, dates are written 2020-01-31; only in and not in take a list."

# By name: problem, hint, and what the grammar accepts there, unless that depends on the place. From "field" on, the
# names are those of places in a condition.
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
    "value": ("{shown} is not a value.", _ONE, _VALUES),
    "list": ("{shown} is not a list of values.", _LIST, ('an opening bracket "["',)),
    "element": ("{shown} is not a value.", _LIST, _VALUES),
    "comma": ("The list does not go on with {shown}.", _LIST, ('a comma ","', 'a closing bracket "]"')),
    "closing": (
        "The condition does not go on with {shown}.",
        "Write one condition between brackets; join two with AND or OR outside of them.",
        ('the closing bracket "]"',),
    ),
    "time": ("There is no such day or time: {shown}.", "Check the calendar.", _VALUES),
    "condition": ("{problem}", "{way}", _VALUES),
}

# A place in the text, by a terminal that the grammar accepts there; the first one counts.
_PLACES: Final = {
    "WORDS": "operand",
    "NAME": "field",
    "COMPARE": "operator",
    "TEXT": "value",
    "LSQB": "list",
    "COMMA": "comma",
    "RSQB": "closing",
}
_MISSPELT: Final = r"(?:(?i:and|or|not)(?:\s+(?i:and|or|not))?|[&|!\-~¬+]+)"
_FIRST_WORD: Final = re.compile(rf"{_MISSPELT}(?!\S)")
_LAST_WORD: Final = re.compile(rf"(?<![^\s\"()\[\]]){_MISSPELT}\Z")
_QUOTE: Final = re.compile(r'(?<!\\)"')
_PIECE: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(?i:not\s+in)\b|[<>=!]+|[^\s"\[\],<>=!]+|\S', re.DOTALL)
"""A piece of a condition as people see it, whether or not the grammar knows it."""


class Mistake(Exception):
    """A mistake, raised where the whole text is out of reach.

    Args:
        name: Of the table above.
        span: Its characters.
        expected: What the grammar accepts instead; the table's by default.
        words: Values for the blanks of problem and hint, besides the position and the characters.
    """

    def __init__(self, name: str, span: Span, expected: tuple[str, ...] = (), **words: object) -> None:
        super().__init__(name)
        self.span, self.expected, self.words = span, expected, words

    def error(self, text: str) -> LogicalSyntaxError:
        """Return the error to raise, given the whole text."""
        problem, hint, expected = _MISTAKES[self.args[0]]
        words = {"at": self.span.start, "shown": _shown(text[slice(*self.span)]), **self.words}
        expected, hint = self.expected or expected, hint.format(**words)
        return LogicalSyntaxError(problem.format(**words), text=text, span=self.span, expected=expected, hint=hint)


def explain(text: str, error: UnexpectedInput) -> Mistake:
    """Name the mistake that stopped the parser.

    Lark's ``match_examples`` compares whole stacks of the parser, so it knows no mistake again behind a parenthesis.
    The place comes from what the grammar accepts there, and the rest from the last token and the open brackets.

    Args:
        text: The whole text.
        error: Of the parser.

    Raises:
        Mistake: An earlier one, in the term or condition right before.
        QueryLimitError: The query up to there is over the limits.
    """
    parser, culprit = error.interactive_parser, getattr(error, "token", Token("", ""))
    accepted: set[str] = getattr(error, "expected", getattr(error, "allowed", set()))
    place = next((place for terminal, place in _PLACES.items() if terminal in accepted), "chain")
    stack = parser.parser_state.value_stack
    last = stack[-1] if stack and isinstance(stack[-1], Token) else Token("", "")
    with suppress(UnexpectedInput):
        parser.feed_token(Token("AND", "AND"))  # lets the parser build a complete operand, which can fail first
    start = len(text) if culprit.type == "$END" else error.pos_in_stream or 0
    opened = [token for token in stack if isinstance(token, Token) and token.type in ("LPAR", "LSQB")]
    if place in ("operand", "chain"):
        span = Span(start, start + len(culprit))
        return _outside(text, culprit.type, span, last, opened[-1].start_pos if opened else None, place == "operand")
    return _inside(text, start, place, [token.start_pos or 0 for token in opened if token.type == "LSQB"])


def _outside(text: str, kind: str, span: Span, last: Token, opened: int | None, wanted: bool) -> Mistake:
    """Name a mistake outside of conditions.

    Args:
        text: The whole text.
        kind: Terminal of the culprit; "" for a character that begins none.
        span: Of the culprit.
        last: Token before it.
        opened: Position of the innermost open parenthesis; None for none.
        wanted: Whether an operand belongs there.
    """
    following = ("AND", "OR", "the end of the text" if opened is None else 'a closing parenthesis ")"')
    if not kind:
        return _stray(text, span.start)
    if kind in ("RSQB", "TEXT"):
        return Mistake("]" if kind == "RSQB" else "blank", span)
    if wanted and last.type in ("AND", "OR", "NOT"):
        return Mistake("no right", span, last=_shown(last))
    if kind == "RPAR" and opened is None:
        return Mistake(")", span, _OPERAND if wanted else following)
    if kind == "$END" and opened is not None:
        return Mistake("(", Span(opened, opened + 1))
    if wanted:
        name = {"$END": "empty", "RPAR": "nothing"}.get(kind, "no left")
        return Mistake(name, Span(opened or 0, span.end) if name == "nothing" else span)
    written = _FIRST_WORD.match(text, *span) if kind == "WORDS" else None
    if written is None and last.type == "WORDS":
        written = _LAST_WORD.search(text, last.start_pos or 0, last.end_pos or 0)
    if written is not None:
        return Mistake("no operator", Span(*written.span()))
    return Mistake("odd" if len(_QUOTE.findall(text)) % 2 else "unjoined", span, following)


def _inside(text: str, start: int, place: str, brackets: list[int]) -> Mistake:
    """Name a mistake in a condition.

    Args:
        text: The whole text.
        start: Position of the mistake.
        place: What belongs there.
        brackets: Positions of the open brackets: the condition's, then its list's.
    """
    piece = _PIECE.match(text, start)
    if piece is None:
        return Mistake("[", Span(brackets[0], brackets[0] + 1))
    if piece[0] == '"':
        return _stray(text, start)
    if place == "operator" and piece[0] == "]":
        place = "bare"
    place = {("value", 2): "element", ("comma", 1): "closing"}.get((place, len(brackets)), place)
    return Mistake(place, Span(*piece.span()))


def _stray(text: str, at: int) -> Mistake:
    """Name the mistake of a quote that ends nowhere, or is of another kind."""
    span = Span(at, at + 1)
    if text[at] != '"':
        return Mistake("quotes", span, sign=text[at])
    return Mistake("escaped" if text[at - 1 : at] == "\\" else '"', span)


def _shown(text: str) -> str:
    """Return a piece of the text on one line, in quotes unless it is an operator or has its own."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = line if len(line) <= 40 else f"{line[:37]}..."
    return line if line.startswith('"') or line in ("AND", "OR", "NOT") else f'"{line}"'

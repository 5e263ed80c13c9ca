"""Text to tree."""

from __future__ import annotations

import re
from typing import Any, Final

from logical_retriever.errors import InvalidArgumentError, LogicalSyntaxError, Span
from logical_retriever.query.mistakes import BEFORE_OPERAND, VALUES, Lexeme, explain, mistake, unreadable
from logical_retriever.query.nodes import And, Condition, LogicalQuery, Not, Or, Term
from logical_retriever.query.printer import NAME
from logical_retriever.query.values import ISO_TIME, WHOLE_NUMBERS, Scalar, read_time

# No regular expression here takes more than one pass over any text.
_TEXT: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
# An operator is a whole word: what follows it is white space, a quote, a parenthesis, a bracket or the end. What
# precedes it is one of these as well, because a word takes every character up to one. Typographic double quotes are in
# no word, so that they are an error and not silently part of a term.
_WHOLE: Final = r'(?![^\s"()\[\]])'
_WORD: Final = rf'(?!(?:AND|OR|NOT|&&?|\|\|?){_WHOLE}|[!\-](?=["(\[]))[^\s"()\[\]“”„‟«»＂]+'
_OUTSIDE: Final = re.compile(
    rf"""(?P<QUOTED>(?!"\s*"){_TEXT})|(?P<CONDITION>\[)|(?P<OPEN>\()|(?P<CLOSE>\))
    |(?P<AND>(?:AND|&&?){_WHOLE})|(?P<OR>(?:OR|\|\|?){_WHOLE})|(?P<NOT>NOT{_WHOLE}|[!\-](?=["(\[]))
    |(?P<WORDS>{_WORD}(?:\s+{_WORD})*)|(?P<OTHER>\S)""",
    re.DOTALL | re.VERBOSE,
)
_IN_CONDITION: Final = re.compile(
    rf"""(?P<TEXT>{_TEXT})|(?P<TIME>{ISO_TIME.pattern}(?![\w.:+\-]))
    |(?P<NUMBER>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))|(?P<NAME>{NAME.pattern})
    |(?P<TRUTH>(?i:true|false)(?![\w.\-]))|(?P<IN>(?i:in|not\s+in)(?![\w.\-]))|(?P<EXISTS>(?i:exists)(?![\w.\-]))
    |(?P<COMPARE>(?:[<>]=?|!=|==?)(?![<>=!])|(?i:contains)(?![\w.\-]))|(?P<OPEN>\[)|(?P<COMMA>,)|(?P<CLOSE>\])
    |(?P<OTHER>[<>=!]+|[^\s"\[\],]+|\S)""",
    re.DOTALL | re.VERBOSE,
)
# What may follow in a condition, and what is expected after it.
_SCALARS: Final = ("TEXT", "NUMBER", "TIME", "TRUTH")
_CONDITION: Final[dict[str, dict[str, str]]] = {
    "field": {"NAME": "operator", "TEXT": "operator"},
    "operator": {"COMPARE": "value", "IN": "list", "EXISTS": "closing"},
    "value": dict.fromkeys(_SCALARS, "closing"),
    "list": {"OPEN": "element"},
    "element": dict.fromkeys(_SCALARS, "comma"),
    "comma": {"COMMA": "element", "CLOSE": "closing"},
    "closing": {"CLOSE": "end"},
}
_DIGITS: Final = 20
"""Most digits of a whole number of 64 bits."""
_ESCAPE: Final = re.compile(r'\\(["\\])')
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_SINGLE_QUOTED: Final = re.compile(r"['‘’`].*['‘’`]", re.DOTALL)


def parse(text: str) -> LogicalQuery:
    r"""Read a logical query.

    NOT binds tighter than AND, AND tighter than OR; parentheses group. A chain of one operator gives one node
    with all its operands; a parenthesised chain within a chain stays a node of its own. Parentheses that change
    nothing leave no trace.

    **Quoted terms** stand between straight double quotes and hold any text, newlines included. ``\"`` is a quote
    and ``\\`` a backslash; any other backslash is a backslash.

    **Unquoted terms** are runs of words up to an operator, a parenthesis or a quote; white space between the words
    becomes one space. A word is everything up to white space, a parenthesis, a bracket or a straight quote, so
    ``AT&T``, ``a|b``, ``-5`` and ``state-of-the-art`` are words. Typographic double quotes must be quoted, and a run
    that begins and ends with a single quote or backtick is refused: each is most likely a wrong kind of quote.

    **Conditions** on metadata stand between brackets, wherever a term may: ``[year >= 1990]``, ``[language != "en"]``,
    ``[genres contains "western"]``, ``[country in ["France", "Italy"]]``, ``[country not in ["France"]]``,
    ``[director exists]``. Names that are not letters, digits, ``_``, ``.`` and ``-`` stand in double quotes, as texts
    do; other values are numbers, ``true``, ``false``, dates (``2020-01-31``) and times (``2020-01-31T12:30:00Z``).

    **Operators** are ``AND``, ``OR`` and ``NOT``, in upper case and as whole words (``and`` and ``ANDY`` are words).
    ``&`` and ``&&`` are AND, ``|`` and ``||`` are OR where they are whole words. ``!`` and ``-`` are NOT where they
    begin a word and a quote, ``(`` or ``[`` follows directly: ``-"bone health"`` and ``!(a OR b)`` are negations,
    ``-bone`` is a word.

    Args:
        text: The query, of any length: reading takes time linear in it.

    Returns:
        The query. Every term keeps the span of the text it was read from, with its quotes.

    Raises:
        LogicalSyntaxError: The text is not a logical query, or not valid Unicode.
        QueryLimitError: The query has more than ``MAX_TERMS`` terms and conditions, or more than ``MAX_DEPTH`` levels.
        InvalidArgumentError: ``text`` is no text.

    Examples:
        >>> parse('"vitamin D" AND NOT ("bone health" OR skin)')
        And(operands=(Term(text='vitamin D'), Not(operand=Or(operands=(Term(text='bone health'), Term(text='skin'))))))
        >>> print(parse('cats & dogs | -"AT&T"'))
        "cats" AND "dogs" OR NOT "AT&T"
        >>> parse('"cats" and "dogs"')
        Traceback (most recent call last):
        logical_retriever.errors.LogicalSyntaxError: "and" is not an operator as it is written. (characters 7-10)
          "cats" and "dogs"
                 ^^^
        Expected an operator in upper case.
        Hint: Operators are words in upper case, with white space around them: AND, OR, NOT, AND NOT.
        More: docs/errors.md#logicalsyntaxerror
    """
    if not isinstance(text, str):
        raise InvalidArgumentError(
            f"A query is parsed from text, got {type(text).__name__}.",
            hint="Give a str; a query is parsed already.",
        )
    if surrogate := _SURROGATE.search(text):
        raise LogicalSyntaxError(
            "The text is not valid Unicode.",
            text=text,
            span=Span(*surrogate.span()),
            expected=("a character",),
            hint="Decode the text with the encoding it was written in, most often UTF-8, before parsing it.",
        )
    groups, last = [_Group(None)], None  # a stack of its own: parentheses may be nested a thousand deep
    while True:
        lexeme = _lexeme(_OUTSIDE, text, last.span.end if last else 0)
        group = groups[-1]
        match last is None or last.kind in BEFORE_OPERAND, lexeme.kind:
            case True, "QUOTED" | "WORDS":
                group.add(_term(text, lexeme))
            case True, "CONDITION":
                condition, lexeme = _condition(text, lexeme)
                group.add(condition)
            case True, "OPEN":
                groups.append(_Group(lexeme.span.start))
            case True, "NOT":
                group.negations += 1
            case False, "AND":
                pass
            case False, "OR":
                group.alternatives.append([])
            case False, "CLOSE" if group.start is not None:
                groups.pop()
                groups[-1].add(group.query)
            case False, "END" if group.start is None:
                return group.query
            case _:
                raise explain(text, last, group.start, lexeme)
        last = lexeme


class _Group:
    """The text between two parentheses, or all of it, as far as it has been read.

    Attributes:
        start: Where the parenthesis stands; None for all of the text.
        alternatives: Operands of OR, each the operands of an AND.
        negations: How many NOTs wait for their operand.
    """

    def __init__(self, start: int | None) -> None:
        self.start = start
        self.alternatives: list[list[LogicalQuery]] = [[]]
        self.negations = 0

    def add(self, query: LogicalQuery) -> None:
        """Take an operand, with the negations before it."""
        for _ in range(self.negations):
            query = Not(query)
        self.negations = 0
        self.alternatives[-1].append(query)

    @property
    def query(self) -> LogicalQuery:
        """All of it."""
        return _joined(Or, [_joined(And, parts) for parts in self.alternatives])


def _joined(kind: type[And | Or], parts: list[LogicalQuery]) -> LogicalQuery:
    return kind(tuple(parts)) if len(parts) > 1 else parts[0]


def _lexeme(pattern: re.Pattern[str], text: str, start: int) -> Lexeme:
    """The first lexeme from a place on, of kind "END" at the end."""
    if match := pattern.search(text, start):
        return Lexeme(str(match.lastgroup), match[0], Span(*match.span()))
    return Lexeme("END", "", Span(len(text), len(text)))


def _term(text: str, lexeme: Lexeme) -> Term:
    if lexeme.kind == "QUOTED":
        return Term(_unquoted(lexeme.text), lexeme.span)
    if _SINGLE_QUOTED.fullmatch(lexeme.text):
        raise mistake("quotes", text, lexeme.span, sign=lexeme.text[0])
    return Term(" ".join(lexeme.text.split()), lexeme.span)


def _condition(text: str, opening: Lexeme) -> tuple[Condition, Lexeme]:
    """The condition that a bracket begins, and all of it as one lexeme."""
    expected, lexemes = "field", [opening]
    while expected != "end":
        lexeme = _lexeme(_IN_CONDITION, text, lexemes[-1].span.end)
        if lexeme.kind == "END":
            raise mistake("[", text, opening.span)
        if lexeme.text == '"':
            raise unreadable(text, lexeme.span.start)
        if lexeme.kind not in _CONDITION[expected]:
            bare = expected == "operator" and lexeme.kind == "CLOSE"
            raise mistake("bare" if bare else expected, text, lexeme.span)
        expected = _CONDITION[expected][lexeme.kind]
        lexemes.append(lexeme)
    _, field, written, *rest, closing = lexemes
    operator: Any = " ".join(written.text.lower().split()).replace("==", "=")
    values: Any = tuple(_scalar(text, lexeme) for lexeme in rest if lexeme.kind in _SCALARS)
    span = Span(opening.span.start, closing.span.end)
    try:
        value = values if written.kind == "IN" else values[0] if values else None
        return Condition(_unquoted(field.text), operator, value), Lexeme("CONDITION", text[slice(*span)], span)
    except InvalidArgumentError as error:
        raise LogicalSyntaxError(error.message, text=text, span=span, expected=VALUES, hint=error.hint) from None


def _scalar(text: str, lexeme: Lexeme) -> Scalar:
    written = lexeme.text
    if lexeme.kind == "TEXT":
        return _unquoted(written)
    if lexeme.kind == "TRUTH":
        return written.lower() == "true"
    if lexeme.kind == "TIME":
        if (time := read_time(written)) is None:
            raise mistake("time", text, lexeme.span)
        return time
    if not written.lstrip("+-").isdecimal():
        return float(written)
    digits = written.lstrip("+-0")  # int() of a long text takes quadratic time, so that one is not read
    return int("-" * written.startswith("-") + (digits or "0")) if len(digits) <= _DIGITS else WHOLE_NUMBERS.stop


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(r"\1", text[1:-1]) if text.startswith('"') else text

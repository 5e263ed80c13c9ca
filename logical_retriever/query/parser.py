"""Text to tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from logical_retriever.errors import InvalidArgumentError, LogicalSyntaxError, QueryTooLongError, Span
from logical_retriever.query.condition_text import read_condition
from logical_retriever.query.mistakes import BEFORE_OPERAND, Lexeme, explain
from logical_retriever.query.nodes import And, LogicalQuery, Not, Or, Term

MAX_LENGTH: Final = 10_000
"""Most characters a query may have outside quoted terms and conditions; the canonical text of any tree has fewer."""

_TEXT: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_INSIDE: Final = rf'(?:[^\[\]"]|{_TEXT})*'
# Quoted terms, conditions and, so that no text takes more than one pass, the rest of the text from a quote or bracket
# that is never closed.
_QUOTED: Final = re.compile(rf'{_TEXT}?|\[(?:[^\[\]"]|{_TEXT}|\[{_INSIDE}\])*\]?', re.DOTALL)
# An operator is a whole word: what follows it is white space, a quote, a parenthesis, a bracket or the end. What
# precedes it is one of these as well, because a word takes every character up to one. Typographic double quotes are in
# no word, so that they are an error and not silently part of a term.
_WHOLE: Final = r'(?![^\s"()\[\]])'
_WORD: Final = rf'(?!(?:AND|OR|NOT|&&?|\|\|?){_WHOLE}|[!\-](?=["(\[]))[^\s"()\[\]“”„‟«»＂]+'
_LEXEME: Final = re.compile(
    rf"""(?P<QUOTED>(?!"\s*"){_TEXT})|(?P<CONDITION>\[(?:[^\[\]"]|{_TEXT}|\[{_INSIDE}\])*\])|(?P<OPEN>\()|(?P<CLOSE>\))
    |(?P<AND>(?:AND|&&?){_WHOLE})|(?P<OR>(?:OR|\|\|?){_WHOLE})|(?P<NOT>NOT{_WHOLE}|[!\-](?=["(\[]))
    |(?P<WORDS>{_WORD}(?:\s+{_WORD})*)|(?P<OTHER>\S)""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_SINGLE_QUOTED: Final = re.compile(r"['‘’`].*['‘’`]", re.DOTALL)


def parse(text: str | bytes) -> LogicalQuery:
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
        text: The query, at most ``MAX_LENGTH`` characters beside what stands between straight double quotes or
            brackets, which may be as long as it likes: reading takes time linear in the length. Bytes are read as
            UTF-8; in the text of an error, an invalid byte 0xNN is the character U+DCNN.

    Returns:
        The query. Every node keeps the span of the text it was read from: a term with its quotes, a compound node
        from its first to its last character, without parentheses around the whole of it.

    Raises:
        LogicalSyntaxError: The text is not a logical query, or not valid Unicode.
        QueryTooLongError: The text has more than ``MAX_LENGTH`` characters outside quotes and brackets.
        TooManyTermsError: The query has more than ``MAX_TERMS`` terms and conditions.
        QueryTooDeepError: The query has more than ``MAX_DEPTH`` levels.
        InvalidArgumentError: ``text`` is neither text nor bytes.

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
        Expected AND, OR or the end of the text.
        Hint: Operators are written in upper case: AND.
        More: docs/errors.md#logicalsyntaxerror
    """
    text = _decoded(text)
    if len(text) > MAX_LENGTH and (length := len(_QUOTED.sub('""', text))) > MAX_LENGTH:
        raise QueryTooLongError(
            f"The query has {length:,} characters outside quoted terms; at most {MAX_LENGTH:,} are allowed.",
            hint="Put a long text between double quotes, or shorten it: a term is a phrase or a sentence.",
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
    for lexeme in _lexemes(text):
        kind, group, wanted = lexeme.kind, groups[-1], last is None or last.kind in BEFORE_OPERAND
        if wanted and kind in ("QUOTED", "WORDS", "CONDITION"):
            group.add(_leaf(text, lexeme), lexeme.span)
        elif wanted and kind == "OPEN":
            groups.append(_Group(lexeme))
        elif wanted and kind == "NOT":
            group.negations.append(lexeme.span.start)
        elif not wanted and kind == "OR":
            group.alternatives.append([])
        elif not wanted and kind == "CLOSE" and group.opening is not None:
            groups.pop()
            groups[-1].add(group.query, Span(group.opening.span.start, lexeme.span.end))
        elif wanted or (kind != "AND" and (kind != "END" or len(groups) > 1)):
            opened = [one.opening for one in groups if one.opening is not None]
            raise explain(text, last, opened, lexeme)
        last = lexeme
    return groups[0].query


class _Part(NamedTuple):
    """A sub-query and its extent, which includes parentheses around it, as its parent's span must."""

    query: LogicalQuery
    extent: Span


class _Group:
    """The text between two parentheses, or all of it, as far as it has been read.

    Attributes:
        opening: The parenthesis.
        alternatives: Operands of OR, each the operands of an AND.
        negations: Where each NOT begins that waits for its operand.
    """

    def __init__(self, opening: Lexeme | None) -> None:
        self.opening = opening
        self.alternatives: list[list[_Part]] = [[]]
        self.negations: list[int] = []

    def add(self, query: LogicalQuery, extent: Span) -> None:
        """Take an operand, with the negations before it."""
        while self.negations:
            extent = Span(self.negations.pop(), extent.end)
            query = Not(query, extent)
        self.alternatives[-1].append(_Part(query, extent))

    @property
    def query(self) -> LogicalQuery:
        """All of it."""
        return _joined(Or, [_joined(And, parts) for parts in self.alternatives]).query


def _joined(kind: type[And | Or], parts: list[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]
    span = Span(parts[0].extent.start, parts[-1].extent.end)
    return _Part(kind(tuple(part.query for part in parts), span), span)


def _lexemes(text: str) -> Iterator[Lexeme]:
    for match in _LEXEME.finditer(text):
        yield Lexeme(str(match.lastgroup), match[0], Span(*match.span()))
    yield Lexeme("END", "", Span(len(text), len(text)))


def _leaf(text: str, lexeme: Lexeme) -> LogicalQuery:
    if lexeme.kind == "CONDITION":
        return read_condition(text, lexeme.span)
    if lexeme.kind == "QUOTED":
        return Term(_ESCAPE.sub(r"\1", lexeme.text[1:-1]), lexeme.span)
    if _SINGLE_QUOTED.fullmatch(lexeme.text):
        raise LogicalSyntaxError(
            f"Terms are not quoted with {lexeme.text[0]}.",
            text=text,
            span=lexeme.span,
            expected=("a term in double quotes",),
            hint='Write double quotes " around the term, or no quotes at all.',
        )
    return Term(" ".join(lexeme.text.split()), lexeme.span)


def _decoded(text: object) -> str:
    """The text itself, or the text that the bytes stand for."""
    if isinstance(text, str):
        return text
    if not isinstance(text, (bytes, bytearray)):
        raise InvalidArgumentError(
            f"A query is parsed from text, got {type(text).__name__}.",
            hint="Give a str; a tree needs no parsing, and its JSON form is read by LogicalQuery.from_dict.",
        )
    # Invalid bytes become lone surrogates, so that the check for those finds them.
    return text.decode(errors="surrogateescape")

"""Text to tree. The only file that knows the parser generator."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final, NamedTuple, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args

from logical_retriever.errors import InvalidArgumentError, LogicalSyntaxError, QueryTooLongError, Span
from logical_retriever.query import mistakes
from logical_retriever.query.condition_text import VALUE, Fault, read_condition
from logical_retriever.query.mistakes import Lexeme
from logical_retriever.query.nodes import And, Condition, LogicalQuery, Not, Operator, Or, Term

MAX_LENGTH: Final = 10_000
"""Most characters a query may have outside quoted terms and conditions; the canonical text of any tree has fewer."""


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
        raise mistakes.not_unicode(text, Span(*surrogate.span()))
    try:
        # Lark's LALR parser keeps its own stack and calls the builder on each reduction, so that nesting costs no
        # Python frames and the bounds of the nodes apply while the query is read.
        part: _Part = _LARK.parse(text)  # type: ignore[assignment]  # Lark types the result without a transformer
    except Fault as fault:
        raise LogicalSyntaxError(
            fault.problem, text=text, span=fault.span, expected=fault.expected, hint=fault.hint
        ) from None
    except UnexpectedCharacters as error:
        position: int = error.pos_in_stream  # type: ignore[assignment]  # Lark declares it on the base, as None
        raise mistakes.explain_quote(text, position) from None
    except UnexpectedToken as error:
        culprit = None if error.token.type == "$END" else _lexeme(error.token)
        raise mistakes.explain(text, _lexemes_before(text, culprit), culprit) from None
    for node in part.query.walk():
        if isinstance(node, Term) and node.span is not None and _SINGLE_QUOTED.fullmatch(text, *node.span):
            raise mistakes.single_quotes(text, node.span)
    return part.query


class _Part(NamedTuple):
    """A sub-query and its extent, which includes parentheses around it, as its parent's span must."""

    query: LogicalQuery
    extent: Span


@v_args(inline=True)
class _Builder(Transformer[Token, _Part]):
    """One method for each alternative of the grammar."""

    def quoted(self, token: Token) -> _Part:
        span = _span(token)
        return _Part(Term(_ESCAPE.sub(r"\1", token[1:-1]), span), span)

    def condition(self, token: Token) -> _Part:
        span = _span(token)
        field, operator, value = read_condition(token, span.start)
        try:
            condition = Condition(field, cast("Operator", operator), value, span)
        except InvalidArgumentError as error:
            raise Fault(error.message, span, VALUE, error.hint) from None
        return _Part(condition, span)

    def words(self, token: Token) -> _Part:
        span = _span(token)
        return _Part(Term(" ".join(token.split()), span), span)

    def group(self, opening: Token, part: _Part, closing: Token) -> _Part:
        return _Part(part.query, Span(_span(opening).start, _span(closing).end))

    def negate(self, operator: Token, part: _Part) -> _Part:
        span = Span(_span(operator).start, part.extent.end)
        return _Part(Not(part.query, span), span)

    def conjunction(self, *parts: _Part) -> _Part:
        span = Span(parts[0].extent.start, parts[-1].extent.end)
        return _Part(And(tuple(part.query for part in parts), span), span)

    def disjunction(self, *parts: _Part) -> _Part:
        span = Span(parts[0].extent.start, parts[-1].extent.end)
        return _Part(Or(tuple(part.query for part in parts), span), span)


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


def _span(token: Token) -> Span:
    return Span(token.start_pos, token.end_pos)  # type: ignore[arg-type]  # None only on tokens made by hand


def _lexeme(token: Token) -> Lexeme:
    return Lexeme(token.type, str(token), _span(token))


def _lexemes_before(text: str, culprit: Lexeme | None) -> list[Lexeme]:
    """Lex the text again up to the culprit, or to its end."""
    found: list[Lexeme] = []
    for token in _LARK.lex(text):
        lexeme = _lexeme(token)
        if culprit is not None and lexeme.span.start >= culprit.span.start:
            break
        found.append(lexeme)
    return found


# Quoted terms, conditions and, so that no text takes more than one pass, the rest of the text from a quote or bracket
# that is never closed.
_TEXT: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_INSIDE: Final = rf'(?:[^\[\]"]|{_TEXT})*'
_QUOTED: Final = re.compile(rf'{_TEXT}?|\[(?:[^\[\]"]|{_TEXT}|\[{_INSIDE}\])*\]?', re.DOTALL)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_SINGLE_QUOTED: Final = re.compile(r"['‘’`].*['‘’`]", re.DOTALL)

# Built once, on import. The basic lexer splits the text the same way in every state of the parser, which is what
# lets a failed text be lexed again for its message. A parse keeps its state to itself, so threads share this.
_LARK: Final = Lark(
    files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8"),
    parser="lalr",
    lexer="basic",
    transformer=_Builder(),
)

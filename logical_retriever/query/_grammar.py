"""The parser of ``language.lark``, and the nodes that its rules build.

Importing this module loads lark and compiles the grammar. The first call of ``parse`` does that, not the package.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any, Final, TypeAlias

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from logical_retriever.errors import InvalidArgumentError, Span
from logical_retriever.query._mistakes import Mistake, explain
from logical_retriever.query._nodes import And, Condition, LogicalQuery, Not, Or, Term
from logical_retriever.query._values import WHOLE_NUMBERS, Scalar, Value, read_time

_DIGITS: Final = 20
"""Most digits of a whole number of 64 bits."""
_ESCAPE: Final = re.compile(r'\\(["\\])')
_SINGLE_QUOTED: Final = re.compile(r"['‘’`].*['‘’`]", re.DOTALL)

_Operands: TypeAlias = "tuple[LogicalQuery, ...]"


@v_args(inline=True)
class _Nodes(Transformer[Token, LogicalQuery]):
    """Nodes for the rules of the grammar.

    A chain is a tuple until its group ends, so that the first mistake of a text is the one that is reported.
    """

    def start(self, alternatives: tuple[_Operands, ...], *exclusions: tuple[Any, ...]) -> LogicalQuery:
        for excluded, *more in exclusions:
            left = alternatives[0] if len(alternatives) == 1 else (_any(alternatives),)
            alternatives = ((*left, *excluded), *more)
        return _any(alternatives)

    group = start

    def exclusion(self, *parts: Any) -> tuple[Any, ...]:
        query = Not(parts[1]) if isinstance(parts[0], Token) else parts[0]
        operands = [part for part in parts[2:] if isinstance(part, LogicalQuery)]
        return (query, *operands), *[part for part in parts if isinstance(part, tuple)]

    def dashed(self, token: Token) -> LogicalQuery:
        word, start = token[1:].rstrip(","), _span(token).start + 1
        return Not(Term(word, Span(start, start + len(word))))

    def disjunction(self, *parts: Any) -> tuple[Any, ...]:
        return parts[::2]  # operators stand between the operands

    conjunction = disjunction

    def negation(self, *parts: Any) -> LogicalQuery:
        query: LogicalQuery = parts[-1]
        for _ in parts[:-1]:
            query = Not(query)
        return query

    def quoted(self, token: Token) -> Term:
        return Term(self.text(token), _span(token))

    def words(self, token: Token) -> Term:
        if _SINGLE_QUOTED.fullmatch(token):
            raise Mistake("quotes", _span(token), sign=token[0])
        return Term(" ".join(token.split()), _span(token))

    def condition(self, opening: Token, field: str, comparison: tuple[Any, Value], closing: Token) -> Condition:
        try:
            return Condition(str(field), *comparison)
        except InvalidArgumentError as error:
            raise Mistake("condition", _span(opening, closing), problem=error.message, way=error.hint) from None

    def comparison(self, operator: Token, value: Value = None) -> tuple[str, Value]:
        return " ".join(operator.lower().split()).replace("==", "="), value

    def values(self, *values: Scalar) -> tuple[Scalar, ...]:
        return values

    def text(self, token: Token) -> str:
        return _ESCAPE.sub(r"\1", token[1:-1])

    def number(self, token: Token) -> float:
        if not token.lstrip("+-").isdecimal():
            return float(token)
        digits = token.lstrip("+-0")  # int() takes quadratic time, so it reads no number that is too large anyway
        return int("-" * token.startswith("-") + (digits or "0")) if len(digits) <= _DIGITS else WHOLE_NUMBERS.stop

    def time(self, token: Token) -> Scalar:
        if (time := read_time(token)) is None:
            raise Mistake("time", _span(token))
        return time

    def truth(self, token: Token) -> bool:
        return token.lower() == "true"


def _any(alternatives: tuple[_Operands, ...]) -> LogicalQuery:
    return _joined(Or, tuple([_joined(And, operands) for operands in alternatives]))


def _joined(kind: type[And | Or], operands: _Operands) -> LogicalQuery:
    return kind(operands) if len(operands) > 1 else operands[0]


def _span(first: Token, last: Token | None = None) -> Span:
    return Span(first.start_pos or 0, (last or first).end_pos or 0)


_LARK: Final = Lark(
    files(__package__).joinpath("language.lark").read_text(encoding="utf-8"),
    parser="lalr",
    lexer="contextual",
    transformer=_Nodes(),  # nodes are built while parsing; a walk over a finished tree would recurse
)


def read(text: str) -> LogicalQuery:
    """Read a query from valid Unicode text.

    Raises:
        LogicalSyntaxError: The text is not a logical query.
        QueryLimitError: The query has too many terms or levels.
    """
    try:
        return _tree(text)
    except Mistake as mistake:
        raise mistake.error(text) from None


def _tree(text: str) -> LogicalQuery:
    try:
        return _LARK.parse(text)  # type: ignore[return-value]  # the transformer builds queries, not trees
    except UnexpectedInput as error:
        unexpected = error
    raise explain(text, unexpected)

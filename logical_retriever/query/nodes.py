"""The four nodes of a logical query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from reprlib import repr as short_repr
from typing import TYPE_CHECKING, Any, ClassVar, Final, final

from logical_retriever.errors import InvalidArgumentError, QueryTooDeepError, Span, TooManyTermsError
from logical_retriever.query.printer import to_text, to_tree
from logical_retriever.trees import MeasuredTree

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

MAX_TERMS: Final = 64
"""Most terms a query may have, repetitions counted."""
MAX_DEPTH: Final = 32
"""Most levels a query may have; a term alone has one."""

_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


class LogicalQuery(MeasuredTree["LogicalQuery"]):
    """Base of :class:`Term`, :class:`Not`, :class:`And` and :class:`Or`.

    Queries are immutable and hashable; equality is by structure and order, never by where the text stood.
    ``str(query)`` is the canonical text, and ``parse(str(query)) == query``. ``&``, ``|`` and ``~`` build queries;
    chains of one operator are flattened, as the parser flattens them.

    Examples:
        >>> print(Term("vitamin D") & ~Term("bone health"))
        "vitamin D" AND NOT "bone health"
        >>> Term("a") & Term("b") & Term("c")
        And(operands=(Term(text='a'), Term(text='b'), Term(text='c')))
    """

    __slots__ = ()

    operator: ClassVar[str]
    """NOT, AND or OR; empty for a term."""

    def __and__(self, other: LogicalQuery) -> And:
        return And(_flat(And, self, other)) if isinstance(other, LogicalQuery) else NotImplemented

    def __or__(self, other: LogicalQuery) -> Or:
        return Or(_flat(Or, self, other)) if isinstance(other, LogicalQuery) else NotImplemented

    def __invert__(self) -> Not:
        return Not(self)

    def __bool__(self) -> bool:
        # `a and b` would silently drop a; the operators are `&` and `|`.
        msg = "A logical query has no truth value of its own."
        raise TypeError(msg + " Use & | ~ to combine queries, `is not None` to test for one.")

    def __str__(self) -> str:
        return to_text(self)

    def terms(self) -> tuple[str, ...]:
        """Texts of the distinct terms, in the order of first occurrence."""
        return tuple(dict.fromkeys(node.text for node in self.walk() if isinstance(node, Term)))

    def tree(self) -> str:
        """Draw the query as an indented tree, one node a line."""
        return to_tree(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; see :mod:`logical_retriever.query.json_form`."""
        from logical_retriever.query.json_form import to_dict

        return to_dict(self)

    @staticmethod
    def from_dict(data: object) -> LogicalQuery:
        """Read the JSON form back.

        Raises:
            LogicalQueryError: The data is not the JSON form of a query.
        """
        from logical_retriever.query.json_form import from_dict

        query: LogicalQuery = from_dict(data, _KINDS, MAX_DEPTH)
        return query

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from logical_retriever.query.json_form import core_schema

        return core_schema(cls, _KINDS, cls.from_dict)


@final
@dataclass(frozen=True, slots=True)
class Term(LogicalQuery):
    """A text to be scored against documents: a word, a phrase, a sentence.

    Attributes:
        text: Any valid Unicode text that is more than white space.
        span: Where it stood in the parsed text, or None; kept, never compared.
    """

    text: str
    span: Span | None = field(default=None, compare=False, repr=False)
    operator = ""

    def __post_init__(self) -> None:
        self._measure()
        if not isinstance(self.text, str) or not self.text.strip():
            raise InvalidArgumentError(
                f"A term needs text, got {short_repr(self.text)}.", hint="Give the term at least one visible character."
            )
        if _SURROGATE.search(self.text):
            # Half of a UTF-16 pair: no encoder, file or terminal could take it later.
            raise InvalidArgumentError(
                f"A term needs valid Unicode text, got {short_repr(self.text)}.",
                hint="Decode the text with the encoding it was written in, most often UTF-8.",
            )


@final
@dataclass(frozen=True, slots=True)
class Not(LogicalQuery):
    """The opposite of its operand.

    Attributes:
        operand: The negated query.
        span: From the operator to the end of the operand in the parsed text, or None.
    """

    operand: LogicalQuery
    span: Span | None = field(default=None, compare=False, repr=False)
    child_names = ("operand",)
    operator = "NOT"

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, slots=True)
class _Chain(LogicalQuery):
    """Two or more operands, joined by one operator.

    Attributes:
        operands: Sub-queries, in the order written.
        span: Extent in the parsed text, or None.
    """

    operands: tuple[LogicalQuery, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    child_names = ("operands",)

    def __post_init__(self) -> None:
        if not isinstance(self.operands, Sequence):
            raise InvalidArgumentError(
                f"{type(self).__name__} takes a sequence of operands, got {type(self.operands).__name__}.",
                hint="Give a tuple of queries, or combine queries with & and |.",
            )
        if len(self.operands) < 2:
            raise InvalidArgumentError(
                f"{type(self).__name__} needs two or more operands, got {len(self.operands)}.",
                hint="Use the operand itself where there is only one.",
            )
        object.__setattr__(self, "operands", tuple(self.operands))
        _check(self)


@final
@dataclass(frozen=True, slots=True)
class And(_Chain):
    """All operands hold: two or more, in the order written."""

    operator = "AND"


@final
@dataclass(frozen=True, slots=True)
class Or(_Chain):
    """At least one operand holds, of two or more, in the order written."""

    operator = "OR"


_KINDS: Final = {"term": Term, "not": Not, "and": And, "or": Or}


def _flat(kind: type[And | Or], *sides: LogicalQuery) -> tuple[LogicalQuery, ...]:
    """Operands of a chain: a side of the same kind gives its own operands."""
    return tuple(part for side in sides for part in (side.children if isinstance(side, kind) else (side,)))


def _check(node: Not | _Chain) -> None:
    """Refuse operands that are no queries, and what is over the bounds.

    Checking at construction is what lets everything that reads a query trust that it is small.
    """
    for child in node.children:
        if not isinstance(child, (Term, Not, And, Or)):
            raise InvalidArgumentError(
                f"{type(node).__name__} takes logical queries, got {type(child).__name__} {short_repr(child)}.",
                hint='Wrap text in Term("...") or use parse(...).',
            )
    node._measure()
    if node.depth > MAX_DEPTH:
        raise QueryTooDeepError(
            f"The query is nested {node.depth} levels deep; at most {MAX_DEPTH} are allowed.",
            hint="Flatten it: A AND (B AND C) is A AND B AND C, and NOT NOT A is A.",
        )
    if node.size > MAX_TERMS:
        raise TooManyTermsError(
            f"The query has {node.size} terms; at most {MAX_TERMS} are allowed.",
            hint="Join related words into one term: a term can be a phrase or a sentence.",
        )

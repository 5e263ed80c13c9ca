"""The four nodes of a logical query, and the one fold everything that reads a tree is written with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from reprlib import repr as short_repr
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

from logical_retriever.errors import InvalidArgumentError, QueryTooDeepError, Span, TooManyTermsError

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

MAX_TERMS: Final = 64
"""Most terms a query may have, repetitions counted."""
MAX_DEPTH: Final = 32
"""Most levels a query may have; a term alone has one."""

R = TypeVar("R")


class LogicalQuery:
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

    depth: int
    size: int

    @property
    def children(self) -> tuple[LogicalQuery, ...]:
        """Direct sub-queries, in the order written."""
        return ()

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
        from logical_retriever.query.printer import to_text

        return to_text(self)

    def fold(self, visit: Callable[[LogicalQuery, tuple[R, ...]], R]) -> R:
        """Compute a value bottom-up.

        Args:
            visit: Called once per node with the node and its children's values, children first, left to right.

        Returns:
            The value of the root.
        """
        values: list[R] = []
        for node in self.walk():
            split = len(values) - len(node.children)
            values[split:] = [visit(node, tuple(values[split:]))]
        return values[0]

    def walk(self) -> Iterator[LogicalQuery]:
        """Yield every node, children before parents, left to right."""
        stack: list[tuple[LogicalQuery, bool]] = [(self, False)]
        while stack:
            node, expanded = stack.pop()
            if expanded or not node.children:
                yield node
            else:
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))

    def terms(self) -> tuple[str, ...]:
        """Texts of the distinct terms, in the order of first occurrence."""
        return tuple(dict.fromkeys(node.text for node in self.walk() if isinstance(node, Term)))

    def tree(self) -> str:
        """Draw the query as an indented tree, one node a line."""
        from logical_retriever.query.printer import to_tree

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

        return from_dict(data)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from logical_retriever.query.json_form import core_schema

        return core_schema(cls)


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
    depth: int = field(init=False, compare=False, repr=False, default=1)
    size: int = field(init=False, compare=False, repr=False, default=1)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or not self.text.strip():
            raise InvalidArgumentError(
                f"A term needs text, got {short_repr(self.text)}.", hint="Give the term at least one visible character."
            )
        if any("\ud800" <= c <= "\udfff" for c in self.text):
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
    depth: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _measure(self, (self.operand,))

    @property
    def children(self) -> tuple[LogicalQuery, ...]:
        """The operand, alone."""
        return (self.operand,)


@final
@dataclass(frozen=True, slots=True)
class And(LogicalQuery):
    """All operands hold.

    Attributes:
        operands: Two or more sub-queries, in the order written.
        span: Extent in the parsed text, or None.
    """

    operands: tuple[LogicalQuery, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    depth: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _measure(self, _several(self, self.operands))

    @property
    def children(self) -> tuple[LogicalQuery, ...]:
        """The operands."""
        return self.operands


@final
@dataclass(frozen=True, slots=True)
class Or(LogicalQuery):
    """At least one operand holds.

    Attributes:
        operands: Two or more sub-queries, in the order written.
        span: Extent in the parsed text, or None.
    """

    operands: tuple[LogicalQuery, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    depth: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _measure(self, _several(self, self.operands))

    @property
    def children(self) -> tuple[LogicalQuery, ...]:
        """The operands."""
        return self.operands


def _flat(kind: type[And | Or], *sides: LogicalQuery) -> tuple[LogicalQuery, ...]:
    """Operands of a chain: a side of the same kind gives its own operands."""
    return tuple(part for side in sides for part in (side.children if isinstance(side, kind) else (side,)))


def _several(node: And | Or, operands: Sequence[LogicalQuery]) -> tuple[LogicalQuery, ...]:
    """Check the operands of an n-ary node; lists are accepted and stored as tuples."""
    if not isinstance(operands, Sequence):
        raise InvalidArgumentError(
            f"{type(node).__name__} takes a sequence of operands, got {type(operands).__name__}.",
            hint="Give a tuple of queries, or combine queries with & and |.",
        )
    if len(operands) < 2:
        raise InvalidArgumentError(
            f"{type(node).__name__} needs two or more operands, got {len(operands)}.",
            hint="Use the operand itself where there is only one.",
        )
    operands = tuple(operands)
    object.__setattr__(node, "operands", operands)
    return operands


def _measure(node: And | Or | Not, children: tuple[LogicalQuery, ...]) -> None:
    """Set depth and size from the children's, and refuse what is over the bounds.

    Checking at construction is what lets everything that reads a query trust that it is small.
    """
    for child in children:
        if not isinstance(child, (Term, Not, And, Or)):
            raise InvalidArgumentError(
                f"{type(node).__name__} takes logical queries, got {type(child).__name__} {short_repr(child)}.",
                hint='Wrap text in Term("...") or use parse(...).',
            )
    depth = 1 + max(child.depth for child in children)
    size = sum(child.size for child in children)
    if depth > MAX_DEPTH:
        raise QueryTooDeepError(
            f"The query is nested {depth} levels deep; at most {MAX_DEPTH} are allowed.",
            hint="Flatten it: A AND (B AND C) is A AND B AND C, and NOT NOT A is A.",
        )
    if size > MAX_TERMS:
        raise TooManyTermsError(
            f"The query has {size} terms; at most {MAX_TERMS} are allowed.",
            hint="Join related words into one term: a term can be a phrase or a sentence.",
        )
    object.__setattr__(node, "depth", depth)
    object.__setattr__(node, "size", size)

"""The five nodes of a logical query."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from reprlib import repr as short_repr
from typing import Any, ClassVar, Final, TypeVar, cast, final

from logical_retriever.errors import InvalidArgumentError, QueryLimitError, Span, check_choice
from logical_retriever.query._printer import spell
from logical_retriever.query._values import (
    MAX_DEPTH,
    MAX_TERMS,
    MAX_VALUES,
    Operator,
    Value,
    checked_scalar,
    checked_text,
)

R = TypeVar("R")


class LogicalQuery:
    """Base of :class:`Term`, :class:`Condition`, :class:`Not`, :class:`And` and :class:`Or`.

    Queries are immutable and hashable; equality is by structure and order, never by where the text stood.
    ``str(query)`` is the canonical text, and ``parse(str(query)) == query``. ``&``, ``|`` and ``~`` build queries;
    chains of one operator are flattened, as the parser flattens them.

    Attributes:
        children: Operands, in the order written; () for a term and a condition.
        depth: Levels; a term alone has one.
        size: Terms and conditions, repetitions counted.

    Examples:
        >>> print(Term("vitamin D") & ~Term("bone health"))
        "vitamin D" AND NOT "bone health"
        >>> Term("a") & Term("b") & Term("c")
        And(operands=(Term(text='a'), Term(text='b'), Term(text='c')))
    """

    __slots__ = ("children", "depth", "size")

    connective: ClassVar[str] = ""
    """NOT, AND or OR; empty for a term and a condition."""

    children: tuple[LogicalQuery, ...]
    depth: int
    size: int

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
        return spell(self)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # Copies and pickles are built anew, so that they are checked and measured as the original was.
        return type(self), tuple(getattr(self, field.name) for field in dataclasses.fields(cast("Any", self)))

    def fold(self, visit: Callable[[LogicalQuery, tuple[R, ...]], R]) -> R:
        """Compute a value bottom-up.

        Args:
            visit: Called once per node with the node and its children's values, children first, left to right.

        Returns:
            The value of the root.

        Examples:
            >>> (Term("a") & ~Term("b")).fold(lambda node, parts: 1 + sum(parts))
            4
        """
        return visit(self, tuple([child.fold(visit) for child in self.children]))

    def walk(self) -> Iterator[LogicalQuery]:
        """Yield every node, children before parents, left to right."""
        for child in self.children:
            yield from child.walk()
        yield self

    def rebuilt(self, children: Iterable[LogicalQuery]) -> LogicalQuery:
        """Return the same node with other children."""
        if isinstance(self, Not):
            return Not(*children)
        return type(self)(tuple(children)) if isinstance(self, (And, Or)) else self

    def terms(self) -> tuple[str, ...]:
        """List the texts of the distinct terms, in the order of first occurrence."""
        return tuple(dict.fromkeys(node.text for node in self.walk() if isinstance(node, Term)))

    def conditions(self) -> tuple[Condition, ...]:
        """List the distinct conditions, in the order of first occurrence."""
        return tuple(dict.fromkeys(node for node in self.walk() if isinstance(node, Condition)))

    def _measure(self, *children: LogicalQuery) -> None:
        """Set the children, depth and size, and reject other objects and queries over the limits."""
        for child in children:
            if not isinstance(child, _KINDS):
                raise InvalidArgumentError(
                    f"{type(self).__name__} takes logical queries, got {type(child).__name__} {short_repr(child)}.",
                    hint='Wrap text in Term("...") or use parse(...).',
                )
        depth = 1 + max((child.depth for child in children), default=0)
        size = sum(child.size for child in children) or 1
        if depth > MAX_DEPTH:
            raise QueryLimitError(
                f"The query is nested {depth} levels deep; at most {MAX_DEPTH} are allowed.",
                hint="Flatten it: A AND (B AND C) is A AND B AND C, and NOT NOT A is A.",
            )
        if size > MAX_TERMS:
            raise QueryLimitError(
                f"The query has {size} terms; at most {MAX_TERMS} are allowed.",
                hint="Join related words into one term: a term can be a phrase or a sentence.",
            )
        for name, value in (("children", children), ("depth", depth), ("size", size)):
            object.__setattr__(self, name, value)


@final
@dataclass(frozen=True, slots=True)
class Term(LogicalQuery):
    """A text to be scored against documents: a word, a phrase, a sentence.

    Attributes:
        text: Any valid Unicode text that is more than white space.
        span: Its place in the parsed text, or None; never compared.
    """

    text: str
    span: Span | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        self._measure()
        if not isinstance(self.text, str) or not self.text.strip():
            raise InvalidArgumentError(
                f"A term needs text, got {short_repr(self.text)}.", hint="Give the term at least one visible character."
            )
        checked_text(self.text, "A term")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Condition(LogicalQuery):
    """A condition on a document's metadata, true or false.

    Every condition on a missing field is false, ``!=`` and ``not in`` included, and its NOT is true. None and NaN count
    as missing. See :func:`~logical_retriever.query.holds` for each operator.

    Attributes:
        field: Name of the field in the store's metadata.
        operator: One of :data:`Operator`.
        value: A text, number, truth value, date or time; a tuple of them for "in" and "not in", None for "exists".
            A time with a zone becomes one in UTC; a time without a zone counts as UTC.

    Raises:
        InvalidArgumentError: The name is blank, the operator unknown, or the value of another type.

    Examples:
        >>> print(Condition("year", ">=", 1990) & ~Condition("genres", "contains", "western"))
        [year >= 1990] AND NOT [genres contains "western"]
    """

    field: str
    operator: Operator
    value: Value = None

    def __post_init__(self) -> None:
        self._measure()
        if not isinstance(self.field, str) or not self.field.strip():
            raise InvalidArgumentError(
                f"A condition needs the name of a field, got {short_repr(self.field)}.",
                hint='Name the field as the metadata does: Condition("year", ">=", 1990).',
            )
        checked_text(self.field, "A field")
        check_choice("A condition", "operator", self.operator, Operator)
        object.__setattr__(self, "value", self._checked())

    def _checked(self) -> Value:
        """Return the value as the operator takes it."""
        value = self.value
        if self.operator in ("in", "not in"):
            if not isinstance(value, (tuple, list)) or not 0 < len(value) <= MAX_VALUES:
                raise InvalidArgumentError(
                    f'"{self.operator}" needs a list of one or more values, got {short_repr(value)}.',
                    hint=f'Give a list, of at most {MAX_VALUES:,}: Condition("country", "in", ["France", "Italy"]).',
                )
            return tuple(checked_scalar(element) for element in value)
        if self.operator == "exists":
            if value is None:
                return None
            raise InvalidArgumentError(
                f'"exists" takes no value, got {short_repr(value)}.', hint='Write Condition("year", "exists").'
            )
        scalar = checked_scalar(value)
        if isinstance(scalar, bool) and self.operator in ("<", "<=", ">", ">="):
            raise InvalidArgumentError(
                f'"{self.operator}" has no order of true and false.', hint="Compare them with = or !=."
            )
        return scalar

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Condition) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        # True, 1 and 1.0 are equal in Python, and not the same condition.
        values = cast("tuple[object, ...]", self.value if isinstance(self.value, tuple) else (self.value,))
        return (self.field, self.operator, *((type(value), value) for value in values))


@final
@dataclass(frozen=True, slots=True)
class Not(LogicalQuery):
    """The opposite of its operand.

    Attributes:
        operand: The negated query.
    """

    operand: LogicalQuery
    connective = "NOT"

    def __post_init__(self) -> None:
        self._measure(self.operand)


@dataclass(frozen=True, slots=True)
class _Chain(LogicalQuery):
    """Two or more operands, joined by one operator.

    Attributes:
        operands: Sub-queries, in the order written.
    """

    operands: tuple[LogicalQuery, ...]

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
        self._measure(*self.operands)


@final
@dataclass(frozen=True, slots=True)
class And(_Chain):
    """All operands hold: two or more, in the order written."""

    connective = "AND"


@final
@dataclass(frozen=True, slots=True)
class Or(_Chain):
    """At least one operand holds, of two or more, in the order written."""

    connective = "OR"


_KINDS: Final = (Term, Condition, Not, And, Or)


def _flat(kind: type[And | Or], *sides: LogicalQuery) -> tuple[LogicalQuery, ...]:
    """Operands of a chain: a side of the same kind gives its own operands."""
    return tuple(part for side in sides for part in (side.children if isinstance(side, kind) else (side,)))

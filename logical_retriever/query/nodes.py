"""The five nodes of a logical query."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from reprlib import repr as short_repr
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, cast, final

from logical_retriever.errors import InvalidArgumentError, QueryTooDeepError, Span, TooManyTermsError, check_choice
from logical_retriever.query.printer import to_text, to_tree
from logical_retriever.query.values import MAX_VALUES, Value, checked_scalar, checked_text
from logical_retriever.trees import MeasuredTree

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

MAX_TERMS: Final = 64
"""Most terms and conditions a query may have, repetitions counted."""
MAX_DEPTH: Final = 32
"""Most levels a query may have; a term alone has one."""

Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "exists"]
"""How a condition compares a field of metadata with its value."""


class LogicalQuery(MeasuredTree["LogicalQuery"]):
    """Base of :class:`Term`, :class:`Condition`, :class:`Not`, :class:`And` and :class:`Or`.

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

    connective: ClassVar[str]
    """NOT, AND or OR; empty for a term and a condition."""

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
        return self.kept(_terms)

    def conditions(self) -> tuple[Condition, ...]:
        """The distinct conditions, in the order of first occurrence."""
        return self.kept(_conditions)

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
    connective = ""

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
    """A condition on a document's metadata: true or false, whatever the document is about.

    A field that a document does not have, or has None or NaN in, makes every condition on it false, ``!=``, ``not in``
    and ``exists`` among them; a NOT makes that true. See :func:`~logical_retriever.query.holds` for each operator.

    Attributes:
        field: Name of the field, as the store's metadata has it.
        operator: Of :data:`Operator`.
        value: A text, number, true or false, date or time; a tuple of them after "in" and "not in", None after
            "exists". A time with a zone is kept in UTC; one without is taken to be in UTC.
        span: Where it stood in the parsed text, with its brackets, or None; kept, never compared.

    Raises:
        InvalidArgumentError: The field has no name, or the operator is none, or does not compare with the value.

    Examples:
        >>> print(Condition("year", ">=", 1990) & ~Condition("genres", "contains", "western"))
        [year >= 1990] AND NOT [genres contains "western"]
    """

    field: str
    operator: Operator
    value: Value = None
    span: Span | None = dataclasses.field(default=None, repr=False)
    connective = ""

    def __post_init__(self) -> None:
        self._measure()
        if not isinstance(self.field, str) or not self.field.strip():
            raise InvalidArgumentError(
                f"A condition needs the name of a field, got {short_repr(self.field)}.",
                hint='Name the field as the metadata does: Field("year") >= 1990.',
            )
        checked_text(self.field, "A field")
        check_choice("A condition", "operator", self.operator, Operator)
        object.__setattr__(self, "value", self._checked())

    def _checked(self) -> Value:
        """The value, if it is one that the operator compares with."""
        value = self.value
        if self.operator == "exists":
            if value is not None:
                raise InvalidArgumentError(
                    f'"exists" takes no value, got {short_repr(value)}.', hint='Write Field("year").exists().'
                )
            return None
        if self.operator not in ("in", "not in"):
            scalar = checked_scalar(value)
            if isinstance(scalar, bool) and self.operator in ("<", "<=", ">", ">="):
                raise InvalidArgumentError(
                    f'"{self.operator}" has no order of true and false.', hint="Compare them with = or !=."
                )
            return scalar
        if not isinstance(value, (tuple, list)) or not value:
            raise InvalidArgumentError(
                f'"{self.operator}" needs a list of one or more values, got {short_repr(value)}.',
                hint='Give a list: Field("country").in_(["France", "Italy"]).',
            )
        if len(value) > MAX_VALUES:
            raise InvalidArgumentError(
                f"A condition lists at most {MAX_VALUES:,} values, got {len(value):,}.",
                hint="Split the list over several conditions, or give the store a filter of its own.",
            )
        return tuple(checked_scalar(one) for one in value)

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
        span: From the operator to the end of the operand in the parsed text, or None.
    """

    operand: LogicalQuery
    span: Span | None = field(default=None, compare=False, repr=False)
    child_names = ("operand",)
    connective = "NOT"

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

    connective = "AND"


@final
@dataclass(frozen=True, slots=True)
class Or(_Chain):
    """At least one operand holds, of two or more, in the order written."""

    connective = "OR"


_KINDS: Final = {"term": Term, "condition": Condition, "not": Not, "and": And, "or": Or}


def _terms(query: LogicalQuery) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.text for node in query.walk() if isinstance(node, Term)))


def _conditions(query: LogicalQuery) -> tuple[Condition, ...]:
    return tuple(dict.fromkeys(node for node in query.walk() if isinstance(node, Condition)))


def _flat(kind: type[And | Or], *sides: LogicalQuery) -> tuple[LogicalQuery, ...]:
    """Operands of a chain: a side of the same kind gives its own operands."""
    return tuple(part for side in sides for part in (side.children if isinstance(side, kind) else (side,)))


def _check(node: Not | _Chain) -> None:
    """Refuse operands that are no queries, and what is over the bounds.

    Checking at construction is what lets everything that reads a query trust that it is small.
    """
    for child in node.children:
        if not isinstance(child, tuple(_KINDS.values())):
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

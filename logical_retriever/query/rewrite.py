"""Other shapes of the same query, and what can be read off it without scoring.

In two-valued logic every rewrite here keeps the meaning; in fuzzy logic each needs laws that the docstrings name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from logical_retriever.query.nodes import And, LogicalQuery, Not, Or, Term

REMEMBERED = 256
"""Queries whose forms are remembered: each stage of a search asks for them."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A term at one place of a query, and whether it is wanted there.

    Attributes:
        text: The term's text.
        positive: True below an even number of negations, False below an odd number.
    """

    text: str
    positive: bool


@lru_cache(REMEMBERED)
def to_nnf(query: LogicalQuery) -> LogicalQuery:
    """Push negations down to the terms: negation normal form.

    ``NOT (A AND B)`` becomes ``NOT A OR NOT B``, ``NOT (A OR B)`` becomes ``NOT A AND NOT B``, ``NOT NOT A`` becomes
    ``A``. The structure of AND and OR stays as it is otherwise; depth and size never grow.

    The result scores the same only under a semantics whose OR is the dual of its AND under its negation, and for which
    negating twice changes nothing.

    Examples:
        >>> print(to_nnf(~(Term("a") & ~Term("b"))))
        NOT "a" OR "b"
    """
    # Bottom-up each node becomes a function of the polarity it stands in, which only its ancestors know. Building
    # both polarities of every node would be simpler and wrong: the one that is not needed can be over the bounds.
    return query.fold(_in_polarity)(True)


@lru_cache(REMEMBERED)
def flatten(query: LogicalQuery) -> LogicalQuery:
    """Merge nested chains of one operator: ``A AND (B AND C)`` becomes ``A AND B AND C``.

    The result scores the same only under an associative semantics.

    Returns:
        The query with no AND directly below an AND and no OR directly below an OR.

    Examples:
        >>> print(flatten(And((And((Term("a"), Term("b"))), Term("c")))))
        "a" AND "b" AND "c"
    """
    return query.fold(_merged)


def replaced(query: LogicalQuery, leaf: Callable[[LogicalQuery], LogicalQuery | None]) -> LogicalQuery | None:
    """The query with other terms and conditions.

    Args:
        query: The query.
        leaf: What takes the place of a term or condition; None leaves it out, with what has nothing left.

    Returns:
        None where nothing is left.
    """

    def visit(node: LogicalQuery, parts: tuple[LogicalQuery | None, ...]) -> LogicalQuery | None:
        return _rest(node, parts) if parts else leaf(node)

    return query.fold(visit)


def without_exclusions(query: LogicalQuery) -> LogicalQuery | None:
    """The wanted part of a query, whatever it excludes; None for a query that only excludes.

    Examples:
        >>> print(without_exclusions(And((Term("a"), Not(Or((Term("b"), Not(Term("c")))))))))
        "a" AND "c"
    """

    def visit(node: LogicalQuery, parts: tuple[LogicalQuery | None, ...]) -> LogicalQuery | None:
        return None if isinstance(node, Not) else _rest(node, parts) if parts else node

    return to_nnf(query).fold(visit)


@lru_cache(REMEMBERED)
def literals(query: LogicalQuery) -> tuple[Literal, ...]:
    """List every occurrence of a term with its polarity, in the order of the text; conditions are no literals.

    Examples:
        >>> literals(~(Term("a") & ~Term("b")))
        (Literal(text='a', positive=False), Literal(text='b', positive=True))
    """

    def visit(node: LogicalQuery, parts: tuple[tuple[Literal, ...], ...]) -> tuple[Literal, ...]:
        if isinstance(node, Term):
            return (Literal(node.text, positive=True),)
        flip = isinstance(node, Not)
        return tuple(Literal(literal.text, literal.positive is not flip) for part in parts for literal in part)

    return query.fold(visit)


def positive_terms(query: LogicalQuery) -> tuple[str, ...]:
    """Texts that occur below an even number of negations, distinct, in the order of first such occurrence.

    A text can be among the negative terms as well.

    Examples:
        >>> positive_terms(Term("a") & ~(Term("b") & ~Term("c")))
        ('a', 'c')
    """
    return tuple(dict.fromkeys(literal.text for literal in literals(query) if literal.positive))


def negative_terms(query: LogicalQuery) -> tuple[str, ...]:
    """Texts that occur below an odd number of negations, distinct, in the order of first such occurrence.

    Examples:
        >>> negative_terms(Term("a") & ~(Term("b") & ~Term("c")))
        ('b',)
    """
    return tuple(dict.fromkeys(literal.text for literal in literals(query) if not literal.positive))


def has_logic(query: LogicalQuery) -> bool:
    """Whether the query has an operator; a lone term has none and is plain dense search.

    Examples:
        >>> has_logic(Term("a")), has_logic(~Term("a"))
        (False, True)
    """
    return not isinstance(query, Term)


def _in_polarity(
    node: LogicalQuery, parts: tuple[Callable[[bool], LogicalQuery], ...]
) -> Callable[[bool], LogicalQuery]:
    """The normal form of a node, as a function of whether it stands positive."""
    if isinstance(node, Not):
        (operand,) = parts
        return lambda positive: operand(not positive)
    if isinstance(node, (And, Or)):
        kind, dual = (And, Or) if isinstance(node, And) else (Or, And)
        return lambda positive: (kind if positive else dual)(tuple(part(positive) for part in parts))
    return lambda positive: node if positive else Not(node)


def _rest(node: LogicalQuery, parts: tuple[LogicalQuery | None, ...]) -> LogicalQuery | None:
    """A node without the operands that are None; None where all are."""
    left = tuple(part for part in parts if part is not None)
    if len(left) == len(parts) or len(left) > 1:
        return node.rebuilt(left)
    return left[0] if left else None


def _merged(node: LogicalQuery, parts: tuple[LogicalQuery, ...]) -> LogicalQuery:
    if isinstance(node, (And, Or)):
        parts = tuple(inner for part in parts for inner in (part.children if type(part) is type(node) else (part,)))
    return node.rebuilt(parts)

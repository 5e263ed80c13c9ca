"""Other shapes of a query, parts of it, and facts about it.

:func:`to_nnf` and :func:`flatten` keep the meaning in two-valued logic. In fuzzy logic each needs the laws that its
docstring names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query._nodes import And, Condition, LogicalQuery, Not, Or, Term

REMEMBERED = 256
"""Queries whose forms are remembered: each stage of a search asks for them."""


@dataclass(frozen=True, slots=True)
class Literal:
    """One occurrence of a term in a query, wanted or not.

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
    ``A``. Otherwise AND and OR stay as they are; depth and size never grow.

    Scores stay the same only under a semantics with a dual pair of AND and OR and an involutive negation.

    Examples:
        >>> print(to_nnf(~(Term("a") & ~Term("b"))))
        NOT "a" OR "b"
    """
    # Only the ancestors of a node know its polarity, so bottom-up each node becomes a function of it. Building both
    # polarities of every node would be simpler and wrong: the useless one can be over the limits.
    return query.fold(_in_polarity)(True)


@lru_cache(REMEMBERED)
def flatten(query: LogicalQuery) -> LogicalQuery:
    """Merge nested chains of one operator: ``A AND (B AND C)`` becomes ``A AND B AND C``.

    Scores stay the same only under an associative semantics.

    Returns:
        The query with no AND directly below an AND and no OR directly below an OR.

    Examples:
        >>> print(flatten(And((And((Term("a"), Term("b"))), Term("c")))))
        "a" AND "b" AND "c"
    """
    return query.fold(_merged)


def without_exclusions(query: LogicalQuery) -> LogicalQuery | None:
    """Return the wanted part of a query; None for a query of exclusions alone.

    Examples:
        >>> print(without_exclusions(And((Term("a"), Not(Or((Term("b"), Not(Term("c")))))))))
        "a" AND "c"
    """
    return _kept(to_nnf(query), lambda node: not isinstance(node, Not))


@lru_cache(REMEMBERED)
def literals(query: LogicalQuery) -> tuple[Literal, ...]:
    """List the terms of a query with their polarity: every occurrence, in the order of the text.

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
    """List the distinct texts below an even number of negations, in the order of first such occurrence.

    A text can be among the negative terms as well.

    Examples:
        >>> positive_terms(Term("a") & ~(Term("b") & ~Term("c")))
        ('a', 'c')
    """
    return tuple(dict.fromkeys(literal.text for literal in literals(query) if literal.positive))


def negative_terms(query: LogicalQuery) -> tuple[str, ...]:
    """List the distinct texts below an odd number of negations, in the order of first such occurrence.

    Examples:
        >>> negative_terms(Term("a") & ~(Term("b") & ~Term("c")))
        ('b',)
    """
    return tuple(dict.fromkeys(literal.text for literal in literals(query) if not literal.positive))


def has_logic(query: LogicalQuery) -> bool:
    """Tell whether a query has an operator or a condition; a lone term is plain dense search.

    Examples:
        >>> has_logic(Term("a")), has_logic(~Term("a"))
        (False, True)
    """
    return not isinstance(query, Term)


def necessary_condition(query: LogicalQuery) -> LogicalQuery | None:
    """Return the strongest condition on every answer, or None.

    The result is in negation normal form and has no terms; each of its :func:`conjuncts` must hold.

    Examples:
        >>> from logical_retriever.query import parse
        >>> print(necessary_condition(parse('"grief" AND [year >= 1990] AND NOT ([country = "Iran"] OR "war")')))
        [year >= 1990] AND NOT [country = "Iran"]
        >>> print(necessary_condition(parse('"grief" AND [year < 1950] OR "war" AND [year > 2000]')))
        [year < 1950] OR [year > 2000]
        >>> necessary_condition(parse('"grief" OR [year > 2000]'))
    """

    def visit(node: LogicalQuery, parts: tuple[LogicalQuery | None, ...]) -> LogicalQuery | None:
        if isinstance(node, And):
            return all_of(parts)
        if isinstance(node, Term) or None in parts:
            return None  # any document may fulfil it
        return _joined(Or, parts) if isinstance(node, Or) else node

    return to_nnf(query).fold(visit)


def refuse_conditions(query: LogicalQuery, what: str) -> None:
    """Reject a query with conditions, where only terms have a meaning.

    Args:
        query: The query.
        what: What reads terms alone, as the subject of a sentence.

    Raises:
        InvalidArgumentError: The query has a condition.
    """
    if conditions := query.conditions():
        raise InvalidArgumentError(
            f"{what} knows terms alone, and the query has the condition {conditions[0]}.",
            hint="Search through LogicalRetriever, or leave conditions out with query.without_conditions.",
        )


def all_of(queries: Iterable[LogicalQuery | None]) -> LogicalQuery | None:
    """Join queries by AND, each once, skipping None; return None for no queries."""
    return _joined(And, (part for query in queries if query is not None for part in conjuncts(query)))


def conjuncts(query: LogicalQuery) -> tuple[LogicalQuery, ...]:
    """Return the operands of an AND, nested ones flattened; any other query alone."""
    if isinstance(query, And):
        return tuple(part for operand in query.operands for part in conjuncts(operand))
    return (query,)


def contradiction(query: LogicalQuery) -> str | None:
    """Return a term that every answer must be about and must not be about; None if there is none.

    Examples:
        >>> contradiction(Term("soup") & ~Term("Soup"))
        'Soup'
    """
    parts = conjuncts(to_nnf(query))
    wanted = {part.text.casefold() for part in parts if isinstance(part, Term)}
    excluded = (part.operand for part in parts if isinstance(part, Not) and isinstance(part.operand, Term))
    return next((term.text for term in excluded if term.text.casefold() in wanted), None)


def without_conditions(query: LogicalQuery) -> LogicalQuery | None:
    """Leave out the conditions of a query; return None if nothing is left."""
    return _kept(query, lambda node: not isinstance(node, Condition))


def _in_polarity(
    node: LogicalQuery, parts: tuple[Callable[[bool], LogicalQuery], ...]
) -> Callable[[bool], LogicalQuery]:
    """Return the normal form of a node as a function of its polarity."""
    if isinstance(node, Not):
        return lambda positive: parts[0](not positive)
    if isinstance(node, (And, Or)):
        kind, dual = (And, Or) if isinstance(node, And) else (Or, And)
        return lambda positive: (kind if positive else dual)(tuple(part(positive) for part in parts))
    return lambda positive: node if positive else Not(node)


def _kept(query: LogicalQuery, keeps: Callable[[LogicalQuery], bool]) -> LogicalQuery | None:
    """Leave out the nodes that ``keeps`` rejects, and chains and NOTs without operands; None if nothing is left."""

    def visit(node: LogicalQuery, parts: tuple[LogicalQuery | None, ...]) -> LogicalQuery | None:
        left = tuple(part for part in parts if part is not None)
        if not keeps(node) or (parts and not left):
            return None
        return left[0] if len(left) == 1 < len(parts) else node.rebuilt(left)

    return query.fold(visit)


def _merged(node: LogicalQuery, parts: tuple[LogicalQuery, ...]) -> LogicalQuery:
    if isinstance(node, (And, Or)):
        parts = tuple(inner for part in parts for inner in (part.children if type(part) is type(node) else (part,)))
    return node.rebuilt(parts)


def _joined(kind: type[And | Or], queries: Iterable[LogicalQuery | None]) -> LogicalQuery | None:
    """Join queries, each once, skipping None; return None for no queries."""
    distinct = tuple(dict.fromkeys(query for query in queries if query is not None))
    return None if not distinct else distinct[0] if len(distinct) == 1 else kind(distinct)

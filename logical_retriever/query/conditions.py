"""The conditions of a query: the one that every answer must fulfil, and the query without them."""

from __future__ import annotations

from collections.abc import Iterable

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query.nodes import And, Condition, LogicalQuery, Or, Term
from logical_retriever.query.rewrite import to_nnf


def necessary_condition(query: LogicalQuery) -> LogicalQuery | None:
    """The strongest condition that every answer must fulfil, whatever it is about; None where there is none.

    It has conditions alone, negations right before them, and no AND within an AND, so that :func:`conjuncts` gives the
    parts of which each must hold.

    Examples:
        >>> from logical_retriever.query import parse
        >>> print(necessary_condition(parse('"grief" AND [year >= 1990] AND NOT ([country = "Iran"] OR "war")')))
        [year >= 1990] AND NOT [country = "Iran"]
        >>> print(necessary_condition(parse('"grief" AND [year < 1950] OR "war" AND [year > 2000]')))
        [year < 1950] OR [year > 2000]
        >>> necessary_condition(parse('"grief" OR [year > 2000]'))
    """

    def visit(node: LogicalQuery, parts: tuple[LogicalQuery | None, ...]) -> LogicalQuery | None:
        wanted = tuple(part for part in parts if part is not None)
        if isinstance(node, And):
            return all_of(wanted)
        if isinstance(node, Term) or len(wanted) < len(parts):
            return None  # may be true of any document
        if isinstance(node, Or):
            distinct = tuple(dict.fromkeys(wanted))
            return distinct[0] if len(distinct) == 1 else Or(distinct)
        return node

    return to_nnf(query).fold(visit)


def refuse_conditions(query: LogicalQuery, what: str) -> None:
    """Refuse a query with conditions where only terms have a meaning.

    Args:
        query: The query.
        what: What has no meaning for conditions, as the subject of a sentence.

    Raises:
        InvalidArgumentError: It has conditions.
    """
    if asked := query.conditions():
        raise InvalidArgumentError(
            f"{what} knows terms alone, and the query has the condition {asked[0]}.",
            hint="Search through LogicalRetriever, or leave conditions out with query.conditions.without_conditions.",
        )


def all_of(queries: Iterable[LogicalQuery]) -> LogicalQuery | None:
    """The queries joined by AND, each once; None for none."""
    distinct = tuple(dict.fromkeys(part for query in queries for part in conjuncts(query)))
    return None if not distinct else distinct[0] if len(distinct) == 1 else And(distinct)


def conjuncts(query: LogicalQuery) -> tuple[LogicalQuery, ...]:
    """The operands of an AND, and in place of one that is an AND, its own; of anything else itself."""
    if isinstance(query, And):
        return tuple(part for operand in query.operands for part in conjuncts(operand))
    return (query,)


def without_conditions(query: LogicalQuery) -> LogicalQuery | None:
    """The query with its conditions left out, whatever they stand under; None where nothing is left."""

    def visit(node: LogicalQuery, parts: tuple[LogicalQuery | None, ...]) -> LogicalQuery | None:
        if isinstance(node, Condition):
            return None
        left = tuple(part for part in parts if part is not None)
        if len(left) == len(node.children):
            return node if left == node.children else node.rebuilt(left)
        return None if not left else left[0] if len(left) == 1 else node.rebuilt(left)

    return query.fold(visit)

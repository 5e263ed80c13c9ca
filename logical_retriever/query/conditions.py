"""The conditions of a query: the one that every answer must fulfil, and the query without them."""

from __future__ import annotations

from collections.abc import Iterable

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query.nodes import And, Condition, LogicalQuery, Or, Term
from logical_retriever.query.rewrite import replaced, to_nnf


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
        if isinstance(node, And):
            return all_of(parts)
        if isinstance(node, Term) or None in parts:
            return None  # may be true of any document
        return _joined(Or, parts) if isinstance(node, Or) else node

    return to_nnf(query).fold(visit)


def refuse_conditions(query: LogicalQuery, what: str) -> None:
    """Refuse a query with conditions where only terms have a meaning.

    Args:
        query: The query.
        what: What has no meaning for conditions, as the subject of a sentence.

    Raises:
        InvalidArgumentError: It has conditions.
    """
    if conditions := query.conditions():
        raise InvalidArgumentError(
            f"{what} knows terms alone, and the query has the condition {conditions[0]}.",
            hint="Search through LogicalRetriever, or leave conditions out with query.conditions.without_conditions.",
        )


def all_of(queries: Iterable[LogicalQuery | None]) -> LogicalQuery | None:
    """The queries joined by AND, each once and without None; None for none."""
    return _joined(And, (part for query in queries if query is not None for part in conjuncts(query)))


def conjuncts(query: LogicalQuery) -> tuple[LogicalQuery, ...]:
    """The operands of an AND, and in place of one that is an AND, its own; of anything else itself."""
    if isinstance(query, And):
        return tuple(part for operand in query.operands for part in conjuncts(operand))
    return (query,)


def without_conditions(query: LogicalQuery) -> LogicalQuery | None:
    """The query with its conditions left out, whatever they stand under; None where nothing is left."""
    return replaced(query, lambda leaf: None if isinstance(leaf, Condition) else leaf)


def _joined(kind: type[And | Or], queries: Iterable[LogicalQuery | None]) -> LogicalQuery | None:
    """The queries joined, each once and without None; None for none."""
    distinct = tuple(dict.fromkeys(query for query in queries if query is not None))
    return None if not distinct else distinct[0] if len(distinct) == 1 else kind(distinct)

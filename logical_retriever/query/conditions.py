"""A query in parts: the conditions that every answer must fulfil, and what is left to be scored.

What a document's metadata says is true or false, so that for one document a query with conditions is a query without:
a true condition is no part of an AND and fulfils an OR, a false one makes an AND impossible and is no part of an OR.
This needs no law of any semantics, and none has to know conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from logical_retriever.errors import InvalidArgumentError, QueryLimitError
from logical_retriever.query.nodes import And, Condition, LogicalQuery, Not, Or, Term
from logical_retriever.query.rewrite import replaced, to_nnf

MAX_KINDS: Final = 32
"""Most kinds of documents that the conditions of a query may tell apart."""

_Simplified: TypeAlias = "LogicalQuery | bool"
"""A query, or its value where nothing of it is left."""


@dataclass(frozen=True)
class Kind:
    """Documents for which a query leaves the same to be scored.

    Attributes:
        condition: Holds of them and of no others; None where that is every document.
        query: Without conditions: what they are scored by; None where there is nothing.
        fulfilled: Whether their metadata alone fulfils the query; ``query`` then only orders them.
    """

    condition: LogicalQuery | None
    query: LogicalQuery | None
    fulfilled: bool = False


@dataclass(frozen=True)
class Parts:
    """A query in two parts.

    Attributes:
        necessary: The strongest condition that every answer must fulfil; None where there is none.
        kinds: What is left to be scored, for each kind of the documents that fulfil it; one where all conditions of
            the query are necessary.
        scored: What is left, with no condition in it: the query as it would be without them; None for nothing.
    """

    necessary: LogicalQuery | None
    kinds: tuple[Kind, ...]
    scored: LogicalQuery | None


def in_parts(query: LogicalQuery) -> Parts:
    """Take the conditions out of a query.

    Raises:
        QueryLimitError: Conditions under OR tell more than :data:`MAX_KINDS` kinds of documents apart.

    Examples:
        >>> from logical_retriever.query import parse
        >>> parts = in_parts(parse('"grief" AND [year >= 1990] AND NOT ([country = "Iran"] OR "war")'))
        >>> print(parts.necessary)
        [year >= 1990] AND NOT [country = "Iran"]
        >>> print(parts.kinds[0].query)
        "grief" AND NOT "war"
        >>> for kind in in_parts(parse('"grief" AND [year < 1950] OR "war" AND [year > 2000]')).kinds:
        ...     print(kind.condition, "->", kind.query)
        [year < 1950] AND [year > 2000] -> "grief" OR "war"
        [year < 1950] AND NOT [year > 2000] -> "grief"
        NOT [year < 1950] AND [year > 2000] -> "war"
    """
    taken, rest = _stripped(query, positive=True)
    left = necessary_condition(rest) if isinstance(rest, LogicalQuery) else None
    necessary = all_of((*taken, left))
    scored = without_conditions(rest) if isinstance(rest, LogicalQuery) else None
    return Parts(necessary, tuple(_kinds(rest, scored, taken)), scored)


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
    if asked := query.conditions():
        raise InvalidArgumentError(
            f"{what} knows terms alone, and the query has the condition {asked[0]}.",
            hint="Search through LogicalRetriever, or take the query apart with query.conditions.in_parts.",
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


def _kinds(rest: _Simplified, scored: LogicalQuery | None, taken: tuple[LogicalQuery, ...]) -> list[Kind]:
    """Kinds of documents, each with what it leaves of the rest; those of which nothing can be an answer left out.

    Args:
        rest: What is left when the conditions in ``taken`` hold.
        scored: The same with no condition in it.
        taken: Conditions of all kinds.
    """
    kinds: dict[_Simplified, list[LogicalQuery | None]] = {}
    for number, (query, guards) in enumerate(case for case in _cases(rest) if case[0] is not False):
        if number == MAX_KINDS:
            raise QueryLimitError(
                f"The conditions under OR tell more than {MAX_KINDS} kinds of documents apart.",
                hint="Ask for alternatives one by one, or join conditions on one field: [country in [...]].",
            )
        kinds.setdefault(query, []).append(_joined(And, guards))
    return [
        Kind(
            condition=all_of((*taken, _joined(Or, guards))),
            query=query if isinstance(query, LogicalQuery) else scored,
            fulfilled=query is True,
        )
        for query, guards in kinds.items()
    ]


def _cases(
    query: _Simplified, guards: tuple[LogicalQuery, ...] = ()
) -> Iterator[tuple[_Simplified, tuple[LogicalQuery, ...]]]:
    """For each way in which the conditions of a query can turn out: the rest of it, and what holds then."""
    conditions = query.conditions() if isinstance(query, LogicalQuery) else ()
    if not conditions:
        yield query, guards
        return
    for truth, guard in ((True, conditions[0]), (False, Not(conditions[0]))):
        yield from _cases(_with(query, {conditions[0]: truth}), (*guards, guard))


def _joined(kind: type[And | Or], queries: Iterable[LogicalQuery | None]) -> LogicalQuery | None:
    """The queries joined, each once and without None; None for none."""
    distinct = tuple(dict.fromkeys(query for query in queries if query is not None))
    return None if not distinct else distinct[0] if len(distinct) == 1 else kind(distinct)


def _stripped(query: LogicalQuery, *, positive: bool) -> tuple[tuple[LogicalQuery, ...], _Simplified]:
    """The sub-queries of conditions alone that must hold (or must not), and the query without them."""
    if not query.conditions():
        return (), query
    if not query.terms():
        return (query if positive else Not(query),), positive
    if isinstance(query, Not):
        taken, rest = _stripped(query.operand, positive=not positive)
        return taken, _simplified(query, (rest,))
    if isinstance(query, And if positive else Or):
        parts = [_stripped(child, positive=positive) for child in query.children]
        return tuple(one for taken, _ in parts for one in taken), _simplified(query, tuple(rest for _, rest in parts))
    return (), query


def _with(query: _Simplified, known: Mapping[LogicalQuery, bool]) -> _Simplified:
    """The query where some conditions are known."""

    def visit(node: LogicalQuery, parts: tuple[_Simplified, ...]) -> _Simplified:
        return known.get(node, node) if isinstance(node, (Term, Condition)) else _simplified(node, parts)

    return query.fold(visit) if isinstance(query, LogicalQuery) else query


def _simplified(node: LogicalQuery, parts: tuple[_Simplified, ...]) -> _Simplified:
    """A node whose operands are queries, or known to be true or false."""
    if isinstance(node, Not):
        return not parts[0] if isinstance(parts[0], bool) else Not(parts[0], node.span)
    deciding = isinstance(node, Or)  # the value of one operand that decides
    if any(part is deciding for part in parts):
        return deciding
    left = tuple(part for part in parts if isinstance(part, LogicalQuery))
    if len(left) < 2:
        return left[0] if left else not deciding
    return node if left == node.children else node.rebuilt(left)

"""Our own logical queries as first-order logic, so that a question needs no second call of a language model."""

from __future__ import annotations

import asyncio
import re
from typing import Final

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lab.nsir.base import Translation
from logical_retriever.lab.nsir.fol import (
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    Predicate,
    Variable,
    is_predicate_name,
)
from logical_retriever.query import And, LogicalQuery, Not, Term
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.transform import QueryTransformer

WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""A word: letters and digits, with apostrophes inside."""
_SOUGHT: Final = Variable("x")


def from_query(query: LogicalQuery) -> Formula:
    """A logical query as a formula about the passage x that is sought.

    Each term becomes one predicate of x, named by its words; AND, OR and NOT become ∧, ∨ and ¬, with the same
    structure, so that every NOT is kept. A negation inside a term's text stays in the name, as words.

    Examples:
        >>> from logical_retriever.query import parse
        >>> print(from_query(parse('"vitamin D" AND NOT ("bone health" OR "who should not take it")')))
        vitamin_D(x) ∧ ¬(bone_health(x) ∨ who_should_not_take_it(x))
    """
    if not isinstance(query, LogicalQuery):
        raise InvalidArgumentError(
            f"from_query takes a logical query, got {type(query).__name__}.", hint='Use parse(...) or Term("...").'
        )
    refuse_conditions(query, "NS-IR")
    return query.fold(_converted)


def predicate_name(text: str) -> str:
    """A name for the predicate that a text stands for: its words, joined by underscores.

    Examples:
        >>> predicate_name("the 1990 World Cup"), predicate_name("x"), predicate_name("???")
        ('the_1990_World_Cup', '_x', 'unnamed')
    """
    name = "_".join(word.replace("'", "").replace("’", "") for word in WORD.findall(text))
    if not name:
        return "unnamed"
    return name if is_predicate_name(name) else f"_{name}"


class QueryFormulas:
    """Questions as first-order logic by way of a logical query: whatever makes that query, a model or cue rules.

    Args:
        transformer: Makes the logical query.

    Raises:
        InvalidArgumentError: It is no transformer.
    """

    def __init__(self, transformer: QueryTransformer) -> None:
        if isinstance(transformer, type) or not isinstance(transformer, QueryTransformer):
            raise InvalidArgumentError(
                f"transformer is {transformer!r}.", hint="Give a query transformer, as CueQueryTransformer()."
            )
        self._transformer = transformer

    def question(self, text: str) -> Translation:
        """The formula of a question's logical query.

        Raises:
            EmptyQuestionError: The question has no visible character.
            TransformError: The transformer failed, and its policy is to raise.
        """
        made = self._transformer.transform(text)
        return Translation(text, (from_query(made.query),), "query", answers=made.answers, cached=made.cached)

    async def aquestion(self, text: str) -> Translation:
        """Asynchronous twin of :meth:`question`."""
        made = await self._transformer.atransform(text)
        formula = await asyncio.to_thread(from_query, made.query)
        return Translation(text, (formula,), "query", answers=made.answers, cached=made.cached)


def _converted(node: LogicalQuery, parts: tuple[Formula, ...]) -> Formula:
    if isinstance(node, Term):
        return Predicate(predicate_name(node.text), (_SOUGHT,))
    if isinstance(node, Not):
        return Negation(parts[0])
    return Conjunction(parts) if isinstance(node, And) else Disjunction(parts)

"""The logical queries of n terms joined by AND and OR, with or without NOT: 32 of three terms (papers: ITLR, 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import And, LogicalQuery, Not, Or, Term

Operator = Literal["AND", "OR"]
OPERATORS: Final[tuple[Operator, ...]] = ("AND", "OR")


@dataclass(frozen=True)
class QueryTemplate:
    """A query with placeholders for its terms.

    Attributes:
        negated: For each of the n terms, whether a NOT stands before it.
        operators: The n - 1 operators between the terms; AND binds tighter than OR, there are no parentheses.
    """

    negated: tuple[bool, ...]
    operators: tuple[Operator, ...]

    @property
    def negations(self) -> int:
        """Number of negated terms."""
        return sum(self.negated)

    @property
    def shape(self) -> str:
        """The operators alone, such as "AND OR"; four for three terms."""
        return " ".join(self.operators)

    def fill(self, terms: Sequence[str]) -> LogicalQuery:
        """The query with these n terms.

        Raises:
            InvalidArgumentError: There are more or fewer terms than placeholders.
        """
        if len(terms) != len(self.negated):
            raise InvalidArgumentError(
                f"The template {self} has {len(self.negated)} placeholders, got {len(terms)} terms.",
                hint="Give one term per placeholder.",
            )
        literals = [Not(Term(t)) if no else Term(t) for no, t in zip(self.negated, terms, strict=True)]
        groups: list[list[LogicalQuery]] = [[literals[0]]]
        for operator, literal in zip(self.operators, literals[1:], strict=True):
            if operator == "AND":
                groups[-1].append(literal)
            else:
                groups.append([literal])
        parts = [group[0] if len(group) == 1 else And(tuple(group)) for group in groups]
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def __str__(self) -> str:
        names = [f"{'NOT ' if no else ''}t{number}" for number, no in enumerate(self.negated, start=1)]
        return " ".join([names[0], *(f"{op} {name}" for op, name in zip(self.operators, names[1:], strict=True))])


def query_templates(terms: int = 3) -> tuple[QueryTemplate, ...]:
    """All templates of n terms: 2^n choices of NOT times 2^(n-1) of the operators.

    Args:
        terms: n, at least 1.

    Returns:
        The templates: operators vary slowest (AND before OR), then the negations, the last term's fastest.

    Raises:
        InvalidArgumentError: n is below 1.

    Examples:
        >>> len(query_templates(3))
        32
        >>> print(query_templates(3)[9])
        t1 AND t2 OR NOT t3
    """
    if terms < 1:
        raise InvalidArgumentError(f"A template needs at least one term, got {terms}.", hint="Give 1 or more.")
    return tuple(
        QueryTemplate(negated, operators)
        for operators in product(OPERATORS, repeat=terms - 1)
        for negated in product((False, True), repeat=terms)
    )

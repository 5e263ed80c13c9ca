"""The logical queries of three terms joined by AND and OR, with or without NOT (papers: ITLR, 3.1).

And which documents such a query wants, and which near ones it does not, as rows of its truth table (appendix H).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

from logical_retriever.query import And, LogicalQuery, Not, Or, Term

Operator = Literal["AND", "OR"]

Conjunct = frozenset[tuple[str, bool]]
"""Terms with the truth each must have; one disjunct of a disjunctive normal form."""

_Forms = tuple[tuple[Conjunct, ...], tuple[Conjunct, ...]]


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
        """Return the query with these n terms."""
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


def query_templates() -> tuple[QueryTemplate, ...]:
    """Return all 32 templates of three terms: eight choices of NOT times four of the operators.

    Returns:
        The templates: operators vary slowest (AND before OR), then the negations, the last term's fastest.

    Examples:
        >>> len(query_templates())
        32
        >>> print(query_templates()[9])
        t1 AND t2 OR NOT t3
    """
    return tuple(
        QueryTemplate(negated, operators)
        for operators in product(get_args(Operator), repeat=2)
        for negated in product((False, True), repeat=3)
    )


@dataclass(frozen=True)
class Condition:
    """One row of a truth table: what a document is about, and what it is not about.

    Attributes:
        about: Terms the document is about, in the query's order.
        not_about: The query's other terms.
    """

    about: tuple[str, ...]
    not_about: tuple[str, ...]


def condition_of(about: Iterable[str], terms: Sequence[str]) -> Condition:
    """Return the row of a document about these of the terms."""
    chosen = set(about)
    return Condition(tuple(t for t in terms if t in chosen), tuple(t for t in terms if t not in chosen))


def satisfies(query: LogicalQuery, about: Iterable[str]) -> bool:
    """Tell whether a document about these terms, and no others, satisfies the query (two-valued logic)."""
    chosen = set(about)

    def truth(node: LogicalQuery, values: tuple[bool, ...]) -> bool:
        if isinstance(node, Term):
            return node.text in chosen
        if isinstance(node, Not):
            return not values[0]
        return all(values) if isinstance(node, And) else any(values)

    return query.fold(truth)


def disjuncts(query: LogicalQuery) -> tuple[Conjunct, ...]:
    """Compute the disjunctive normal form, without contradictory and absorbed disjuncts.

    Examples:
        >>> from logical_retriever.query import parse
        >>> [sorted(d) for d in disjuncts(parse('("mouse" OR "dog") AND NOT "cat"'))]
        [[('cat', False), ('mouse', True)], [('cat', False), ('dog', True)]]
    """

    def forms(node: LogicalQuery, values: tuple[_Forms, ...]) -> _Forms:
        """Return the normal forms of a node and of its negation."""
        if isinstance(node, Term):
            return (frozenset({(node.text, True)}),), (frozenset({(node.text, False)}),)
        if isinstance(node, Not):
            return values[0][1], values[0][0]
        holds, fails = [value[0] for value in values], [value[1] for value in values]
        if isinstance(node, Or):
            return _any(holds), _all(fails)
        return _all(holds), _any(fails)

    return query.fold(forms)[0]


def negated_terms(query: LogicalQuery) -> frozenset[str]:
    """Return the terms whose absence the query can ask for: negative somewhere in its disjunctive normal form."""
    return frozenset(term for disjunct in disjuncts(query) for term, wanted in disjunct if not wanted)


def positive_conditions(query: LogicalQuery) -> tuple[Condition, ...]:
    """Choose rows of the truth table that satisfy the query.

    First one row for each disjunct of the normal form, such that it satisfies that disjunct alone where possible
    (a document that fits through one door tests that door); then the other rows. Rows that satisfy fewer disjuncts
    and are about fewer terms come first.

    Args:
        query: A query of few terms: the table has 2^n rows.

    Returns:
        The rows, at most three as in the paper; none if the query is a contradiction.
    """
    terms, parts = query.terms(), disjuncts(query)
    rows = [
        condition_of([t for t, chosen in zip(terms, row, strict=True) if chosen], terms)
        for row in product((True, False), repeat=len(terms))
    ]
    fits = {row: [part for part in parts if _fits(row, part)] for row in rows}
    ordered = sorted((row for row in rows if fits[row]), key=lambda row: (len(fits[row]), len(row.about)))
    first = [next(row for row in ordered if part in fits[row]) for part in parts]
    return tuple(dict.fromkeys([*first, *ordered]))[:3]


def hard_negatives(query: LogicalQuery, positives: Sequence[Condition]) -> tuple[Condition, ...]:
    """Choose rows that fail the query and differ from a positive row in one term.

    Args:
        query: The query.
        positives: Rows that satisfy it.

    Returns:
        At most three distinct rows, as in the paper, taken from the positive rows in turn.
    """
    terms = query.terms()
    flips = [
        [row for term in terms if not satisfies(query, (row := condition_of({*positive.about} ^ {term}, terms)).about)]
        for positive in positives
    ]
    turns = max((len(rows) for rows in flips), default=0)
    return tuple(dict.fromkeys(rows[turn] for turn in range(turns) for rows in flips if turn < len(rows)))[:3]


def _fits(row: Condition, part: Conjunct) -> bool:
    return all((term in row.about) == wanted for term, wanted in part)


def _any(forms: Sequence[tuple[Conjunct, ...]]) -> tuple[Conjunct, ...]:
    return _absorbed([part for form in forms for part in form])


def _all(forms: Sequence[tuple[Conjunct, ...]]) -> tuple[Conjunct, ...]:
    joined: tuple[Conjunct, ...] = (frozenset(),)
    for form in forms:
        pairs = [left | right for left in joined for right in form]
        joined = _absorbed([part for part in pairs if not any((term, not wanted) in part for term, wanted in part)])
    return joined


def _absorbed(parts: Sequence[Conjunct]) -> tuple[Conjunct, ...]:
    """Remove repetitions, and disjuncts that a shorter one implies."""
    distinct = tuple(dict.fromkeys(parts))
    return tuple(part for part in distinct if not any(other < part for other in distinct))

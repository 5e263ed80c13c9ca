"""How high a score can get when of each cosine only an interval is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import And, LogicalQuery, Not, Or, Term, negative_terms
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.semantics.evidence import Array, BagOfWords, Evidence, NullDistributions

NEGATED = " [negated]"
"""Added to the name of a text where the text stands negated."""

Interval = tuple[Array, Array]
"""Least and greatest value, shape (N,) each."""


def polarities_apart(query: LogicalQuery) -> tuple[LogicalQuery, Mapping[str, str]]:
    """Rename every term where it stands negated, so that no text occurs in both polarities.

    The tree stays as it is: this needs no law of any semantics. Where the renamed rows equal the original ones, the
    renamed query scores as the original does.

    Returns:
        The renamed query, and the original text of each new name.

    Examples:
        >>> renamed, originals = polarities_apart(Term("a") & ~(Term("a") & Term("b")))
        >>> print(renamed)
        "a" AND NOT ("a [negated]" AND "b [negated]")
        >>> originals
        {'a [negated]': 'a', 'b [negated]': 'b'}
    """
    return query.kept(_renamed)


def _renamed(query: LogicalQuery) -> tuple[LogicalQuery, Mapping[str, str]]:
    refuse_conditions(query, "A semantics")
    names: dict[str, str] = {}
    taken = set(query.terms())
    for text in negative_terms(query):
        name = text + NEGATED
        while name in taken:
            name += NEGATED
        taken.add(name)
        names[text] = name

    def visit(node: LogicalQuery, parts: tuple[Callable[[bool], LogicalQuery], ...]) -> Callable[[bool], LogicalQuery]:
        match node:
            case Not():
                return lambda positive: Not(parts[0](not positive), node.span)
            case And() | Or():
                return lambda positive: type(node)(tuple(part(positive) for part in parts), node.span)
            case Term():
                return lambda positive: node if positive else Term(names[node.text], node.span)
            case _:
                raise TypeError(type(node))

    return query.fold(visit)(True), {name: text for text, name in names.items()}


def original_bag(bag: BagOfWords, originals: Mapping[str, str]) -> BagOfWords:
    """A bag of words of the renamed query as the query itself has it."""
    without, keeping = (tuple(originals.get(text, text) for text in texts) for texts in (bag.without, bag.keeping))
    return BagOfWords(originals.get(bag.text, bag.text), without, keeping)


def extreme_evidence(
    texts: tuple[str, ...],
    bags: tuple[BagOfWords, ...],
    originals: Mapping[str, str],
    low: Evidence,
    high: Evidence,
) -> Evidence:
    """Evidence that a monotone semantics scores highest: the least for negated texts, the greatest for all others.

    ``texts`` and ``bags`` are those of the renamed query, ``originals`` has the original text of each renamed one.
    Where the evidence has no words, they are left out of account.

    Raises:
        SemanticsError: The semantics reads a text made of negated terms, whose direction is unknown.
    """
    rows, positions = [], []
    for text in texts:
        if text not in originals and text not in high.texts:
            raise SemanticsError(
                f"No bound is known for the text {text!r}, which is made of negated terms.",
                hint="Override Semantics.upper_bounds, or let Semantics.bounded be False.",
            )
        source, original = (low, originals[text]) if text in originals else (high, text)
        positions.append(source.row(original))
        rows.append(source.cosines[positions[-1]])
    nulls = high.nulls
    chosen = NullDistributions(nulls.means[positions], nulls.deviations[positions]) if nulls is not None else None
    lexical = {bag: (low if bag.text in originals else high).lexical.get(original_bag(bag, originals)) for bag in bags}
    known = {bag: values for bag, values in lexical.items() if values is not None}
    return Evidence(texts, np.array(rows), chosen, known, high.question)


def widest(operator: Callable[[Array, Array], Array], x: Interval, y: Interval) -> Interval:
    """Interval of an operator's values over two intervals: its extremes lie at the corners.

    True for every operator that is monotone in each operand while the other is held, even where the direction
    changes with the other: t-norms and t-conorms, minimum and maximum, sums, and products of any sign.
    """
    corners = np.array([operator(a, b) for a, b in product(x, y)])
    return corners.min(axis=0), corners.max(axis=0)

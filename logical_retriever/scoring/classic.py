"""Fuzzy logics for study: functions of truth values, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce
from typing import Any

import numpy as np

from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.scoring.base import Semantics
from logical_retriever.scoring.evidence import Array, Evidence

TruthMap = Callable[[Any], Array]
"""Maps cosines, shape (T, N) in [-1, 1], to values of the same shape, non-decreasing in each."""
Operator = Callable[[Array, Array], Array]
"""Value of two operands, shape (N,) each."""


def raw(cosines: Array) -> Array:
    """Return cosines as they are, in [-1, 1]: what the ITLR paper composes."""
    return cosines


def clipped(cosines: Array) -> Array:
    """Return ``max(0, s)``, in [0, 1]: an unrelated text is false, not half true."""
    return np.clip(cosines, 0.0, 1.0)


def rescaled(cosines: Array) -> Array:
    """Return cosines moved linearly to [0, 1]: ``(1 + s) / 2``."""
    return (1.0 + np.clip(cosines, -1.0, 1.0)) * 0.5


def complement(x: Array) -> Array:
    """Return the standard negation ``1 - x``."""
    return 1.0 - x


def dual(conjunction: Operator) -> Operator:
    """Return the disjunction ``1 - AND(1 - x, 1 - y)``."""
    return lambda x, y: 1.0 - conjunction(1.0 - x, 1.0 - y)


def hamacher(x: Array, y: Array) -> Array:
    """Return ``x*y / (x + y - x*y)``, and 0 if x or y is 0."""
    product = x * y
    return np.asarray(np.divide(product, x + y - product, out=np.zeros_like(product), where=product > 0.0))


def bounded_difference(x: Array, y: Array) -> Array:
    """Return ``max(0, x + y - 1)``."""
    return np.maximum(0.0, x + y - 1.0)


class TruthFunctional(Semantics):
    """Maps every cosine to a truth value and folds operators over the tree, from the left over operands as written.

    Args:
        name: Its name in tables.
        conjunction: Value of "x and y".
        disjunction: Value of "x or y"; None for the dual of the conjunction.
        negation: Value of "not x".
        truth: From cosines to truth values.
    """

    def __init__(
        self,
        name: str,
        conjunction: Operator,
        disjunction: Operator | None = None,
        negation: Callable[[Array], Array] = complement,
        truth: TruthMap = clipped,
    ) -> None:
        self.name, self.truth, self.negation = name, truth, negation
        self.conjunction, self.disjunction = conjunction, disjunction or dual(conjunction)

    def truth_values(self, query: LogicalQuery, evidence: Evidence) -> Mapping[str, Array]:
        """Return each term's truth value, shape (N,)."""
        truth = self.truth(evidence.cosines)
        return {text: truth[evidence.row(text)] for text in query.terms()}

    def compose(self, query: LogicalQuery, evidence: Evidence) -> Array:
        """Score N documents; the score is the value of the whole query."""
        values = self.truth_values(query, evidence)

        def visit(node: LogicalQuery, operands: tuple[Array, ...]) -> Array:
            if isinstance(node, Term):
                return values[node.text]
            if isinstance(node, Not):
                return self.negation(operands[0])
            if isinstance(node, (And, Or)):
                return reduce(self.conjunction if isinstance(node, And) else self.disjunction, operands)
            return evidence.outcome(node).astype(np.float64)

        return query.fold(visit)


CLASSIC: Mapping[str, Callable[..., TruthFunctional]] = {
    "product": partial(TruthFunctional, "product", np.multiply),
    "itlr": partial(TruthFunctional, "itlr", np.multiply, np.add, truth=raw),
    "godel": partial(TruthFunctional, "godel", np.minimum, np.maximum),
    "lukasiewicz": partial(TruthFunctional, "lukasiewicz", bounded_difference, truth=rescaled),
    "hamacher": partial(TruthFunctional, "hamacher", hamacher),
}
"""By name.

The t-norms with their duals are in Klement, Mesiar and Pap, "Triangular Norms" (2000), chapter 1 and section 4.3;
"godel" has Zadeh's standard negation. "itlr" is the composition of Faltings, Wei and Bao, "Enhancing Retrieval Systems
with Inference-Time Logical Reasoning" (arXiv 2503.17860), section 2.3, on raw cosines as published: a conjunction of
negative cosines is positive, a disjunction may exceed 1. The bounded difference of "lukasiewicz" is 0 unless its parts
sum to more than 1, which clipped cosines rarely do.
"""

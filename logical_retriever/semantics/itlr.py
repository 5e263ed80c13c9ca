"""ITLR, the composition of the source paper, with every operator of its Table 2."""

from __future__ import annotations

from functools import partial, reduce
from typing import Literal

import numpy as np

from logical_retriever.errors import check_choice
from logical_retriever.query import And, LogicalQuery, Not, Term
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.semantics.bounds import Interval, widest
from logical_retriever.semantics.evidence import Array, Evidence
from logical_retriever.semantics.truth_functional import TruthFunctional, clipped, raw

Conjunction = Literal["product", "sum", "min"]
Disjunction = Literal["sum", "max", "probabilistic"]
Negation = Literal["complement", "reciprocal"]

RECIPROCAL_FLOOR = 0.01
"""Smallest value that ``1/x`` sees: cosines at or below it are equally unrelated, and 1/0 is not a score."""


class ItlrSemantics(TruthFunctional):
    """Inference-time logical reasoning: ``x*y``, ``x+y`` and ``1-x`` on raw cosines, as published.

    Source: Faltings, Wei and Bao, "Enhancing Retrieval Systems with Inference-Time Logical Reasoning"
    (arXiv 2503.17860), section 2.3 and Table 2. The range depends on the operators: with the defaults a
    conjunction of negative cosines is positive, a disjunction may exceed 1. The paper's composition loses to plain
    dense retrieval on realistic corpora; it ships for comparison.

    Args:
        conjunction: "product" ``x*y``, "sum" ``x+y`` or "min".
        disjunction: "sum" ``x+y``, "max" or "probabilistic" ``x+y-x*y`` (not in the paper).
        negation: "complement" ``1-x`` or "reciprocal" ``1/max(x, 0.01)``.
        clip: Count negative cosines as 0 (not in the paper).

    Raises:
        InvalidArgumentError: An operator of another name.
    """

    name = "itlr"

    def __init__(
        self,
        conjunction: Conjunction = "product",
        disjunction: Disjunction = "sum",
        negation: Negation = "complement",
        *,
        clip: bool = False,
    ) -> None:
        super().__init__(clipped if clip else raw)
        check_choice("ITLR", "conjunction", conjunction, Conjunction)
        check_choice("ITLR", "disjunction", disjunction, Disjunction)
        check_choice("ITLR", "negation", negation, Negation)
        self.operators = (conjunction, disjunction, negation)
        self.clip = clip

    @property
    def monotone(self) -> bool:  # type: ignore[override]  # a class variable elsewhere; here it follows the operators
        """Products keep the order only of values that are never negative: clipped, and not more than 1 if negated."""
        conjunction, disjunction, negation = self.operators
        if conjunction != "product" and disjunction != "probabilistic":
            return True
        # 1 - x of a value above 1 is negative, 1/x exceeds 1: both break a product or a probabilistic sum above them.
        bounded = conjunction != "sum" and disjunction != "sum" and negation == "complement"
        return self.clip and bounded

    @property
    def bounded(self) -> bool:
        """With every choice of operators: each is monotone in one operand while the other is held."""
        return True

    def upper_bounds(self, query: LogicalQuery, low: Evidence, high: Evidence) -> Array:
        """Interval arithmetic over the tree: products of negative cosines need both ends of each interval."""
        refuse_conditions(query, "A semantics")
        least, most = self.truth(low.cosines), self.truth(high.cosines)

        def visit(node: LogicalQuery, parts: tuple[Interval, ...]) -> Interval:
            if isinstance(node, Term):
                row = high.row(node.text)
                return least[row], most[row]
            if isinstance(node, Not):
                return self.negation(parts[0][1]), self.negation(parts[0][0])
            operator = self.conjunction if isinstance(node, And) else self.disjunction
            return reduce(partial(widest, operator), parts)

        return query.fold(visit)[1]

    def conjunction(self, x: Array, y: Array) -> Array:
        """The chosen OP_AND."""
        if self.operators[0] == "product":
            return x * y
        return x + y if self.operators[0] == "sum" else np.minimum(x, y)

    def disjunction(self, x: Array, y: Array) -> Array:
        """The chosen OP_OR."""
        if self.operators[1] == "probabilistic":
            return 1.0 - (1.0 - x) * (1.0 - y)
        return x + y if self.operators[1] == "sum" else np.maximum(x, y)

    def negation(self, x: Array) -> Array:
        """The chosen OP_NOT."""
        return 1.0 - x if self.operators[2] == "complement" else 1.0 / np.maximum(x, RECIPROCAL_FLOOR)

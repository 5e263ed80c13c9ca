"""ITLR, the composition of the source paper, with every operator of its Table 2."""

from __future__ import annotations

from typing import Literal

import numpy as np

from logical_retriever.errors import check_choice
from logical_retriever.semantics.evidence import Array
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

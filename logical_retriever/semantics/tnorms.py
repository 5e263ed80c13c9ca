"""Fuzzy logics of a t-norm and its dual: product, Gödel (also called Zadeh, or min/max), Łukasiewicz, Hamacher."""

from __future__ import annotations

import numpy as np

from logical_retriever.semantics.evidence import Array
from logical_retriever.semantics.truth_functional import TruthFunctional, TruthMap, rescaled

FLOOR = 1e-40
"""Truth values below it are as good as 0 in Hamacher's product."""
FLUSH = 1e-20
"""Added and subtracted, it rounds to multiples of 1e-36: what the floor left of a 0 is 0 again."""


class ProductSemantics(TruthFunctional):
    """Product, probabilistic sum and ``1 - x``: the ITLR composition with all values kept in [0, 1].

    Range [0, 1] on clipped cosines. Source: the product (Goguen) t-norm and its dual, Klement, Mesiar and Pap,
    "Triangular Norms" (2000), chapter 1; ITLR (arXiv 2503.17860) multiplies likewise but adds for OR.
    """

    name = "product"

    def conjunction(self, x: Array, y: Array) -> Array:
        """``x * y``."""
        return x * y

    def disjunction(self, x: Array, y: Array) -> Array:
        """``x + y - x * y``, each operand written once: an engine is told it as it stands here."""
        return 1.0 - (1.0 - x) * (1.0 - y)


class GodelSemantics(TruthFunctional):
    """Minimum, maximum and ``1 - x``: a conjunction is as true as its weakest part.

    Range [0, 1] on clipped cosines. Source: Zadeh, "Fuzzy sets", Information and Control 8 (1965); the minimum is
    the Gödel t-norm. The negation is Zadeh's standard one, not Gödel's crisp residual.
    """

    name = "godel"

    def conjunction(self, x: Array, y: Array) -> Array:
        """``min(x, y)``."""
        return np.minimum(x, y)

    def disjunction(self, x: Array, y: Array) -> Array:
        """``max(x, y)``."""
        return np.maximum(x, y)


class LukasiewiczSemantics(TruthFunctional):
    """Bounded difference, bounded sum and ``1 - x``.

    Range [0, 1]. The conjunction is 0 unless its parts sum to more than 1, which clipped cosines rarely do; the
    default truth map is therefore ``(1 + s) / 2``. Even so, ties at 0 are common for long conjunctions.
    Source: Klement, Mesiar and Pap, "Triangular Norms" (2000), chapter 1.
    """

    name = "lukasiewicz"

    def __init__(self, truth: TruthMap = rescaled) -> None:
        super().__init__(truth)

    def conjunction(self, x: Array, y: Array) -> Array:
        """``max(0, x + y - 1)``."""
        return np.maximum(0.0, x + y - 1.0)

    def disjunction(self, x: Array, y: Array) -> Array:
        """``min(1, x + y)``."""
        return np.minimum(1.0, x + y)


class HamacherSemantics(TruthFunctional):
    """Hamacher product, Hamacher sum and ``1 - x``: between the product and the minimum.

    Range [0, 1] on clipped cosines; the conjunction of 0 and 0 is 0, the disjunction of 1 and 1 is 1.
    Source: Hamacher (1978), in Klement, Mesiar and Pap, "Triangular Norms" (2000), section 4.3.
    """

    name = "hamacher"

    def conjunction(self, x: Array, y: Array) -> Array:
        """``x*y / (x + y - x*y)``, and 0 where either is, by its additive generator ``1/x - 1``.

        Each operand is written once: an engine is told it as it stands here, and nothing divides by 0.
        """
        value: Array = 1.0 / (1.0 / np.maximum(x, FLOOR) + 1.0 / np.maximum(y, FLOOR) - 1.0)
        return value + FLUSH - FLUSH

    def disjunction(self, x: Array, y: Array) -> Array:
        """``(x + y - 2*x*y) / (1 - x*y)``, the dual of the conjunction, and 1 where both are 1."""
        return 1.0 - self.conjunction(1.0 - x, 1.0 - y)

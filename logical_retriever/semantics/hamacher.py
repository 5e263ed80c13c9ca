"""Hamacher product and sum (the family's member with parameter 0)."""

from __future__ import annotations

import numpy as np

from logical_retriever.semantics.evidence import Array
from logical_retriever.semantics.truth_functional import TruthFunctional

FLOOR = 1e-40
"""Truth values below it are as good as 0."""
FLUSH = 1e-20
"""Added and subtracted, it rounds to multiples of 1e-36: what the floor left of a 0 is 0 again."""


class HamacherSemantics(TruthFunctional):
    """Hamacher product, Hamacher sum and ``1 - x``: between the product and the minimum.

    Range [0, 1] on clipped cosines; the conjunction of 0 and 0 is 0, the disjunction of 1 and 1 is 1.
    Source: Hamacher (1978), in Klement, Mesiar and Pap, "Triangular Norms" (2000), section 4.3.
    """

    name = "hamacher"
    monotone = True
    laws = frozenset({"commutative", "associative", "de-morgan", "involutive"})

    def conjunction(self, x: Array, y: Array) -> Array:
        """``x*y / (x + y - x*y)``, and 0 where either is, by its additive generator ``1/x - 1``.

        Each operand is written once: an engine is told it as it stands here, and nothing divides by 0.
        """
        value: Array = 1.0 / (1.0 / np.maximum(x, FLOOR) + 1.0 / np.maximum(y, FLOOR) - 1.0)
        return value + FLUSH - FLUSH

    def disjunction(self, x: Array, y: Array) -> Array:
        """``(x + y - 2*x*y) / (1 - x*y)``, the dual of the conjunction, and 1 where both are 1."""
        return 1.0 - self.conjunction(1.0 - x, 1.0 - y)

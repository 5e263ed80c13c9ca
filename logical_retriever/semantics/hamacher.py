"""Hamacher product and sum (the family's member with parameter 0)."""

from __future__ import annotations

import numpy as np

from logical_retriever.semantics.evidence import Array
from logical_retriever.semantics.truth_functional import TruthFunctional


class HamacherSemantics(TruthFunctional):
    """Hamacher product, Hamacher sum and ``1 - x``: between the product and the minimum.

    Range [0, 1] on clipped cosines; the conjunction of 0 and 0 is 0, the disjunction of 1 and 1 is 1.
    Source: Hamacher (1978), in Klement, Mesiar and Pap, "Triangular Norms" (2000), section 4.3.
    """

    name = "hamacher"
    monotone = True
    laws = frozenset({"commutative", "associative", "de-morgan", "involutive"})

    def conjunction(self, x: Array, y: Array) -> Array:
        """``x*y / (x + y - x*y)``, and 0 where both are 0."""
        product = x * y
        total = x + y - product
        # Where the total is 0, both are, and so is the product.
        quotient: Array = product / np.where(total > 0.0, total, 1.0)
        return quotient

    def disjunction(self, x: Array, y: Array) -> Array:
        """``(x + y - 2*x*y) / (1 - x*y)``, the dual of the conjunction, and 1 where both are 1."""
        return 1.0 - self.conjunction(1.0 - x, 1.0 - y)

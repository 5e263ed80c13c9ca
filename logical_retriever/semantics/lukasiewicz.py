"""Łukasiewicz logic: truth values spent like a budget."""

from __future__ import annotations

import numpy as np

from logical_retriever.semantics.evidence import Array
from logical_retriever.semantics.truth import TruthMap, rescaled
from logical_retriever.semantics.truth_functional import TruthFunctional


class LukasiewiczSemantics(TruthFunctional):
    """Bounded difference, bounded sum and ``1 - x``.

    Range [0, 1]. The conjunction is 0 unless its parts sum to more than 1, which clipped cosines rarely do; the
    default truth map is therefore ``(1 + s) / 2``. Even so, ties at 0 are common for long conjunctions.
    Source: Klement, Mesiar and Pap, "Triangular Norms" (2000), chapter 1.
    """

    name = "lukasiewicz"
    monotone = True
    laws = frozenset({"commutative", "associative", "de-morgan", "involutive"})

    def __init__(self, truth: TruthMap = rescaled) -> None:
        super().__init__(truth)

    def conjunction(self, x: Array, y: Array) -> Array:
        """``max(0, x + y - 1)``."""
        return np.maximum(0.0, x + y - 1.0)

    def disjunction(self, x: Array, y: Array) -> Array:
        """``min(1, x + y)``."""
        return np.minimum(1.0, x + y)

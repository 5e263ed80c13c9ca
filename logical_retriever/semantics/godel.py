"""Gödel logic, also called Zadeh's or min/max."""

from __future__ import annotations

import numpy as np

from logical_retriever.semantics.evidence import Array
from logical_retriever.semantics.truth_functional import TruthFunctional


class GodelSemantics(TruthFunctional):
    """Minimum, maximum and ``1 - x``: a conjunction is as true as its weakest part.

    Range [0, 1] on clipped cosines. Source: Zadeh, "Fuzzy sets", Information and Control 8 (1965); the minimum is
    the Gödel t-norm. The negation is Zadeh's standard one, not Gödel's crisp residual.
    """

    name = "godel"
    monotone = True
    laws = frozenset({"commutative", "associative", "idempotent", "distributive", "de-morgan", "involutive"})

    def conjunction(self, x: Array, y: Array) -> Array:
        """``min(x, y)``."""
        return np.minimum(x, y)

    def disjunction(self, x: Array, y: Array) -> Array:
        """``max(x, y)``."""
        return np.maximum(x, y)

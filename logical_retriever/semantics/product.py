"""Product logic: independent truth values, multiplied."""

from __future__ import annotations

from logical_retriever.semantics.evidence import Array
from logical_retriever.semantics.truth_functional import TruthFunctional


class ProductSemantics(TruthFunctional):
    """Product, probabilistic sum and ``1 - x``: the ITLR composition with all values kept in [0, 1].

    Range [0, 1] on clipped cosines. Source: the product (Goguen) t-norm and its dual, Klement, Mesiar and Pap,
    "Triangular Norms" (2000), chapter 1; ITLR (arXiv 2503.17860) multiplies likewise but adds for OR.
    """

    name = "product"
    monotone = True
    laws = frozenset({"commutative", "associative", "de-morgan", "involutive"})

    def conjunction(self, x: Array, y: Array) -> Array:
        """``x * y``."""
        return x * y

    def disjunction(self, x: Array, y: Array) -> Array:
        """``x + y - x * y``, each operand written once: an engine is told it as it stands here."""
        return 1.0 - (1.0 - x) * (1.0 - y)

"""Dense and BM25 rankings fused by their ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from logical_retriever.evaluation.methods.base import Method, Prepared
from logical_retriever.evaluation.methods.bm25 import BM25
from logical_retriever.evaluation.methods.dense import Dense
from logical_retriever.evaluation.workbench import Array, View, Workbench


@dataclass
class Hybrid(Method):
    """Reciprocal rank fusion of the dense and the BM25 ranking of the question.

    Score ``Σ 1 / (k + rank)`` with ranks from 1; documents with equal scores share the best of their ranks, a document
    that a ranking does not retrieve gets nothing from it. Source: Cormack, Clarke and Büttcher, "Reciprocal rank
    fusion outperforms Condorcet and individual rank learning methods" (SIGIR 2009), k = 60.

    Args:
        k: The constant of the formula.
    """

    k: int = 60
    name: str = "hybrid"
    parts: tuple[Method, ...] = field(default_factory=lambda: (Dense(), BM25()))

    def prepare(self, prepared: Sequence[Prepared], bench: Workbench, progress: Callable[[int, int], None]) -> None:
        """Prepare the parts."""
        for part in self.parts:
            part.prepare(prepared, bench, progress)

    def texts(self, prepared: Prepared) -> tuple[str, ...]:
        """What the parts need."""
        return tuple(text for part in self.parts for text in part.texts(prepared))

    def score(self, prepared: Prepared, view: View) -> Array:
        """Fused scores, in (0, 2/(k+1)]."""
        total = np.zeros(view.size)
        for part in self.parts:
            scores = part.score(prepared, view)
            ranks = 1 + np.searchsorted(np.sort(-scores), -scores)
            total += np.where(np.isfinite(scores), 1.0 / (self.k + ranks), 0.0)
        return total

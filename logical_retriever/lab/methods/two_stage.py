"""Rescoring of another retriever's candidates."""

from __future__ import annotations

import numpy as np

from logical_retriever.evaluation.methods.base import Advance, Method, Questions, QuestionWithQuery
from logical_retriever.evaluation.methods.plain import Dense
from logical_retriever.evaluation.workbench import Array, View, Workbench


class TwoStage(Method):
    """The dense retriever, or another, takes a pool of candidates; a method ranks the pool. Nothing else is retrieved.

    Source: NSFL, section 8: 2k candidates by the question's similarity, rescored, the top k kept; mAP@100, so that the
    pool has 200 documents.

    Args:
        method: What ranks the pool; normalisations over the candidates see the pool alone.
        pool: Size of the pool, at least 1; a smaller corpus is taken whole.
        name: Name in tables.
        first: Takes the pool; by default the dense retriever.
    """

    def __init__(self, method: Method, pool: int = 200, name: str | None = None, first: Method | None = None) -> None:
        self.method = method
        self.pool = pool
        self.name = f"{method.name}-two-stage" if name is None else name
        self.first: Method = Dense() if first is None else first

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Prepare both stages."""
        self.first.prepare(prepared, bench, progress)
        self.method.prepare(prepared, bench, progress)
        self.llm_calls = self.first.llm_calls + self.method.llm_calls

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts of both stages."""
        return tuple(dict.fromkeys((*self.first.texts(prepared), *self.method.texts(prepared))))

    def passages(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts of both stages."""
        return tuple(dict.fromkeys((*self.first.passages(prepared), *self.method.passages(prepared))))

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The second stage's scores in the pool, ``-inf`` outside."""
        first = self.first.score(prepared, view)
        pool = np.sort(np.argsort(-first, kind="stable")[: self.pool])
        scores = np.full(view.size, -np.inf)
        scores[pool] = self.method.score(prepared, view.pool(pool))
        return scores

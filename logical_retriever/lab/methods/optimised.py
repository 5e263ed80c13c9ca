"""SQO alone: one vector optimised for a semantics, and nothing scored by the semantics itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.evaluation.methods.base import Advance, Questions, QuestionWithQuery
from logical_retriever.evaluation.methods.package import BenchEmbedder, corpus_store, searched
from logical_retriever.evaluation.workbench import Vectors, View, Workbench
from logical_retriever.lab.methods.geometric import OneVector
from logical_retriever.search import CorpusStatistics, Problem, StatisticsCache, spherical_optimum
from logical_retriever.semantics import Semantics, get_semantics


class SphericalOptimum(OneVector):
    """Cosine with the unit vector that a semantics would score highest.

    See :mod:`logical_retriever.search.one_vector.sqo`.

    What a plain ANN index can answer without any scoring of candidates: "optimise only" of NSFL, section 8.2. A
    question without logic is searched for as it is.

    Args:
        semantics: A differentiable semantics, or its name.
        name: Name in tables.
    """

    def __init__(self, semantics: str | Semantics = "calibrated", name: str = "sqo-only") -> None:
        self.semantics = get_semantics(semantics)
        self.name = name
        self._statistics: CorpusStatistics | None = None

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Measure what cosines mean in this corpus, where the semantics wants to know."""
        del prepared, progress  # the statistics are of the corpus
        if self.semantics.calibrated:
            store = corpus_store(bench)
            self._statistics = StatisticsCache(BenchEmbedder(bench)).get(store, store.count())

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts that the semantics asks for once the question is routed."""
        return self.semantics.texts(*searched(prepared, self.semantics))

    def combined(self, prepared: QuestionWithQuery, view: View) -> Vectors:
        """The optimum."""
        query, question = searched(prepared, self.semantics)
        problem = Problem.of(query, self.semantics, question)
        vectors = view.bench.vectors(problem.texts)
        if self.semantics.calibrated and self._statistics is None:
            raise SemanticsError(f"{self.name} has no statistics yet.", hint="Call prepare before score.")
        nulls = None if self._statistics is None else self._statistics.nulls.of(vectors)
        found, _ = spherical_optimum(replace(problem.encoded(problem.texts, vectors), nulls=nulls))
        return found.astype(np.float32)

"""Methods that need no logic: the question's vector, its words, both, and its wanted terms alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from logical_retriever.evaluation.methods.base import Advance, Method, Questions, QuestionWithQuery
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.semantics import NullModel


class Dense(Method):
    """Cosine of the whole question with every document, in [-1, 1]: what a vector store does by itself."""

    name = "dense"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The question."""
        return (prepared.question.text,)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Cosines of the question."""
        scores: Array = view.cosines(self.texts(prepared))[0]
        return scores


class PositiveOnly(Dense):
    """All positive terms joined with " and " and encoded as one text; negated terms are not looked at.

    The cheapest answer to negation. A question without a positive term is searched for as it is.
    """

    name = "positive-only"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The joined text."""
        return (prepared.wanted,)


class BM25(Method):
    """BM25 of the question over the corpus; a document that shares no word with it is not retrieved."""

    name = "bm25"

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Build the index, so that the first question is not charged for it."""
        del prepared, progress  # the index is of the corpus
        bench.lexical.scores("")

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """None: words are compared, not vectors."""
        del prepared
        return ()

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """BM25 scores, above 0 or ``-inf``."""
        scores = view.lexical(prepared.question.text)
        return np.where(scores > 0, scores, -np.inf)


@dataclass
class DenseLexical(Dense):
    """``z(q) + weight * b(q)`` for the question q, word for word, whatever it excludes: the fair baseline beside dense.

    z is the cosine calibrated against its null distribution over the corpus; b is the question's BM25 score minus its
    mean over the corpus, over its deviation there; b is 0 where no document shares a word with the question.

    Args:
        weight: Standard deviations of z that one of b is worth, at least 0.
    """

    weight: float = 0.2
    name: str = "dense+bm25"

    def __post_init__(self) -> None:
        self._nulls: NullModel | None = None

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Fit the null model to the corpus and build the index, so that the first question is not charged for them."""
        del prepared, progress  # both are of the corpus
        self._nulls = NullModel.fit(bench.document_vectors)
        bench.lexical.scores("")

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Standard deviations of chance, unbounded."""
        nulls = NullModel.fit(view.bench.document_vectors) if self._nulls is None else self._nulls
        texts = self.texts(prepared)
        z = nulls.of(view.bench.vectors(texts)).standardise(view.cosines(texts))[0]
        everywhere = view.bench.lexical.scores(prepared.question.text)
        deviation = everywhere.std()
        if deviation == 0.0:
            return np.asarray(z)
        own = view.lexical(prepared.question.text)
        scores: Array = z + self.weight * (own - everywhere.mean()) / deviation
        return np.asarray(scores)


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

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Prepare the parts."""
        for part in self.parts:
            part.prepare(prepared, bench, progress)

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts of both parts."""
        return tuple(text for part in self.parts for text in part.texts(prepared))

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Fused scores, in (0, 2/(k+1)]."""
        total = np.zeros(view.size)
        for part in self.parts:
            scores = part.score(prepared, view)
            ranks = 1 + np.searchsorted(np.sort(-scores), -scores)
            total += np.where(np.isfinite(scores), 1.0 / (self.k + ranks), 0.0)
        return total

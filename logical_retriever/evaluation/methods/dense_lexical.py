"""Dense and lexical scores of the raw question added: the usual advice, and the fair baseline beside dense."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from logical_retriever.evaluation.methods.base import Method, Prepared
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.semantics import NullModel


@dataclass
class DenseLexical(Method):
    """``z(q) + weight * b(q)`` for the question q, word for word, whatever it excludes.

    z is the cosine calibrated against its null distribution over the corpus; b is the question's BM25 score minus its
    mean over the corpus, over its deviation there; b is 0 where no document shares a word with the question.

    Args:
        weight: Standard deviations of z that one of b is worth, at least 0.
    """

    weight: float = 0.2
    name: str = "dense+bm25"

    def __post_init__(self) -> None:
        self._nulls: NullModel | None = None

    def prepare(self, prepared: Sequence[Prepared], bench: Workbench, progress: Callable[[int, int], None]) -> None:
        """Fit the null model to the corpus and build the index, so that the first question is not charged for them."""
        del prepared, progress  # both are of the corpus
        self._nulls = NullModel.fit(bench.document_vectors)
        bench.lexical.scores("")

    def texts(self, prepared: Prepared) -> tuple[str, ...]:
        """The question."""
        return (prepared.question.text,)

    def score(self, prepared: Prepared, view: View) -> Array:
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

"""DEO: the query vector itself is optimised, towards the wanted and away from the unwanted."""

from __future__ import annotations

import numpy as np

from logical_retriever.evaluation.methods.base import Prepared
from logical_retriever.evaluation.methods.geometric import OneVector
from logical_retriever.evaluation.workbench import Vectors, View


class DirectEmbeddingOptimization(OneVector):
    """Gradient descent on a unit query vector ``u``, starting at the question's vector ``q``.

    Loss ``-log(Σ exp(u·p/τ) / (Σ exp(u·p/τ) + Σ exp(u·n/τ))) + anchor·|u - q|²`` over the vectors ``p`` of the positive
    and ``n`` of the negated terms: pulled to the positives, pushed from the negatives, kept near the original. The
    gradient is analytic, projected on the sphere's tangent space; there is no randomness. A question without negated
    terms is searched for as it is, since the loss has nothing to contrast.

    Source: the idea of DEO (arXiv 2603.09185), which states a contrastive objective; its constants are not in the
    abstract, those here were fixed beforehand and fitted to no benchmark.

    Args:
        temperature: τ, above 0.
        anchor: Weight of staying near the question, at least 0.
        rate: Step length.
        steps: Number of steps.
    """

    name = "deo"

    def __init__(self, temperature: float = 0.1, anchor: float = 1.0, rate: float = 0.05, steps: int = 50) -> None:
        self.temperature = temperature
        self.anchor = anchor
        self.rate = rate
        self.steps = steps

    def texts(self, prepared: Prepared) -> tuple[str, ...]:
        """The question, and every term where one is negated."""
        if not prepared.negations:
            return (prepared.question.text,)
        return (prepared.question.text, *prepared.terms(positive=True), *prepared.terms(positive=False))

    def combined(self, prepared: Prepared, view: View) -> Vectors:
        """The optimised vector."""
        question, *terms = view.bench.vectors(self.texts(prepared)).astype(np.float64)
        if not terms:
            return np.asarray(question, dtype=np.float32)
        wanted = len(terms) - prepared.negations
        # Without a positive term the question is what is wanted.
        positives = np.array(terms[:wanted]) if wanted else question[None, :]
        negatives = np.array(terms[wanted:])
        contrast = np.concatenate([positives, negatives])
        vector = question
        for _ in range(self.steps):
            weights = _softmax(contrast @ vector / self.temperature)
            own = _softmax(positives @ vector / self.temperature)
            gradient = (weights @ contrast - own @ positives) / self.temperature
            gradient += 2.0 * self.anchor * (vector - question)
            gradient -= (gradient @ vector) * vector
            vector = vector - self.rate * gradient
            vector /= np.linalg.norm(vector)
        return np.asarray(vector, dtype=np.float32)


def _softmax(values: np.ndarray) -> np.ndarray:
    exponentials = np.exp(values - values.max())
    return np.asarray(exponentials / exponentials.sum())

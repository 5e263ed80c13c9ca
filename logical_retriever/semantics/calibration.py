"""What a cosine means: how far it stands out from what unrelated documents of the same store show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.semantics.evidence import Array, Nulls

DEVIATION_FLOOR = 1e-6
"""Smallest null deviation: in a store whose documents are all alike, no cosine stands out."""


@dataclass(frozen=True)
class NullModel:
    """Mean and covariance of a store's document vectors, from which every text's null distribution follows.

    For a unit vector v, the cosines with documents x of length 1 have mean ``v·m`` and variance ``vᵀΣv``, with m and
    Σ the mean and covariance of the documents: no labels, no search, O(d²) per text.

    Attributes:
        mean: m, shape (d,).
        covariance: Σ, shape (d, d), shrunk towards a multiple of the identity.
        size: Number of vectors it was estimated from.
    """

    mean: Array
    covariance: Array
    size: int

    @classmethod
    def fit(cls, vectors: npt.NDArray[np.floating[Any]]) -> NullModel:
        """Estimate from a sample of documents.

        The covariance is shrunk as Ledoit and Wolf propose ("A well-conditioned estimator for large-dimensional
        covariance matrices", Journal of Multivariate Analysis 88, 2004): a few documents of many dimensions would
        otherwise have variance 0 in most directions.

        Args:
            vectors: Shape (S, d), rows of length 1 or 0; rows of zeros (documents without a usable vector) are
                left out. Without any usable row, random unit vectors are assumed.
        """
        rows = np.asarray(vectors, dtype=np.float64)
        rows = rows[rows.any(axis=1)]
        if not len(rows):
            dimension = vectors.shape[1]
            return cls(np.zeros(dimension), np.eye(dimension) / dimension, size=0)
        mean = rows.mean(axis=0)
        return cls(mean=mean, covariance=_ledoit_wolf(rows - mean), size=len(rows))

    def of(self, vectors: npt.NDArray[np.floating[Any]]) -> Nulls:
        """Null distributions of T texts.

        Args:
            vectors: Shape (T, d), rows of length 1.
        """
        v = np.asarray(vectors, dtype=np.float64)
        variances = np.einsum("td,td->t", v @ self.covariance, v)
        return Nulls(v @ self.mean, np.maximum(np.sqrt(np.maximum(variances, 0.0)), DEVIATION_FLOOR))


def _ledoit_wolf(centred: Array) -> Array:
    """Shrunk covariance of centred rows, shape (S, d) -> (d, d)."""
    samples, dimension = centred.shape
    covariance: Array = centred.T @ centred / samples
    scale = np.trace(covariance) / dimension
    # A single document, or copies of one, has no spread to learn from: the spread of random unit vectors is assumed.
    target = np.eye(dimension) * (scale if scale > 0 else 1.0 / dimension)
    distance = np.sum((covariance - target) ** 2)
    if scale <= 0 or distance == 0:
        return target
    # Sum over rows of ||x xᵀ - Σ||², without forming the products.
    squared_norms = np.einsum("sd,sd->s", centred, centred)
    noise = (np.sum(squared_norms**2) / samples - np.sum(covariance**2)) / samples
    shrinkage = min(1.0, max(0.0, noise / distance))
    shrunk: Array = (1.0 - shrinkage) * covariance + shrinkage * target
    return shrunk

"""Null distributions of cosines: how similar a text is to unrelated documents of a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.scoring.evidence import Array, NullDistributions

SPREAD_FLOOR = 1e-9
"""Variance of rows of length 1, summed over dimensions, below which they are copies up to float32's rounding."""
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
    """

    mean: Array
    covariance: npt.NDArray[np.floating[Any]]

    @classmethod
    def fit(
        cls, vectors: npt.NDArray[np.floating[Any]], weights: npt.NDArray[np.floating[Any]] | None = None
    ) -> NullModel:
        """Estimate from a sample of documents.

        The covariance is shrunk as Ledoit and Wolf propose ("A well-conditioned estimator for large-dimensional
        covariance matrices", Journal of Multivariate Analysis 88, 2004): a few documents of many dimensions would
        otherwise have variance 0 in most directions. The direction that all documents have in common is left out of it:
        it has little variance with an encoder whose unrelated texts have cosines of .7, and all texts lie along it.

        Args:
            vectors: Shape (S, d), rows of length 1 or 0; rows of zeros (documents without a usable vector) are
                left out. Without any usable row, random unit vectors are assumed.
            weights: Shape (S,), positive: how often each row counts; None for all alike.
        """
        precision = np.result_type(vectors.dtype, np.float32)
        rows = np.asarray(vectors, dtype=precision)
        usable = rows.any(axis=1)
        if not usable.any():
            dimension = vectors.shape[1]
            return cls(np.zeros(dimension), np.eye(dimension, dtype=precision) / dimension)
        rows, shares = rows[usable], np.ones(usable.sum()) if weights is None else weights[usable].astype(np.float64)
        shares = shares / shares.sum()
        mean = shares @ rows.astype(np.float64)
        return cls(mean, _ledoit_wolf(rows - mean.astype(precision), shares, mean))

    def of(self, vectors: npt.NDArray[np.floating[Any]]) -> NullDistributions:
        """Return the null distributions of T texts: one pass over d² numbers.

        Args:
            vectors: Shape (T, d), rows of length 1.
        """
        v = np.asarray(vectors, dtype=np.float64)
        products = (v.astype(self.covariance.dtype) @ self.covariance).astype(np.float64)
        variances = np.einsum("td,td->t", products, v)
        deviations = np.maximum(np.sqrt(np.maximum(variances, 0.0)), DEVIATION_FLOOR)
        correlations = np.clip(products @ v.T / np.outer(deviations, deviations), -1.0, 1.0)
        return NullDistributions(v @ self.mean, deviations, correlations)


def _ledoit_wolf(centred: npt.NDArray[np.floating[Any]], shares: Array, mean: Array) -> npt.NDArray[np.floating[Any]]:
    """Return the shrunk covariance (d, d) of centred rows (S, d) with shares (S,) that sum to 1.

    The target is the identity times the mean variance, without the direction of ``mean``.
    """
    dimension, precision = centred.shape[1], centred.dtype
    covariance: npt.NDArray[np.floating[Any]] = (centred * shares[:, None].astype(precision)).T @ centred
    trace = float(np.trace(covariance, dtype=np.float64))
    scale = 0.0 if trace / dimension < SPREAD_FLOOR / dimension else trace / dimension
    squares = float(np.einsum("de,de->", covariance, covariance, dtype=np.float64))
    # Squared distance to the target, the identity times the scale, without forming any matrix.
    distance = squares - 2.0 * scale * trace + scale * scale * dimension
    # A single document, or copies of one, has no spread to learn from: the spread of random unit vectors is assumed.
    if scale <= 0 or distance <= 0:
        covariance[:] = 0.0
        covariance.flat[:: dimension + 1] = scale if scale > 0 else 1.0 / dimension
        return covariance
    # Mean over rows of ||x xᵀ - Σ||², without forming the products, over the effective number of rows (Kish).
    squared_norms = np.einsum("sd,sd->s", centred, centred, dtype=np.float64)
    noise = (shares @ squared_norms**2 - squares) * np.sum(shares**2)
    shrinkage = min(1.0, max(0.0, noise / distance))
    covariance *= precision.type(1.0 - shrinkage)
    covariance.flat[:: dimension + 1] += precision.type(shrinkage * scale)
    if (length := float(np.linalg.norm(mean))) > 0.0:
        covariance -= (shrinkage * scale * np.outer(mean / length, mean / length)).astype(precision)
    return covariance

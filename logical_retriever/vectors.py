"""Arrays of vectors, and cosines computed from them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import VectorMismatchError

Vectors = npt.NDArray[np.float32]
"""Shape (N, d), one vector a row."""

_BLOCK = 256
"""Rows scaled at once: in float64 they stay in the processor's cache, and a large store takes a quarter of the time."""


def unit(vectors: npt.ArrayLike) -> Vectors:
    """Scale rows to length 1; rows of zeros or with NaN become zeros, so that their cosine is 0 with everything.

    Args:
        vectors: Shape (N, d).

    Returns:
        Shape (N, d), float32.

    Examples:
        >>> unit([[3.0, 4.0], [0.0, 0.0]]).round(1).tolist()
        [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    rows = np.array(vectors, dtype=np.float32, ndmin=2)
    for start in range(0, len(rows), _BLOCK):
        # float64: the squares of float32 components above 1e19 overflow.
        block = rows[start : start + _BLOCK].astype(np.float64)
        norms = np.sqrt(np.add.reduce(block * block, axis=1, keepdims=True))
        usable = np.isfinite(norms) & (norms > 0)
        rows[start : start + _BLOCK] = np.divide(block, norms, out=np.zeros_like(block), where=usable)
    return rows


def cosines(queries: Vectors, documents: Vectors) -> npt.NDArray[np.float64]:
    """Cosine of every query vector with every document vector.

    Args:
        queries: Shape (T, d).
        documents: Shape (N, d).

    Returns:
        Shape (T, N), float64, in [-1, 1]; 0 wherever a vector is all zeros or not finite.

    Raises:
        VectorMismatchError: The two have different d.
    """
    if queries.shape[1] != documents.shape[1]:
        raise VectorMismatchError(
            f"Query vectors have dimension {queries.shape[1]}, the stored vectors {documents.shape[1]}.",
            hint="Use the embedding model that the documents were encoded with.",
        )
    return np.clip(np.asarray(unit(queries) @ unit(documents).T, dtype=np.float64), -1.0, 1.0)

"""Arrays of vectors, and cosines computed from them."""

from __future__ import annotations

from typing import Any

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


def scales(vectors: Vectors) -> Vectors:
    """What rows are multiplied by to have length 1, so that they need not be copied.

    Args:
        vectors: Shape (N, d).

    Returns:
        Shape (N,), float32; 0 for rows that are all zeros, not finite, or too long or short for float32 products.
    """
    found = np.zeros(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK].astype(np.float64)
        norms = np.sqrt(np.add.reduce(block * block, axis=1))
        usable = (norms > 1e-15) & (norms < 1e15)
        found[start : start + _BLOCK] = np.divide(1.0, norms, out=np.zeros_like(norms), where=usable)
    return found


def cosines(queries: Vectors, documents: Vectors, known: Vectors | None = None) -> npt.NDArray[np.float64]:
    """Cosine of every query vector with every document vector.

    Args:
        queries: Shape (T, d).
        documents: Shape (N, d).
        known: Shape (N,): the documents' :func:`scales` where they have been computed before.

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
    products: npt.NDArray[Any]
    if known is None:
        products = unit(queries) @ unit(documents).T
    else:
        with np.errstate(invalid="ignore", over="ignore"):  # rows that are not finite have scale 0
            products = np.where(known == 0.0, np.float32(0.0), (unit(queries) @ documents.T) * known)
    # In place: among a million documents every copy shows.
    return np.clip(products, -1.0, 1.0, out=products).astype(np.float64)

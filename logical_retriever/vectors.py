"""Arrays of vectors, and cosines computed from them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import VectorMismatchError

Vectors = npt.NDArray[np.float32]
"""Shape (N, d), one vector a row."""
_Found = tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]

LEAST = 1e-38
"""Length up to which a vector counts as zero: the reciprocal of a smaller one is beyond float32."""
_BLOCK = 256
"""Rows scaled at once: in float64 they fit into the processor's cache, which is four times as fast for large stores."""
_COMPARED = 65_536
"""Documents compared at once."""


def unit(vectors: npt.ArrayLike) -> Vectors:
    """Scale rows to length 1. Rows up to :data:`LEAST` or with NaN become zeros: their cosine with everything is 0.

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
        rows[start : start + _BLOCK] = _unit64(rows[start : start + _BLOCK])
    return rows


def scales_of(vectors: Vectors) -> Vectors:
    """Compute the factors that scale rows to length 1, to scale products without a copy of the rows.

    Args:
        vectors: Shape (N, d).

    Returns:
        Shape (N,), float32: 1 / length of each row; 0 for rows of zeros and rows that are not finite.
    """
    scales = np.zeros(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        rows = vectors[start : start + _BLOCK].astype(np.float64)
        norms = np.sqrt(np.add.reduce(rows * rows, axis=1))
        usable = np.isfinite(norms) & (norms > LEAST)
        scales[start : start + _BLOCK] = np.divide(1.0, norms, out=np.zeros_like(norms), where=usable)
    return scales


def cosines(queries: Vectors, documents: Vectors, scales: Vectors | None = None) -> Vectors:
    """Compute the cosine of every query with every document, by matrix products in blocks.

    Args:
        queries: Shape (T, d).
        documents: Shape (N, d).
        scales: Shape (N,), :func:`scales_of` the documents; None to compute them.

    Returns:
        Shape (T, N), float32, in [-1, 1]; 0 for vectors of zeros and those with NaN or infinite values.

    Raises:
        VectorMismatchError: The two have different d.
    """
    check_dimensions(queries, documents)
    texts, scales = unit(queries), scales_of(documents) if scales is None else scales
    values = np.empty((len(texts), len(documents)), dtype=np.float32)
    for start in range(0, len(documents), _COMPARED):
        block = slice(start, start + _COMPARED)
        with np.errstate(invalid="ignore", over="ignore"):  # rows that are not finite have scale 0
            np.multiply(texts @ documents[block].T, scales[block], out=values[:, block])
    values[:, scales == 0.0] = 0.0
    return np.clip(values, -1.0, 1.0, out=values)


def check_dimensions(queries: Vectors, documents: Vectors) -> None:
    """Reject queries of shape (T, d) and documents of shape (N, d) that differ in d.

    Raises:
        VectorMismatchError: The two have different d.
    """
    if queries.shape[1] != documents.shape[1]:
        raise VectorMismatchError(
            f"Query vectors have dimension {queries.shape[1]}, the stored vectors {documents.shape[1]}.",
            hint="Use the embedding model that the documents were encoded with.",
        )


def precise_cosines(queries: Vectors, documents: Vectors) -> npt.NDArray[np.float64]:
    """Compute cosines in float64, one document at a time: equal rows get equal cosines.

    In float32, near copies of one document cannot be ranked; and a matrix product rounds differently in different
    places of an array, which turns ties into differences.

    Args:
        queries: Shape (T, d).
        documents: Shape (N, d); only a few.

    Returns:
        Shape (T, N), in [-1, 1].
    """
    check_dimensions(queries, documents)
    sums = np.einsum("td,nd->tn", _unit64(queries), _unit64(documents))
    clipped: npt.NDArray[np.float64] = np.clip(sums, -1.0, 1.0, out=sums)
    return clipped


def nearest(queries: Vectors, documents: Vectors, n: int, scales: Vectors | None = None) -> list[_Found]:
    """Find the n documents of greatest cosine for each query vector, without sorting all of them.

    Args:
        queries: Shape (T, d).
        documents: Shape (N, d).
        n: At least 1.
        scales: As for :func:`cosines`.

    Returns:
        T pairs: positions of at most n documents, nearest first, ties in order; and their cosines.
    """
    pairs = []
    for row in cosines(queries, documents, scales).astype(np.float64):
        best = np.arange(len(row))
        if len(row) > n:
            best = np.flatnonzero(row >= np.partition(row, len(row) - n)[len(row) - n])
        order = best[np.argsort(-row[best], kind="stable")[:n]]
        pairs.append((order, row[order]))
    return pairs


def _unit64(vectors: Vectors) -> npt.NDArray[np.float64]:
    """Scale rows to length 1 in float64: squares of float32 components above 1e19 would overflow."""
    rows = vectors.astype(np.float64)
    norms = np.sqrt(np.add.reduce(rows * rows, axis=1, keepdims=True))
    usable = np.isfinite(norms) & (norms > LEAST)
    return np.divide(rows, norms, out=np.zeros_like(rows), where=usable)

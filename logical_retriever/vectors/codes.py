"""Vectors in a byte a component: a first look at them that says how far off it may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logical_retriever.vectors import StoredVectors, Vectors, cosine_error

LARGEST = 127
"""Greatest magnitude of a code."""
_BLOCK = 512
"""Rows encoded at once: what is computed of them stays in the processor's cache."""


@dataclass(frozen=True)
class Codes:
    """N vectors, scaled to length 1, as whole multiples of a step of their own.

    Attributes:
        values: Shape (N, d), int8.
        steps: Shape (N,), float32: ``values * steps`` is near the vector of length 1; 0 for a vector without use.
        errors: Shape (N,), float32: how far a cosine with ``values * steps``, computed in float32, may be from the
            vector's own cosine. By Cauchy and Schwarz that is the length of what the codes leave out.
    """

    values: npt.NDArray[np.int8]
    steps: Vectors
    errors: Vectors

    def __len__(self) -> int:
        return len(self.values)


def encode(vectors: StoredVectors, scales: Vectors) -> Codes:
    """Round every component to the nearest of 255 steps between the vector's largest magnitudes.

    Args:
        vectors: Shape (N, d).
        scales: Shape (N,): what :func:`~logical_retriever.vectors.prepare` gave for them.

    Examples:
        >>> codes = encode(np.array([[0.6, 0.8]], np.float32), np.array([1.0], np.float32))
        >>> codes.values.tolist()
        [[95, 127]]
    """
    count, dimension = vectors.shape
    codes = Codes(np.zeros((count, dimension), dtype=np.int8), np.zeros(count, np.float32), np.zeros(count, np.float32))
    for start in range(0, count, _BLOCK):
        block = slice(start, start + _BLOCK)
        known = scales[block]
        # Rows without use, which may not be finite, take no part in any product.
        rows = np.where(known[:, None] != 0.0, vectors[block], np.float32(0.0)) * known[:, None]
        largest = np.abs(rows).max(axis=1, initial=0.0)
        steps = largest / np.float32(LARGEST)
        values = np.rint(np.divide(rows, steps[:, None], out=np.zeros_like(rows), where=steps[:, None] > 0))
        codes.values[block], codes.steps[block] = values, steps
        left_out = rows - values * steps[:, None]
        lengths = np.sqrt(np.einsum("nd,nd->n", left_out, left_out))
        # 1 part in a thousand for the rounding of these lengths themselves.
        codes.errors[block] = 1.001 * lengths + np.float32(cosine_error(dimension))
    return codes

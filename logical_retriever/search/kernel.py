"""An optional kernel: the cosines of several texts in one pass over the vectors, compiled by numba."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.vectors import Vectors

LANES = 4
"""Texts that are compared with a document while one piece of its vector lies in a register."""

Kernel = Callable[[Vectors, "Vectors | npt.NDArray[np.int8]", Vectors], Vectors]
"""From texts of length 1, shape (T, d), documents or their codes, shape (N, d), and their scales or steps, shape (N,),
to cosines, shape (T, N), float32, by rounding a little outside [-1, 1]."""


@cache
def compiled_kernel() -> Kernel | None:
    """The kernel, compiled; None where numba is not installed.

    Importing numba takes about a second, compiling as long the first time; the result is kept on disk where the
    package's folder, or ``NUMBA_CACHE_DIR``, can be written to.
    """
    try:
        numba: Any = importlib.import_module("numba")
    except ImportError:
        return None
    # Sums may be reordered and fused; values that are not numbers keep their meaning.
    options = {"nogil": True, "fastmath": {"reassoc", "contract", "nsz"}}
    signature = "void(float32[:, ::1], {}[:, ::1], float32[::1], float32[:, ::1], int64)"
    signatures = [signature.format(stored) for stored in ("float32", "int8")]
    try:
        compiled = numba.njit(signatures, cache=True, **options)(_cosines)
    except RuntimeError:  # no folder for the cache
        compiled = numba.njit(signatures, **options)(_cosines)

    def kernel(texts: Vectors, documents: Vectors | npt.NDArray[np.int8], scales: Vectors) -> Vectors:
        count = len(texts)
        # Three texts cost as much as four; one or two are compared singly.
        padded = texts if count % LANES != LANES - 1 else np.concatenate([texts, np.zeros_like(texts[:1])])
        found = np.empty((len(padded), len(documents)), dtype=np.float32)
        compiled(
            np.ascontiguousarray(padded, dtype=np.float32),
            np.ascontiguousarray(documents),
            np.ascontiguousarray(scales, dtype=np.float32),
            found,
            len(padded) - len(padded) % LANES,
        )
        return found[:count]

    return kernel


def _cosines(texts: Any, documents: Any, scales: Any, found: Any, together: int) -> None:
    """Fill ``found``, shape (T, N): the first ``together`` texts four at a time, the others singly."""
    count, dimension = documents.shape
    for i in range(count):
        scale = scales[i]
        if scale == 0.0:  # a vector of zeros, or one that is not finite
            for t in range(texts.shape[0]):
                found[t, i] = 0.0
            continue
        for t in range(0, together, 4):
            a = np.float32(0.0)
            b = np.float32(0.0)
            c = np.float32(0.0)
            d = np.float32(0.0)
            for j in range(dimension):
                x = np.float32(documents[i, j])
                a += x * texts[t, j]
                b += x * texts[t + 1, j]
                c += x * texts[t + 2, j]
                d += x * texts[t + 3, j]
            found[t, i] = a * scale
            found[t + 1, i] = b * scale
            found[t + 2, i] = c * scale
            found[t + 3, i] = d * scale
        for t in range(together, texts.shape[0]):
            a = np.float32(0.0)
            for j in range(dimension):
                a += np.float32(documents[i, j]) * texts[t, j]
            found[t, i] = a * scale

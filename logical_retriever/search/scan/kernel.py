"""Optional kernels: the cosines of several texts in one pass over the vectors, compiled by numba."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.vectors import Halves, Vectors

LANES = 4
"""Texts that are compared with a document while one piece of its vector lies in a register."""

Kernel = Callable[[Vectors, Any, "Vectors | None"], Vectors]
"""From texts of length 1, shape (T, d), documents or their codes, shape (N, d), and their scales or steps, shape (N,),
which halves need not have, to cosines, shape (T, N), float32, by rounding a little outside [-1, 1]."""


@cache
def compiled_kernel() -> Kernel | None:
    """The kernel, compiled; None where numba is not installed.

    Importing numba takes about a second, compiling as long the first time; the result is kept on disk where the
    package's folder, or ``NUMBA_CACHE_DIR``, can be written to.
    """
    signature = "void(float32[:, ::1], {}[:, ::1], float32[::1], float32[:, ::1])"
    compiled = _compiled(_cosines, [signature.format(stored) for stored in ("float32", "int8")])
    if compiled is None:
        return None

    def kernel(texts: Vectors, documents: Vectors | npt.NDArray[np.int8], scales: Vectors | None) -> Vectors:
        count = len(texts)
        # Three texts cost as much as four.
        padded = texts if count % LANES != LANES - 1 else np.concatenate([texts, np.zeros_like(texts[:1])])
        found = np.empty((len(padded), len(documents)), dtype=np.float32)
        compiled(
            np.ascontiguousarray(padded, dtype=np.float32),
            np.ascontiguousarray(documents),
            np.ascontiguousarray(scales, dtype=np.float32),
            found,
        )
        return found[:count]

    return kernel


@cache
def half_kernel() -> Kernel | None:
    """The kernel for vectors of float16, as :func:`compiled_kernel`."""
    # Their bits: neither numba nor every processor has halves.
    compiled = _compiled(_half_cosines, ["void(float32[:, ::1], Array(uint16, 2, 'C', True), float32[:, ::1])"])
    if compiled is None:
        return None

    def kernel(texts: Vectors, documents: Halves, scales: Vectors | None = None) -> Vectors:  # noqa: ARG001  a Kernel's
        count = len(texts)
        padded = np.zeros((-(-count // LANES) * LANES, texts.shape[1]), dtype=np.float32)
        padded[:count] = texts
        found = np.empty((len(padded), len(documents)), dtype=np.float32)
        compiled(padded, np.require(documents, requirements=["C", "A"]).view(np.uint16), found)
        return found[:count]

    return kernel


def _compiled(function: Callable[..., None], signatures: list[str]) -> Callable[..., None] | None:
    try:
        numba: Any = importlib.import_module("numba")
    except ImportError:
        return None
    # Sums may be reordered and fused; values that are not numbers keep their meaning.
    options = {"nogil": True, "fastmath": {"reassoc", "contract", "nsz"}}
    compiled: Callable[..., None]
    try:
        compiled = numba.njit(signatures, cache=True, **options)(function)
    except RuntimeError:  # no folder for the cache
        compiled = numba.njit(signatures, **options)(function)
    return compiled


def _cosines(texts: Any, documents: Any, scales: Any, found: Any) -> None:
    """Fill ``found``, shape (T, N): texts four at a time, then two, then one.

    Documents are taken in pairs from both halves: memory is read faster in two places than in one, and each piece of a
    text's vector is used twice while it lies in a register.
    """
    count, dimension = documents.shape
    half = (count + 1) // 2
    fours = texts.shape[0] - texts.shape[0] % 4
    twos = texts.shape[0] - texts.shape[0] % 2
    zero = np.float32(0.0)
    for i in range(half):
        k = min(i + half, count - 1)  # of an odd number the last stands alone
        # Scale 0: a vector of zeros, or one that is not finite, whose products are no numbers.
        p, q = scales[i], scales[k]
        for t in range(0, fours, 4):
            a, b, c, d = zero, zero, zero, zero
            e, f, g, h = zero, zero, zero, zero
            for j in range(dimension):
                x, y = np.float32(documents[i, j]), np.float32(documents[k, j])
                a += x * texts[t, j]
                b += x * texts[t + 1, j]
                c += x * texts[t + 2, j]
                d += x * texts[t + 3, j]
                e += y * texts[t, j]
                f += y * texts[t + 1, j]
                g += y * texts[t + 2, j]
                h += y * texts[t + 3, j]
            found[t, i], found[t, k] = a * p if p != zero else zero, e * q if q != zero else zero
            found[t + 1, i], found[t + 1, k] = b * p if p != zero else zero, f * q if q != zero else zero
            found[t + 2, i], found[t + 2, k] = c * p if p != zero else zero, g * q if q != zero else zero
            found[t + 3, i], found[t + 3, k] = d * p if p != zero else zero, h * q if q != zero else zero
        for t in range(fours, twos, 2):
            a, b, e, f = zero, zero, zero, zero
            for j in range(dimension):
                x, y = np.float32(documents[i, j]), np.float32(documents[k, j])
                a += x * texts[t, j]
                b += x * texts[t + 1, j]
                e += y * texts[t, j]
                f += y * texts[t + 1, j]
            found[t, i], found[t, k] = a * p if p != zero else zero, e * q if q != zero else zero
            found[t + 1, i], found[t + 1, k] = b * p if p != zero else zero, f * q if q != zero else zero
        for t in range(twos, texts.shape[0]):
            a, e = zero, zero
            for j in range(dimension):
                a += np.float32(documents[i, j]) * texts[t, j]
                e += np.float32(documents[k, j]) * texts[t, j]
            found[t, i], found[t, k] = a * p if p != zero else zero, e * q if q != zero else zero


def _half_cosines(texts: Any, halves: Any, found: Any) -> None:
    """Fill ``found``, shape (T, N), from texts four at a time and the bits of float16, shape (N, d).

    A half becomes a float32 in a register, by shifting its bits, and lengths are computed beside the products.
    """
    count, dimension = halves.shape
    zero = np.float32(0.0)
    for i in range(count):
        for t in range(0, texts.shape[0], 4):
            a, b, c, d, squares = zero, zero, zero, zero, zero
            for j in range(dimension):
                bits = np.uint32(halves[i, j])
                size = bits & np.uint32(0x7FFF)
                x = np.uint32((size << np.uint32(13)) + np.uint32(112 << 23)).view(np.float32)
                # Below 2^-14 a number of steps of 2^-24; from 2^16 on infinity, or not a number.
                x = x if size >= np.uint32(0x0400) else np.float32(np.int32(size)) * np.float32(2.0**-24)
                x = x if size < np.uint32(0x7C00) else np.float32(np.inf)
                x = x if bits == size else -x
                squares += x * x
                a += x * texts[t, j]
                b += x * texts[t + 1, j]
                c += x * texts[t + 2, j]
                d += x * texts[t + 3, j]
            # Squares of halves neither under- nor overflow.
            usable = zero < squares < np.float32(np.inf)
            scale = np.float32(1.0) / np.sqrt(squares) if usable else zero
            found[t, i], found[t + 1, i] = a * scale if usable else zero, b * scale if usable else zero
            found[t + 2, i], found[t + 3, i] = c * scale if usable else zero, d * scale if usable else zero

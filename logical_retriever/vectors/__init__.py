"""Arrays of vectors, and cosines computed from them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import VectorMismatchError

Vectors = npt.NDArray[np.float32]
"""Shape (N, d), one vector a row."""
Halves = npt.NDArray[np.float16]
StoredVectors = Vectors | Halves
"""The same as a store has them."""
_Found = tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]

SHORTEST, LONGEST = 1e-15, 1e15
"""Lengths between which products of float32 neither under- nor overflow, whatever the components."""
_BLOCK = 256
"""Rows scaled at once: in float64 they stay in the processor's cache, and a large store takes a quarter of the time."""
_PIECE = 9000
"""Numbers in one product of documents with a query vector: they stay in the processor's nearest cache until every query
vector has met them, and a BLAS does not split so small a product among threads, which would wait for each other."""
_NEAREST_BLOCK = 65_536
"""Documents compared at once when the nearest ones are wanted."""


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
        rows[start : start + _BLOCK] = _unit64(rows[start : start + _BLOCK])
    return rows


def prepare(vectors: StoredVectors) -> Vectors:
    """Make rows ready for products in float32, so that they need not be copied.

    Rows shorter than :data:`SHORTEST` or longer than :data:`LONGEST` are multiplied, in place, by a power of two that
    brings their length near 1; that changes no cosine. Others stay as they are.

    Args:
        vectors: Shape (N, d), the caller's own.

    Returns:
        Shape (N,), float32: 1 / length of each row; 0 for rows that are all zeros or not finite.
    """
    scales = np.zeros(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK]
        rows = block.astype(np.float64)
        norms = np.sqrt(np.add.reduce(rows * rows, axis=1))
        usable = np.isfinite(norms) & (norms > 0)
        extreme = usable & ((norms < SHORTEST) | (norms > LONGEST))
        if extreme.any():
            exponents = np.frexp(norms[extreme])[1]
            block[extreme] = np.ldexp(rows[extreme], -exponents[:, None])
            norms[extreme] = np.ldexp(norms[extreme], -exponents)
        scales[start : start + _BLOCK] = np.divide(1.0, norms, out=np.zeros_like(norms), where=usable)
    return scales


def has_extremes(vectors: Vectors) -> bool:
    """Whether a row, shape (N, d), is so short or long that an engine that computes in float32 may lose it."""
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    usable = lengths[np.isfinite(lengths) & (lengths > 0)]
    return bool(((usable < SHORTEST) | (usable > LONGEST)).any())


def cosines(queries: Vectors, documents: StoredVectors, known: Vectors | None = None) -> npt.NDArray[np.float64]:
    """Cosine of every query vector with every document vector.

    Args:
        queries: Shape (T, d).
        documents: Shape (N, d).
        known: Shape (N,): what :func:`prepare` gave for the documents, where it has been called.

    Returns:
        Shape (T, N), float64, in [-1, 1], computed in float32; 0 wherever a vector is all zeros or not finite.

    Raises:
        VectorMismatchError: The two have different d.
    """
    found = rough_cosines(queries, documents, known).astype(np.float64)
    return np.clip(found, -1.0, 1.0, out=found)


def rough_cosines(queries: Vectors, documents: StoredVectors, known: Vectors | None = None) -> Vectors:
    """As :func:`cosines`, float32, and by up to :func:`cosine_error` outside [-1, 1]."""
    check_dimensions(queries, documents)
    if known is None:
        return _products(unit(queries), unit(documents))
    with np.errstate(invalid="ignore", over="ignore"):  # rows that are not finite have scale 0
        products = _products(unit(queries), documents)
        products *= known
    unusable = known == 0.0
    if unusable.any():
        products[:, unusable] = 0.0
    return products


def table_of_cosines(texts: Vectors, documents: StoredVectors, known: Vectors) -> Vectors:
    """As :func:`rough_cosines`, for many texts of length 1: one product of two matrices, by all processors.

    Args:
        texts: Shape (T, d), of length 1.
        documents: Shape (N, d).
        known: Shape (N,): what :func:`prepare` gave for them.
    """
    found = np.empty((len(texts), len(documents)), dtype=np.float32)
    for start in range(0, len(documents), _NEAREST_BLOCK):
        block = slice(start, start + _NEAREST_BLOCK)
        with np.errstate(invalid="ignore", over="ignore"):  # rows that are not finite have scale 0
            np.multiply(texts @ documents[block].T, known[block], out=found[:, block])
    found[:, known == 0.0] = 0.0
    return found


def check_dimensions(queries: Vectors, documents: StoredVectors) -> None:
    """Refuse query vectors of shape (T, d) and documents of shape (N, d) that cannot be compared.

    Raises:
        VectorMismatchError: The two have different d.
    """
    if queries.shape[1] != documents.shape[1]:
        raise VectorMismatchError(
            f"Query vectors have dimension {queries.shape[1]}, the stored vectors {documents.shape[1]}.",
            hint="Use the embedding model that the documents were encoded with.",
        )


def cosine_error(dimension: int) -> float:
    """How far :func:`cosines`, or those of a store that computes in float32 as well, may be from the true ones.

    A sum of d rounded products is off by at most ``λ √d u`` times the vectors' lengths, but with a probability that
    falls as ``exp(-λ²/2)`` (Higham and Mary, "A new approach to probabilistic rounding error analysis", SIAM Journal
    on Scientific Computing 41, 2019): λ is 6, u is 2⁻²⁴. Scaling to length 1, in float32, adds a few u.
    """
    return (6.0 * math.sqrt(dimension) + 8.0) * 2.0**-24


def worst_cosine_error(dimension: int) -> float:
    """How far a cosine that another engine computes in float32 may be from the true one, in whatever order it sums.

    A sum of d products is off by at most ``d u`` times the vectors' lengths, and each squared length by ``d u`` times
    itself (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 3.1); u is 2⁻²⁴. An engine that
    adds one product after another comes near it where one component outweighs the others: each of these is then
    rounded away, all to the same side, which :func:`cosine_error` takes to be random.
    """
    return (2.0 * dimension + 8.0) * 2.0**-24


def precise_cosines(queries: Vectors, documents: StoredVectors) -> npt.NDArray[np.float64]:
    """As :func:`cosines`, in float64 one document at a time: rows that are equal get equal cosines.

    Among documents that are nearly copies of one another float32 cannot tell which is nearer; and a matrix product
    rounds differently in different places of an array, which turns ties into differences.

    Args:
        queries: Shape (T, d).
        documents: Shape (N, d); a few.

    Returns:
        Shape (T, N), in [-1, 1].
    """
    check_dimensions(queries, documents)
    sums = np.einsum("td,nd->tn", _unit64(queries), _unit64(documents))
    clipped: npt.NDArray[np.float64] = np.clip(sums, -1.0, 1.0, out=sums)
    return clipped


def nearest(queries: Vectors, documents: StoredVectors, n: int, known: Vectors | None = None) -> list[_Found]:
    """The n documents of greatest cosine for each query vector, without sorting all of them.

    Args:
        queries: Shape (T, d).
        documents: Shape (N, d).
        n: At least 1.
        known: Shape (N,): what :func:`prepare` gave for the documents, where it has been called.

    Returns:
        T pairs: positions of at most n documents, nearest first, ties in the order of rows; and their cosines.
    """
    parts: list[list[_Found]] = [[] for _ in queries]
    for start in range(0, len(documents), _NEAREST_BLOCK):
        block = slice(start, start + _NEAREST_BLOCK)
        found = cosines(queries, documents[block], None if known is None else known[block])
        for part, row in zip(parts, found, strict=True):
            best = _greatest(row, n)
            part.append((best + start, row[best]))
    return [_merged(part, n) for part in parts]


def _merged(parts: list[_Found], n: int) -> _Found:
    positions = np.concatenate([np.empty(0, np.intp), *(part[0] for part in parts)])
    values = np.concatenate([np.empty(0), *(part[1] for part in parts)])
    kept = _greatest(values, n)
    order = kept[np.argsort(-values[kept], kind="stable")[:n]]
    return positions[order], values[order]


def _greatest(values: npt.NDArray[np.float64], n: int) -> npt.NDArray[np.intp]:
    """Positions, ascending, of the n greatest values and of those that tie with the last of them."""
    if len(values) <= n:
        return np.arange(len(values))
    return np.flatnonzero(values >= np.partition(values, len(values) - n)[len(values) - n])


def _unit64(vectors: StoredVectors) -> npt.NDArray[np.float64]:
    """Rows of length 1, or of zeros, in float64: the squares of float32 components above 1e19 overflow."""
    rows = vectors.astype(np.float64)
    norms = np.sqrt(np.add.reduce(rows * rows, axis=1, keepdims=True))
    usable = np.isfinite(norms) & (norms > 0)
    return np.divide(rows, norms, out=np.zeros_like(rows), where=usable)


def _products(queries: Vectors, documents: StoredVectors) -> Vectors:
    """Inner products, shape (T, N), reading every document from memory once."""
    count, dimension = documents.shape
    piece = 1 << max(0, (_PIECE // max(1, dimension)).bit_length() - 1)  # a BLAS takes rows in fours or eights
    even = count - count % piece
    # A product with one vector for each piece and query, in one call: matrix products with a few columns are slower.
    pieces = documents[:even].reshape(-1, 1, piece, dimension) @ queries[None, :, :, None]
    found = np.empty((len(queries), count), dtype=np.float32)
    found[:, :even] = pieces[..., 0].transpose(1, 0, 2).reshape(len(queries), even)
    found[:, even:] = queries @ documents[even:].T
    return found

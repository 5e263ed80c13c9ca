"""Texts to vectors: the one thing asked of an encoder, and the checks on what it returns."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import EmbeddingError, LogicalRetrieverError

Vectors = npt.NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Encodes texts. Queries and documents are kept apart because asymmetric models treat them differently."""

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Encode T query texts: shape (T, d)."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Encode N document texts: shape (N, d)."""
        ...


@runtime_checkable
class AsyncEmbedder(Embedder, Protocol):
    """An embedder with a native asynchronous twin; without it, a thread encodes."""

    async def aembed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Encode T query texts without blocking the event loop: shape (T, d)."""
        ...


def embed_terms(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Encode distinct query texts.

    Args:
        embedder: The encoder the store's documents were encoded with.
        texts: T texts.

    Returns:
        Shape (T, d), float32, as the encoder gave them (not normalised).

    Raises:
        EmbeddingError: The encoder raised, or returned another number of rows, NaN or infinite values, or a zero
            vector.
    """
    try:
        raw = embedder.embed_queries(texts)
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise _failed(error) from error
    return _checked(raw, texts)


async def aembed_terms(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Asynchronous twin of :func:`embed_terms`; an embedder without one runs in a thread."""
    try:
        if isinstance(embedder, AsyncEmbedder):
            raw = await embedder.aembed_queries(texts)
        else:
            raw = await asyncio.to_thread(embedder.embed_queries, texts)
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise _failed(error) from error
    return _checked(raw, texts)


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
    # float64 norms: float32 overflows for components above 1e19.
    norms = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    usable = np.isfinite(norms) & (norms > 0)
    scaled = np.divide(rows, norms, out=np.zeros_like(rows, dtype=np.float64), where=usable)
    return scaled.astype(np.float32)


def _failed(error: Exception) -> EmbeddingError:
    return EmbeddingError(
        f"The embedder raised {type(error).__name__}: {error}",
        hint="Check that the embedding model is reachable and that the terms are within its limits.",
    )


def _checked(raw: Any, texts: Sequence[str]) -> Vectors:
    vectors = np.asarray(raw, dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise EmbeddingError(
            f"The embedder returned an array of shape {vectors.shape} for {len(texts)} texts.",
            hint="An embedder returns one vector of equal length per text.",
        )
    for text, row in zip(texts, vectors, strict=True):
        if not np.isfinite(row).all() or not row.any():
            shown = text if len(text) <= 60 else f"{text[:57]}..."
            raise EmbeddingError(
                f"The embedder returned a zero vector or NaN for the term {shown!r}.",
                hint="Such a vector has no direction to compare; check the model's input limits.",
            )
    return vectors

"""Texts to vectors: the one thing asked of an encoder, and the checks on what it returns."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import EmbeddingError, LogicalRetrieverError
from logical_retriever.vectors import Vectors, scales_of

R = TypeVar("R")
THREADS = 8
"""Most requests to an encoder at the same time."""


@runtime_checkable
class Embedder(Protocol):
    """Makes vectors of texts: any object with these two methods.

    Queries and documents are kept apart because asymmetric models treat them differently. One with coroutines
    ``aembed_queries`` and ``aembed_documents`` of the same form is awaited in asynchronous searches.
    """

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Encode T query texts: shape (T, d)."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Encode N document texts: shape (N, d)."""
        ...


def embed_terms(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Encode T distinct query texts in one call: shape (T, d), float32.

    Raises:
        EmbeddingError: The encoder raised, or returned another number of rows, NaN or infinite values, or a zero
            vector.
    """
    with _named_errors():
        raw = embedder.embed_queries(texts)
    return _checked(raw, texts)


async def aembed_terms(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """As :func:`embed_terms`; an embedder without ``aembed_queries`` runs in a thread."""
    embed: Any = getattr(embedder, "aembed_queries", None)
    if embed is None:
        return await asyncio.to_thread(embed_terms, embedder, texts)
    with _named_errors():
        raw = await embed(texts)
    return _checked(raw, texts)


def embed_passages(embedder: Embedder, texts: Sequence[str], *, blank: bool = False) -> Vectors:
    """As :func:`embed_terms`, for N document texts, encoded as documents are; the encoder is not asked about none.

    Where ``blank``, a text may have a vector of zeros or NaN, as an empty document has: a search gives it cosine 0.
    """
    with _named_errors():
        raw = embedder.embed_documents(texts) if texts else np.empty((0, 0))
    return _checked(raw, texts, blank=blank)


async def aembed_passages(embedder: Embedder, texts: Sequence[str], *, blank: bool = False) -> Vectors:
    """As :func:`embed_passages`; an embedder without ``aembed_documents`` runs in a thread."""
    embed: Any = getattr(embedder, "aembed_documents", None)
    if embed is None or not texts:
        return await asyncio.to_thread(embed_passages, embedder, texts, blank=blank)
    with _named_errors():
        raw = await embed(texts)
    return _checked(raw, texts, blank=blank)


def embed_each(embed_query: Callable[[str], R], texts: Sequence[str], *, local: bool = False) -> list[R]:
    """Encode T texts with a function that takes one, in parallel threads unless the model is local.

    Args:
        embed_query: Encodes one text.
        texts: T texts.
        local: Whether the model computes in this process, see :func:`is_local`: it uses all cores for one text.

    Returns:
        T results, in order. The first error of any is raised.
    """
    if local or len(texts) < 2:
        return [embed_query(text) for text in texts]
    with ThreadPoolExecutor(min(len(texts), THREADS)) as pool:
        # Each call sees the context of the caller: callbacks and traces hang on it.
        calls = [pool.submit(copy_context().run, embed_query, text) for text in texts]
        return [call.result() for call in calls]


def is_local(model: object) -> bool:
    """Whether one of an object's attributes is a model of torch, which computes in this process."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    attributes = {**getattr(model, "__dict__", {}), **(getattr(model, "__pydantic_private__", None) or {})}
    return any(isinstance(value, torch.nn.Module) for value in attributes.values())


class ModelEmbedder:
    """The queries' half of an embedder over a framework's model that encodes one query a call.

    Args:
        model: The framework's model.
        embed_query: Encodes one text.
        aembed_query: Its asynchronous twin.
    """

    def __init__(
        self, model: object, embed_query: Callable[[str], R], aembed_query: Callable[[str], Awaitable[R]]
    ) -> None:
        self.encoder, self._embed_query, self._aembed_query = model, embed_query, aembed_query

    def embed_queries(self, texts: Sequence[str]) -> list[Any]:
        """Encode T query texts, one call each, in parallel unless the model is local; T rows of length d."""
        return embed_each(self._embed_query, texts, local=is_local(self.encoder))

    async def aembed_queries(self, texts: Sequence[str]) -> list[Any]:
        """Asynchronous twin of :meth:`embed_queries`."""
        if is_local(self.encoder):
            return await asyncio.to_thread(self.embed_queries, texts)
        return list(await asyncio.gather(*map(self._aembed_query, texts)))


@contextmanager
def _named_errors() -> Iterator[None]:
    try:
        yield
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise EmbeddingError(
            f"The embedder raised {type(error).__name__}: {error}",
            hint="Check that the embedding model is reachable and that the texts are within its limits.",
        ) from error


def _checked(raw: Any, texts: Sequence[str], *, blank: bool = False) -> Vectors:
    hint = "An embedder returns one vector of equal length per text."
    try:
        vectors = np.array(raw, dtype=np.float32)
    except (TypeError, ValueError) as error:  # rows of several lengths, or no numbers
        raise EmbeddingError(
            f"What the embedder returned for {len(texts)} texts is no array of numbers: {error}", hint=hint
        ) from error
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise EmbeddingError(
            f"The embedder returned an array of shape {vectors.shape} for {len(texts)} texts.", hint=hint
        )
    for text, scale in zip(texts, scales_of(vectors).tolist(), strict=True):
        if scale == 0.0 and not blank:
            shown = text if len(text) <= 60 else f"{text[:57]}..."
            raise EmbeddingError(
                f"The embedder returned a zero vector or NaN for the text {shown!r}.",
                hint="Such a vector has no direction to compare; check the model's input limits.",
            )
    return vectors

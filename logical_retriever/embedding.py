"""The interface of an encoder of texts, and the checks on the vectors that it returns."""

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
"""Most simultaneous requests to an encoder."""


@runtime_checkable
class Embedder(Protocol):
    """An encoder of texts: any object with these two methods.

    Queries and documents have a method each, because asymmetric models encode them differently. Asynchronous searches
    await the coroutines ``aembed_queries`` and ``aembed_documents`` of the same form, where an encoder has them.
    """

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Encode T query texts: shape (T, d)."""

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Encode N document texts: shape (N, d)."""


def embed_texts(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Encode T distinct query texts in one call: shape (T, d), float32. An empty list does not call the encoder.

    Raises:
        EmbeddingError: The encoder raised, or returned another number of rows, NaN or infinite values, or a zero
            vector.
    """
    return _encode(embedder.embed_queries, texts)


async def aembed_texts(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Encode as :func:`embed_texts`, by ``aembed_queries``, or in a thread where the embedder has no such coroutine."""
    return await _aencode(getattr(embedder, "aembed_queries", None), embedder.embed_queries, texts)


def embed_passages(embedder: Embedder, texts: Sequence[str], *, blank: bool = False) -> Vectors:
    """Encode N document texts: shape (N, d), float32. An empty list does not call the encoder.

    With ``blank``, vectors of zeros or NaN are allowed, as of an empty document: a search gives them cosine 0.

    Raises:
        EmbeddingError: As :func:`embed_texts`.
    """
    return _encode(embedder.embed_documents, texts, blank)


async def aembed_passages(embedder: Embedder, texts: Sequence[str], *, blank: bool = False) -> Vectors:
    """Encode as :func:`embed_passages`, by ``aembed_documents`` or in a thread."""
    return await _aencode(getattr(embedder, "aembed_documents", None), embedder.embed_documents, texts, blank)


def embed_each(embed_query: Callable[[str], R], texts: Sequence[str], *, local: bool = False) -> list[R]:
    """Encode T texts by a function of one text, in parallel threads unless the model is local.

    Args:
        embed_query: Encodes one text.
        texts: T texts.
        local: Whether the model runs in this process (:func:`is_local`) and uses all cores for one text.

    Returns:
        T results, in order. The first error is raised.
    """
    if local or len(texts) < 2:
        return [embed_query(text) for text in texts]
    with ThreadPoolExecutor(min(len(texts), THREADS)) as pool:
        # Each call has the caller's context: callbacks and traces depend on it.
        calls = [pool.submit(copy_context().run, embed_query, text) for text in texts]
        return [call.result() for call in calls]


def is_local(model: object) -> bool:
    """Return whether an attribute of the object is a torch model, which runs in this process."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    attributes = {**getattr(model, "__dict__", {}), **(getattr(model, "__pydantic_private__", None) or {})}
    return any(isinstance(value, torch.nn.Module) for value in attributes.values())


def _encode(encode: Callable[[Sequence[str]], Any], texts: Sequence[str], blank: bool = False) -> Vectors:
    with _embedding_errors():
        raw = encode(texts) if texts else np.empty((0, 0))
    return _checked(raw, texts, blank)


async def _aencode(
    coroutine: Any, encode: Callable[[Sequence[str]], Any], texts: Sequence[str], blank: bool = False
) -> Vectors:
    if coroutine is None or not texts:
        return await asyncio.to_thread(_encode, encode, texts, blank)
    with _embedding_errors():
        raw = await coroutine(texts)
    return _checked(raw, texts, blank)


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
def _embedding_errors() -> Iterator[None]:
    """Turn any exception of the embedder into an EmbeddingError."""
    try:
        yield
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise EmbeddingError(
            f"The embedder raised {type(error).__name__}: {error}",
            hint="Check that the embedding model is reachable and that the texts are within its limits.",
        ) from error


def _checked(raw: Any, texts: Sequence[str], blank: bool) -> Vectors:
    """Convert an encoder's answer to shape (N, d), float32, after a check of its shape and values."""
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

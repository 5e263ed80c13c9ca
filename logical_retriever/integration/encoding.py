"""Documents of which vectors may have to be made, by encoding their texts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from logical_retriever.embedding import Embedder
from logical_retriever.errors import EmbeddingError, LogicalRetrieverError
from logical_retriever.stores import StoredDocument
from logical_retriever.stores.rows import matrix
from logical_retriever.vectors import Vectors


@dataclass(frozen=True)
class Encodable:
    """A document with what an encoder is given for it.

    Attributes:
        document: The document.
        encoded: The text that its store was filled with, which may hold more than the document's own text.
        vector: Shape (d,), where the document carries one, else None.
    """

    document: StoredDocument
    encoded: str
    vector: Sequence[float] | Vectors | None = None


def unencoded_texts(documents: Sequence[Encodable]) -> list[str]:
    """Distinct texts of the documents that carry no vector, in order of first occurrence."""
    return list(dict.fromkeys(one.encoded for one in documents if one.vector is None))


def as_matrix(documents: Sequence[Encodable], vectors: Mapping[str, Vectors]) -> Vectors:
    """Shape (N, d): the vector that each document carries, or that of its text.

    Raises:
        EmbeddingError: They are of several lengths.
    """
    rows = [vectors[one.encoded] if one.vector is None else one.vector for one in documents]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise EmbeddingError(
            f"The documents' vectors have the lengths {', '.join(map(str, lengths))}.",
            hint="Use the embedding model that the documents' own vectors are from.",
        )
    return matrix(rows)


def encode(embedder: Embedder, texts: Sequence[str], *, whose: str) -> Vectors:
    """Encode texts of documents in one call; a row of zeros or NaN is left to the search, as a stored one is.

    Args:
        embedder: What the documents' store was filled with.
        texts: N texts, none for no call.
        whose: How messages name what the texts belong to.

    Returns:
        Shape (N, d), float32.

    Raises:
        EmbeddingError: The embedder raised, or returned something else.
    """
    if not texts:
        return np.empty((0, 0), dtype=np.float32)
    try:
        return _checked(embedder.embed_documents(texts), texts, whose)
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise _failed(error, texts, whose) from error


async def aencode(embedder: Embedder, texts: Sequence[str], *, whose: str) -> Vectors:
    """Asynchronous twin of :func:`encode`; an embedder without ``aembed_documents`` runs in a thread."""
    embed: Any = getattr(embedder, "aembed_documents", None)
    if embed is None or not texts:
        return await asyncio.to_thread(encode, embedder, texts, whose=whose)
    try:
        return _checked(await embed(texts), texts, whose)
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise _failed(error, texts, whose) from error


def _checked(raw: Any, texts: Sequence[str], whose: str) -> Vectors:
    try:
        rows = np.asarray(raw, dtype=np.float32)
    except (TypeError, ValueError) as error:  # rows of several lengths, or no numbers
        raise EmbeddingError(
            f"What the embedding model returned for {len(texts)} texts of {whose} is no array of numbers: {error}",
            hint="An embedding model returns one vector of equal length per text.",
        ) from error
    if rows.ndim != 2 or len(rows) != len(texts):
        raise EmbeddingError(
            f"The embedding model returned an array of shape {rows.shape} for {len(texts)} texts of {whose}.",
            hint="An embedding model returns one vector of equal length per text.",
        )
    return rows


def _failed(error: Exception, texts: Sequence[str], whose: str) -> EmbeddingError:
    return EmbeddingError(
        f"The embedding model raised {type(error).__name__} for {len(texts)} texts of {whose}: {error}",
        hint="Check that the embedding model is reachable and that the texts are within its limits.",
    )

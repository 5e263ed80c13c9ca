"""LangChain embeddings as the core's embedder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from langchain_core.embeddings import Embeddings

from logical_retriever.adapters import Embedder, InvalidArgumentError, embed_each, is_local


class LangChainEmbedder:
    """Encodes terms with ``embed_query`` and documents with ``embed_documents``.

    The two are kept apart because asymmetric models prefix queries and documents differently.

    Args:
        embeddings: The embeddings that the store's documents were encoded with.
    """

    def __init__(self, embeddings: Embeddings) -> None:
        self.embeddings = self.encoder = embeddings

    def embed_queries(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode T query texts, one call each, at the same time unless the model is local: T rows of length d."""
        return embed_each(self.embeddings.embed_query, texts, local=is_local(self.embeddings))

    async def aembed_queries(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode T query texts concurrently, unless the model is local: T rows of length d."""
        if is_local(self.embeddings):
            return await asyncio.to_thread(self.embed_queries, texts)
        return list(await asyncio.gather(*(self.embeddings.aembed_query(text) for text in texts)))

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode N document texts in one call: N rows of length d."""
        return self.embeddings.embed_documents(list(texts))

    async def aembed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode N document texts in one call that does not block the event loop: N rows of length d."""
        return await self.embeddings.aembed_documents(list(texts))


def as_embedder(embeddings: Embeddings | Embedder | None, store: object) -> Embedder:
    """Embeddings for a store as the core's embedder; one of the core is returned as it is.

    Raises:
        InvalidArgumentError: They are None, or something else.
    """
    if isinstance(embeddings, Embeddings):
        return LangChainEmbedder(embeddings)
    # A class has the methods as well, unbound.
    if isinstance(embeddings, Embedder) and not isinstance(embeddings, type):
        return embeddings
    if embeddings is None:
        raise InvalidArgumentError(
            f"{type(store).__name__} holds no embeddings.",
            hint="Pass embeddings=..., the model that its documents were encoded with.",
        )
    raise not_embeddings(embeddings)


def not_embeddings(value: object) -> InvalidArgumentError:
    """The error for anything but LangChain's embeddings."""
    return InvalidArgumentError(
        f"embeddings must be LangChain Embeddings, got {type(value).__name__}.",
        hint="Pass an instance of langchain_core.embeddings.Embeddings, or a logical_retriever Embedder.",
    )

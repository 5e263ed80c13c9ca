"""A LlamaIndex embedding model as the core's embedder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.embeddings.mock_embed_model import MockEmbedding
from llama_index.core.indices.vector_store.base import VectorStoreIndex

from logical_retriever.integration import Embedder, InvalidArgumentError, embed_each, is_local


class LlamaIndexEmbedder:
    """Encodes terms with ``get_query_embedding`` and documents with ``get_text_embedding_batch``.

    The two are kept apart because asymmetric models prefix queries and documents differently.

    Args:
        embed_model: The model that the index was built with.
    """

    def __init__(self, embed_model: BaseEmbedding) -> None:
        self.embed_model = self.encoder = embed_model

    def embed_queries(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode T query texts, one call each, at the same time unless the model is local: T rows of length d."""
        return embed_each(self.embed_model.get_query_embedding, texts, local=is_local(self.embed_model))

    async def aembed_queries(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode T query texts concurrently, unless the model is local: T rows of length d."""
        if is_local(self.embed_model):
            return await asyncio.to_thread(self.embed_queries, texts)
        return list(await asyncio.gather(*(self.embed_model.aget_query_embedding(text) for text in texts)))

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode N document texts, in batches of the model's own size: N rows of length d."""
        return self.embed_model.get_text_embedding_batch(list(texts))

    async def aembed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Asynchronous twin of :meth:`embed_documents`."""
        return await self.embed_model.aget_text_embedding_batch(list(texts))


def as_embedder(embed_model: object, *, whose: str) -> Embedder:
    """The core's view of an embedding model; a core embedder is returned as it is.

    Args:
        embed_model: What the caller gave, or the index holds.
        whose: How a message names what has no embedding model.

    Raises:
        InvalidArgumentError: It is neither.
    """
    if isinstance(embed_model, BaseEmbedding):
        return LlamaIndexEmbedder(embed_model)
    # A class has the methods as well, unbound.
    if isinstance(embed_model, Embedder) and not isinstance(embed_model, type):
        return embed_model
    if embed_model is None:
        raise InvalidArgumentError(
            f"{whose} has no embedding model.",
            hint="Pass embed_model=..., the model that its documents were encoded with.",
        )
    raise InvalidArgumentError(
        f"embed_model must be a LlamaIndex embedding model, got {type(embed_model).__name__}.",
        hint="Pass an instance of BaseEmbedding, or a logical_retriever Embedder.",
    )


def model_of(index: object) -> BaseEmbedding | None:
    """The embedding model of an index, which has no public name for it."""
    model = index._embed_model if isinstance(index, VectorStoreIndex) else None
    if isinstance(model, MockEmbedding):
        # What LlamaIndex takes where embeddings are switched off: one vector for all texts.
        raise InvalidArgumentError(
            "The index was built with MockEmbedding, which encodes all texts alike.",
            hint="Build it with a real embedding model; embed_model=MockEmbedding(...) uses this one all the same.",
        )
    return model

"""LangChain embeddings as an embedder of the core."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.embeddings import Embeddings

from logical_retriever.adapters import Embedder, InvalidArgumentError, ModelEmbedder


class LangChainEmbedder(ModelEmbedder):
    """LangChain embeddings: ``embed_query`` for terms, ``embed_documents`` for documents.

    Asymmetric models prefix the two differently.

    Args:
        embeddings: The embeddings of the store's documents.
    """

    def __init__(self, embeddings: Embeddings) -> None:
        # Looked up at each call: tracers replace methods of models that are in use.
        super().__init__(
            embeddings, lambda text: embeddings.embed_query(text), lambda text: embeddings.aembed_query(text)
        )
        self.embeddings = embeddings

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode N document texts in one call; N rows of length d."""
        return self.embeddings.embed_documents(list(texts))

    async def aembed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Asynchronous twin of :meth:`embed_documents`."""
        return await self.embeddings.aembed_documents(list(texts))


def as_embedder(embeddings: Embeddings | Embedder | None, store: object) -> Embedder:
    """Turn LangChain embeddings into an embedder of the core; return such an embedder unchanged.

    Args:
        embeddings: The embeddings.
        store: The store that they are for, named in the error.

    Raises:
        InvalidArgumentError: None, or neither embeddings nor an embedder.
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
    """Return the error for anything but LangChain embeddings."""
    return InvalidArgumentError(
        f"embeddings must be LangChain Embeddings, got {type(value).__name__}.",
        hint="Pass an instance of langchain_core.embeddings.Embeddings, or a logical_retriever Embedder.",
    )

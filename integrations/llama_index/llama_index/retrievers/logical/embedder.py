"""LlamaIndex embedding models as embedders of the core."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.embeddings.mock_embed_model import MockEmbedding
from llama_index.core.indices.vector_store.base import VectorStoreIndex

from logical_retriever.adapters import Embedder, InvalidArgumentError, ModelEmbedder


class LlamaIndexEmbedder(ModelEmbedder):
    """An embedding model: ``get_query_embedding`` for terms, ``get_text_embedding_batch`` for documents.

    Asymmetric models prefix the two differently.

    Args:
        embed_model: The index's embedding model.
    """

    def __init__(self, embed_model: BaseEmbedding) -> None:
        # Looked up at each call: tracers replace methods of models that are in use.
        super().__init__(
            embed_model,
            lambda text: embed_model.get_query_embedding(text),
            lambda text: embed_model.aget_query_embedding(text),
        )
        self.embed_model = embed_model

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode N document texts in batches of the model's own size; N rows of length d."""
        return self.embed_model.get_text_embedding_batch(list(texts))

    async def aembed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Asynchronous twin of :meth:`embed_documents`."""
        return await self.embed_model.aget_text_embedding_batch(list(texts))


def embedder_of(index: object, embed_model: object = None) -> Embedder:
    """Turn an embedding model, by default the index's, into an embedder of the core; return such an embedder unchanged.

    Raises:
        InvalidArgumentError: No embedding model, something else, or one that encodes all texts alike.
    """
    # The index has no public name for it.
    own = index._embed_model if isinstance(index, VectorStoreIndex) else None
    model = own if embed_model is None else embed_model
    if embed_model is None and isinstance(own, MockEmbedding):
        raise InvalidArgumentError(
            "The index was built with MockEmbedding, which encodes all texts alike.",
            hint="Build it with a real embedding model; embed_model=MockEmbedding(...) uses this one all the same.",
        )
    if isinstance(model, BaseEmbedding):
        return LlamaIndexEmbedder(model)
    # A class has the methods as well, unbound.
    if isinstance(model, Embedder) and not isinstance(model, type):
        return model
    if model is None:
        raise InvalidArgumentError(
            "There is no embedding model.", hint="Pass embed_model=..., the model that the documents were encoded with."
        )
    raise InvalidArgumentError(
        f"embed_model must be a LlamaIndex embedding model, got {type(model).__name__} {model!r:.80}.",
        hint="Pass an instance, for example HuggingFaceEmbedding(model_name=...), or a logical_retriever Embedder.",
    )

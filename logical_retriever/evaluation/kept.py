"""Vectors of a benchmark's documents, kept beside them from one evaluation to the next."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from logical_retriever.embedding import Embedder, embed_passages
from logical_retriever.errors import CorpusError
from logical_retriever.evaluation import files
from logical_retriever.evaluation.dataset import Document
from logical_retriever.evaluation.workbench import Vectors
from logical_retriever.files import replacing
from logical_retriever.vectors import unit

COMPARED = 4
"""Documents that are encoded again to see whether kept vectors are still those of the encoder."""


def kept_file(folder: str | Path, documents: Sequence[Document], model: str) -> Path:
    """Where the vectors of these texts by this model are kept: its name changes when a text does."""
    digest = hashlib.sha256()
    for document in documents:
        text = document.text.encode("utf-8", "surrogatepass")
        digest.update(len(text).to_bytes(8, "little") + text)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", model)
    return Path(folder) / f"vectors.{name}.{digest.hexdigest()[:12]}.npy"


def read_kept(path: Path, documents: Sequence[Document], embedder: Embedder) -> Vectors | None:
    """Kept vectors, shape (N, d); None where there are none, or the encoder gives others for the first documents.

    Raises:
        EmbeddingError: The encoder failed.
    """
    try:
        kept = files.vectors(path, len(documents))
    except CorpusError:
        return None
    first = embed_passages(embedder, [document.text for document in documents[:COMPARED]])
    same = kept.shape[1] == first.shape[1] and np.allclose(unit(kept[:COMPARED]), unit(first), atol=1e-3)
    return kept if same else None


def write_vectors(path: str | Path, vectors: Vectors) -> None:
    """Write an ``.npy`` file, whole or not at all.

    Raises:
        InvalidArgumentError: It cannot be written.
    """
    with replacing(path) as draft, draft.open("wb") as file:
        np.save(file, vectors)


def keep(path: Path, vectors: Vectors) -> None:
    """Keep vectors in a :func:`kept_file`, in place of those of other texts by the same model.

    Raises:
        InvalidArgumentError: The file cannot be written.
    """
    write_vectors(path, vectors)
    own = re.compile(re.escape(path.name.rsplit(".", 2)[0]) + r"\.[0-9a-f]{12}\.npy")
    for other in path.parent.iterdir():
        if other.name != path.name and own.fullmatch(other.name):
            other.unlink()

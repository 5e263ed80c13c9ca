"""A check that the store's vectors look like those of the encoder of the questions."""

from __future__ import annotations

import logging
from typing import Final

from logical_retriever.embedding import Embedder, embed_passages
from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.stores.base import Batch
from logical_retriever.vectors import unit

LOOKED_AT: Final = 8
"""Documents to encode again."""
FAR: Final = 0.3
"""Least median cosine of stored vectors with new ones of the same texts. Between two encoders it is about 0; with one
encoder 0.6 or more, even if a framework encodes metadata with the text."""

_log: Final = logging.getLogger(__name__)


def warn_of_other_encoder(embedder: Embedder, batch: Batch, store: str) -> None:
    """Encode some documents again, and log a warning if their stored vectors are far from the new ones.

    It is not an error: quantised, truncated and contextual vectors are legal.

    Args:
        embedder: Encodes documents.
        batch: Documents of the store with their vectors.
        store: Its name.
    """
    rows = [row for row, document in enumerate(batch.documents) if document.text.strip()][:LOOKED_AT]
    documents = [batch.documents[row] for row in rows]
    texts = [document.text if document.encoded is None else document.encoded() for document in documents]
    try:
        vectors = embed_passages(embedder, texts, blank=True)
    except LogicalRetrieverError:  # the question is encoded next, and says what is wrong
        return
    if not rows or vectors.shape[1] != batch.vectors.shape[1]:  # which is an error of its own
        return
    # NumPy's own median takes a tenth of a second to be imported.
    likeness = sorted((unit(vectors) * unit(batch.vectors[rows])).sum(axis=1).tolist())[len(rows) // 2]
    if likeness < FAR:
        encoder = getattr(embedder, "encoder", embedder)
        model = getattr(encoder, "model_name", getattr(encoder, "model", None))
        named = f" ({model})" if isinstance(model, str) else ""
        _log.warning(
            "The vectors of %s do not look like those of %s: %d of its texts, encoded again, have a median cosine of "
            "%.2f with them. Questions are compared with the documents by this encoder: give the one that the store "
            "was filled with.",
            *(store, type(encoder).__name__ + named, len(rows), likeness),
        )

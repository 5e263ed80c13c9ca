"""Statistics of a store's documents, vectors and words, from one seeded sample."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from logical_retriever.embedding import Embedder, embed_passages
from logical_retriever.errors import VectorMismatchError
from logical_retriever.lexical import LexicalModel
from logical_retriever.semantics import NullModel
from logical_retriever.stores.base import Store
from logical_retriever.vectors import Vectors, unit

SAMPLE_SIZE = 2000
"""Documents in the sample: beyond a few thousand, neither covariance nor word frequencies change what is measured."""
LEXICAL_SAMPLE_SIZE = 1000
"""Of these, documents that word statistics are taken from: part of the scale of lexical evidence, so it is fixed."""
BACKGROUND_SIZE = 1000
"""A smaller sample is filled up to this many documents by background sentences: in a store of a few documents, or of
one subject, related documents are most of what chance would be taken from, and nothing would stand out."""
SEED = 0
GROWTH = 1.25
"""The sample is drawn again when the store has grown, or shrunk, by this factor."""


@dataclass(frozen=True)
class CorpusStatistics:
    """Statistics of a store at one moment.

    Attributes:
        nulls: Mean and covariance of its vectors.
        lexical: Word frequencies and lengths of its texts.
        count: Documents it had; None where it could not tell.
        sampled: Documents the statistics were taken from.
    """

    nulls: NullModel
    lexical: LexicalModel
    count: int | None
    sampled: int


class StatisticsCache:
    """Statistics of one store, taken when first needed and again when its size has changed by a quarter.

    Safe to use from several threads: the sample is drawn once, others wait for it.

    Args:
        embedder: Encodes the background sentences, once, when a store is small; None to do without.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        self._background: Vectors | None = None
        self._lock = threading.Lock()
        self._latest: CorpusStatistics | None = None

    def get(self, store: Store, count: int | None) -> CorpusStatistics | None:
        """Statistics that still describe a store of this many documents; None for an empty store.

        A store that cannot tell its size is sampled once.

        Raises:
            EmbeddingError: The background sentences could not be encoded.
        """
        with self._lock:
            latest = self._latest
            if latest is not None and _alike(latest.count, count):
                return latest
            sample = store.sample(SAMPLE_SIZE, SEED)
            if not sample.documents:
                return None
            self._latest = CorpusStatistics(
                nulls=self._nulls(unit(sample.vectors)),
                lexical=LexicalModel([document.text for document in sample.documents[:LEXICAL_SAMPLE_SIZE]]),
                count=count,
                sampled=len(sample.documents),
            )
            return self._latest

    def _nulls(self, vectors: Vectors) -> NullModel:
        missing = BACKGROUND_SIZE - len(vectors)
        if missing <= 0 or self._embedder is None:
            return NullModel.fit(vectors)
        if self._background is None:
            self._background = unit(embed_passages(self._embedder, background()))
        if self._background.shape[1] != vectors.shape[1]:
            raise VectorMismatchError(
                f"The embedder's vectors have dimension {self._background.shape[1]}, the stored vectors "
                f"{vectors.shape[1]}.",
                hint="Use the embedding model that the documents were encoded with.",
            )
        filled = np.concatenate([vectors, self._background])
        weights = np.ones(len(filled))
        weights[len(vectors) :] = missing / len(self._background)
        return NullModel.fit(filled, weights)


def _alike(before: int | None, now: int | None) -> bool:
    """Whether a store of one size is still described by a sample taken at another."""
    if before is None or now is None:
        return before is now
    return before / GROWTH < now < before * GROWTH


def background() -> list[str]:
    """Sentences about many subjects, one a subject, that stand for unrelated documents."""
    text = files("logical_retriever.search").joinpath("background.txt").read_text(encoding="utf-8")
    return text.splitlines()

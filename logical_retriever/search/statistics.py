"""Statistics of a store's vectors and words from one seeded sample: what to expect of documents picked by chance."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from weakref import WeakValueDictionary

import numpy as np

from logical_retriever.embedding import Embedder, embed_passages
from logical_retriever.lexical import LexicalModel, language_of
from logical_retriever.scoring import NullModel
from logical_retriever.search.other_encoder import warn_of_other_encoder
from logical_retriever.search.question import TextStatistics
from logical_retriever.stores.base import Store, cache_key_of
from logical_retriever.stores.gate import Gate
from logical_retriever.vectors import Vectors, check_dimensions, unit

SAMPLE_SIZE = 2000
"""Documents in the sample: beyond a few thousand, covariance and word frequencies hardly change."""
BACKGROUND_SIZE = 1000
"""Least size of a sample; a smaller one is filled up with background sentences. In a store of a few documents, or of
one subject, most documents are related to the question, and none would stand out."""
BACKGROUND_WORDS = 100
"""The same for the frequencies of words: a hundred documents are enough for these."""
PAIRED = 256
"""Vectors among which the cosines of unrelated texts are measured."""
LEAST_DEVIATION = 0.01
"""Lower bound of these cosines' deviation: in a store of copies none differs."""
GROWTH = 1.25
"""Factor of growth, or of shrinking, after which the sample is drawn again."""
LIFETIME = 3600.0
"""Seconds after which the sample is drawn again: documents may have changed while their number has not."""
SMALL = 10_000
"""Stores of fewer documents are counted at every question."""
REUSED, LONGEST = 1000, 60.0
"""A count of a larger store that took t seconds is used again for REUSED * t seconds, at most LONGEST: Chroma and
Postgres walk through all rows to count them."""


@dataclass(frozen=True)
class StatisticsSnapshot:
    """Statistics of a store at one moment.

    Attributes:
        null_model: Mean and covariance of its vectors.
        word_statistics: Word frequencies and lengths of its texts, by the language that most of them are in.
        count: Number of documents; None if the store could not tell.
        unrelated: Mean and standard deviation of cosines of texts that have nothing to do with each other.
    """

    null_model: NullModel
    word_statistics: LexicalModel
    count: int | None
    unrelated: tuple[float, float]

    def of(self, vectors: Vectors) -> TextStatistics:
        """Return the statistics of T texts with vectors of shape (T, d).

        Raises:
            VectorMismatchError: The texts' vectors have another dimension than the store's.
        """
        check_dimensions(vectors, self.null_model.mean[None].astype(np.float32))
        return TextStatistics(self.null_model.of(unit(vectors)), self.word_statistics, self.unrelated)


class StoreStatistics:
    """The cached statistics of one store, taken at the first question, after growth by a quarter, and every hour.

    Safe to use from several threads: the sample is drawn once, others wait for it.

    Args:
        store: The documents.
        embedder: Encodes the background sentences, once, when the store is small; None to do without.
        clock: Seconds, from any origin.

    Attributes:
        advised: Whether a user has been told of what would improve answers from this store.
    """

    def __init__(self, store: Store, embedder: Embedder | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.store, self.embedder, self._clock = store, embedder, clock
        self._gate = Gate(store)
        # Held, so that no other object gets its id while this lives.
        self.encoder: object = getattr(embedder, "encoder", embedder)
        self.advised = False
        self._lock = threading.Lock()
        self._latest: StatisticsSnapshot | None = None
        self._ends = 0.0
        self._background: Vectors | None = None
        self._count: tuple[int | None, float] | None = None

    def count(self) -> int | None:
        """Return the number of documents, at most a minute old for a large store; None if the store cannot tell."""
        started = self._clock()
        if (known := self._count) is not None and started < known[1]:
            return known[0]
        count = self._gate.count()
        ended = self._clock()
        ends = ended + min(LONGEST, REUSED * (ended - started))
        self._count = (count, ends) if count is not None and count >= SMALL else None
        return count

    def current(self, count: int | None) -> StatisticsSnapshot | None:
        """Return up-to-date statistics; None for an empty store.

        Args:
            count: Number of documents, from :meth:`count`.

        Raises:
            EmbeddingError: The background sentences could not be encoded.
        """
        with self._lock:
            if self._latest is None or not _alike(self._latest.count, count) or self._clock() >= self._ends:
                self._latest, self._ends = self._taken(count), self._clock() + LIFETIME
            return self._latest

    def _taken(self, count: int | None) -> StatisticsSnapshot | None:
        sample = self._gate.sample(SAMPLE_SIZE, 0)
        if not sample.documents:
            return None
        texts, vectors = [document.text for document in sample.documents], unit(sample.vectors)
        complete = count is not None and len(texts) >= count
        words = LexicalModel(
            texts, complete=complete, background=sentences(), size=BACKGROUND_WORDS, language=language_of(texts)
        )
        if self.embedder is not None and self.store.capabilities.stored_vectors:
            warn_of_other_encoder(self.embedder, sample, self.store.capabilities.name)
        small = len(vectors) < BACKGROUND_SIZE
        if small and self._background is None and self.embedder is not None:
            self._background = unit(embed_passages(self.embedder, sentences()))
        background = self._background if small else None
        return StatisticsSnapshot(_null_model(vectors, background), words, count, _unrelated(vectors, background))


def _null_model(vectors: Vectors, background: Vectors | None) -> NullModel:
    if background is None:
        return NullModel.fit(vectors)
    check_dimensions(background, vectors)
    shares = [1.0, (BACKGROUND_SIZE - len(vectors)) / len(background)]
    return NullModel.fit(np.concatenate([vectors, background]), np.repeat(shares, [len(vectors), len(background)]))


def _unrelated(vectors: Vectors, background: Vectors | None) -> tuple[float, float]:
    """Return mean and deviation over pairs of the sample; in a small store, over the background's pairs."""
    rows = (vectors if background is None else background)[:PAIRED].astype(np.float64)
    cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    if not len(cosines):
        return 0.0, 1.0 / np.sqrt(vectors.shape[1])  # of random vectors
    return float(cosines.mean()), max(float(cosines.std()), LEAST_DEVIATION)


_shared: WeakValueDictionary[tuple[object, object], StoreStatistics] = WeakValueDictionary()
_sharing = threading.Lock()


def shared_statistics(store: Store, embedder: Embedder) -> StoreStatistics:
    """Return the statistics of one store and encoder, shared as long as somebody holds them.

    Two store objects with the same ``cache_key`` share them. An embedder over another object names it as ``encoder``.
    """
    key = (cache_key_of(store), id(getattr(embedder, "encoder", embedder)))
    with _sharing:
        statistics = _shared.get(key)
        if statistics is None:
            statistics = _shared[key] = StoreStatistics(store, embedder)
        return statistics


@cache
def sentences() -> tuple[str, ...]:
    """Return sentences about many subjects, one a subject: they stand for unrelated documents."""
    return tuple(files("logical_retriever.search").joinpath("background.txt").read_text(encoding="utf-8").splitlines())


def _alike(before: int | None, now: int | None) -> bool:
    """Tell whether a sample taken at one size of the store still serves at another."""
    return before is now if before is None or now is None else before / GROWTH < now < before * GROWTH

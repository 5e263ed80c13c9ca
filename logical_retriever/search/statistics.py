"""What a store's documents are like: null distributions and word statistics, from one seeded sample."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from logical_retriever.lexical import LexicalModel
from logical_retriever.semantics import NullModel
from logical_retriever.stores.base import Store
from logical_retriever.vectors import unit

SAMPLE_SIZE = 2000
"""Documents in the sample: beyond a few thousand, neither covariance nor word frequencies change what is measured."""
SEED = 0
GROWTH = 1.25
"""The sample is drawn again when the store has grown, or shrunk, by this factor."""


@dataclass(frozen=True)
class CorpusStatistics:
    """Statistics of a store at one moment.

    Attributes:
        nulls: Mean and covariance of its vectors.
        lexical: Word frequencies and lengths of its texts.
        count: Documents it had.
        sampled: Documents the statistics were taken from.
    """

    nulls: NullModel
    lexical: LexicalModel
    count: int
    sampled: int


class StatisticsCache:
    """Statistics of one store, taken when first needed and again when its size has changed by a quarter.

    Safe to use from several threads: the sample is drawn once, others wait for it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: CorpusStatistics | None = None

    def get(self, store: Store, count: int) -> CorpusStatistics | None:
        """Statistics that still describe a store of this many documents; None for an empty store."""
        with self._lock:
            latest = self._latest
            if latest is not None and latest.count / GROWTH < count < latest.count * GROWTH:
                return latest
            sample = store.sample(SAMPLE_SIZE, SEED)
            if not sample.documents:
                return None
            self._latest = CorpusStatistics(
                nulls=NullModel.fit(unit(sample.vectors)),
                lexical=LexicalModel([document.text for document in sample.documents]),
                count=count,
                sampled=len(sample.documents),
            )
            return self._latest

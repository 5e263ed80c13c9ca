"""Statistics of a store's documents, vectors and words, from one seeded sample."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np

from logical_retriever.embedding import Embedder, embed_passages
from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.lexical import LexicalModel, language_of
from logical_retriever.results import DocumentId
from logical_retriever.search.counts import LONGEST, SHARE, CountCache
from logical_retriever.search.kept_statistics import (
    KeptStatistics,
    Witness,
    digest,
    read_statistics,
    write_statistics,
)
from logical_retriever.semantics import NullDistributions, NullModel
from logical_retriever.semantics.evidence import Array
from logical_retriever.stores.base import Store
from logical_retriever.stores.notes import current_notes, remembered
from logical_retriever.vectors import Vectors, check_dimensions, has_extremes, unit

SAMPLE_SIZE = 2000
"""Documents in the sample: beyond a few thousand, neither covariance nor word frequencies change what is measured."""
BACKGROUND_SIZE = 1000
"""A smaller sample is filled up to this many documents by background sentences: in a store of a few documents, or of
one subject, related documents are most of what chance would be taken from, and nothing would stand out."""
BACKGROUND_WORDS = 100
"""The same for the frequencies of words, which a hundred documents tell apart well enough."""
PAIRED = 256
"""Vectors whose cosines with each other say what unrelated texts have."""
LEAST_DEVIATION = 0.01
"""Of these cosines: in a store of copies none differs."""
SEED = 0
GROWTH = 1.25
"""The sample is drawn again when the store has grown, or shrunk, by this factor."""
WITNESSES = 16
"""Sampled documents that are read again to see whether they are what they were. Where a quarter of them are not, the
sample is drawn again: a store whose documents were all replaced may be as large as before."""
ALIKE = 1e-3
"""Greatest difference of a component between two encodings of one text."""
CHEAP = 0.0005
"""Seconds: witnesses are read in every search where that takes no longer, else so seldom that a thousandth of the time
goes into it, and once a minute at least."""


@dataclass(frozen=True)
class CorpusStatistics:
    """Statistics of a store at one moment.

    Attributes:
        nulls: Mean and covariance of its vectors.
        lexical: Word frequencies and lengths of its texts, read by the language that most of them are in.
        count: Documents it had; None where it could not tell.
        sampled: Documents the statistics were taken from.
        extremes: Whether one of these has a vector of such a length that an engine's float32 may lose it.
        others: The same as ``lexical`` in another language.
        unrelated: Mean and standard deviation of cosines of texts that have nothing to do with each other.
    """

    nulls: NullModel
    lexical: LexicalModel
    count: int | None
    sampled: int
    extremes: bool
    others: Callable[[str], LexicalModel]
    unrelated: tuple[float, float]

    def words(self, language: str = "auto") -> LexicalModel:
        """Word frequencies and lengths of its texts in a language, "auto" for their own."""
        return self.lexical if language in ("auto", self.lexical.language) else self.others(language)

    def distributions(self, vectors: Vectors) -> NullDistributions:
        """Null distributions of texts with vectors of shape (T, d), rows of length 1."""
        return self.nulls.of(vectors, self._products(vectors))

    def correlations(self, vectors: Vectors) -> Array:
        """How the cosines of texts with documents go together, shape (T, T); vectors as above."""
        return self.nulls.correlations(vectors, self._products(vectors))

    def _products(self, vectors: Vectors) -> Array:
        """Those of the covariance with the vectors, each computed once for a question, however many searches it is."""
        known = remembered(self, "products with its covariance", dict[bytes, Array])
        rows = {row.tobytes(): row for row in vectors}
        if new := [row for key, row in rows.items() if key not in known]:
            made = self.nulls.products(np.stack(new))
            known.update((row.tobytes(), product) for row, product in zip(new, made, strict=True))
        return np.stack([known[row.tobytes()] for row in vectors])


class Background:
    """Vectors of the background sentences, encoded once, when they are first needed.

    Args:
        embedder: None for no vectors.
    """

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._vectors: Vectors | None = None

    def vectors(self) -> Vectors | None:
        """Shape (B, d), rows of length 1.

        Raises:
            EmbeddingError: The sentences could not be encoded.
        """
        with self._lock:
            if self._vectors is None and self._embedder is not None:
                self._vectors = unit(embed_passages(self._embedder, background()))
            return self._vectors

    def encoded(self) -> Vectors:
        """The first of them alone, shape (1, d); (0, 0) without an encoder.

        Raises:
            EmbeddingError: It could not be encoded.
        """
        with self._lock:
            if self._vectors is None and self._embedder is not None:
                return unit(embed_passages(self._embedder, background()[:1]))
            return np.empty((0, 0), np.float32) if self._vectors is None else self._vectors[:1]


class StatisticsCache:
    """Statistics of one store, taken when first needed and again when a quarter of its documents have changed.

    Safe to use from several threads: the sample is drawn once, others wait for it.

    Args:
        embedder: Encodes the background sentences, once, when a store is small; None to do without. Or the background
            of another cache, to encode them once for both.
        clock: Seconds, from any origin.
        path: Of a file that they are kept in; None for this process's memory.

    Attributes:
        said: How the file served, in words; None without one.
    """

    def __init__(
        self,
        embedder: Embedder | Background | None = None,
        clock: Callable[[], float] = time.monotonic,
        path: Path | None = None,
    ) -> None:
        self.background = embedder if isinstance(embedder, Background) else Background(embedder)
        self._clock = clock
        self._path = path
        self._said = ""
        self._witnesses: Mapping[DocumentId, Witness] = {}
        self._due = 0.0
        self._lock = threading.Lock()
        self._latest: CorpusStatistics | None = None
        self._fresh: threading.Thread | None = None
        self.held: tuple[object, ...] = ()

    @property
    def said(self) -> str | None:
        """How the file served, in words; None without one."""
        return None if self._path is None else f"statistics in {self._path.name}: {self._said}"

    def get(self, store: Store, count: int | None) -> CorpusStatistics | None:
        """Statistics that still describe a store of this many documents; None for an empty store.

        Looked at once for each question.

        Raises:
            EmbeddingError: The background sentences could not be encoded.
        """
        return remembered(self, "statistics", partial(self._current, store, count))

    def _current(self, store: Store, count: int | None) -> CorpusStatistics | None:
        with self._lock:
            if self._latest is None and self._path is not None and not _absent():
                self._load(store, self._path)
            latest = self._latest
            if latest is not None:
                replaced = not _absent() and self._replaced(store)
                if _absent() or (_alike(latest.count, count) and not replaced):
                    return latest  # a part that did not answer may have the documents that were to be read again
                if not replaced and self._serves(store, latest, count):
                    return latest
                self._said = "taken anew: the documents are others"
            return self._take(store, count)

    def _take(self, store: Store, count: int | None) -> CorpusStatistics | None:
        """Statistics of the store as it is now."""
        sample = store.sample(SAMPLE_SIZE, SEED)
        if not sample.documents:
            return None
        texts = [document.text for document in sample.documents]
        lexical = _models(texts, complete=count is not None and len(texts) >= count)
        taken = CorpusStatistics(
            nulls=self._nulls(unit(sample.vectors)),
            lexical=lexical(language_of(texts)),
            count=count,
            sampled=len(sample.documents),
            extremes=has_extremes(sample.vectors),
            others=lexical,
            unrelated=self._unrelated(unit(sample.vectors)),
        )
        # Read once more: a store that does not bring back what it sampled must not be sampled in every search.
        witnesses = _read(store, sample.ids[:WITNESSES])
        if not _absent():  # else it describes a part of the store, and is good for this answer alone
            if self._path is not None:
                self._keep(self._path, taken, witnesses)
            self._witnesses, self._latest = witnesses, taken
        return taken

    def _keep(self, path: Path, taken: CorpusStatistics, witnesses: Mapping[DocumentId, Witness]) -> None:
        small = taken.sampled < BACKGROUND_SIZE
        kept = KeptStatistics(
            *(taken.nulls, taken.lexical, taken.count, taken.sampled, taken.extremes, taken.unrelated),
            witnesses=witnesses,
            encoded=self.background.encoded() if small else np.empty((0, 0), np.float32),
        )
        write_statistics(path, kept)

    def _load(self, store: Store, path: Path) -> None:
        """Take over what the file has, where it is of this store and, as far as that matters, of this encoder."""
        kept, self._said = read_statistics(path)
        if kept is None:
            return
        self._witnesses = kept.witnesses
        if not kept.witnesses or self._replaced(store):
            self._said = "taken anew: the file was of other documents"
            return
        encoded = self.background.encoded() if kept.sampled < BACKGROUND_SIZE else kept.encoded
        if encoded.shape != kept.encoded.shape or np.abs(encoded - kept.encoded).max(initial=0.0) >= ALIKE:
            self._said = "taken anew: the file was made with another encoder"
            return

        def others(language: str) -> LexicalModel:
            texts = [document.text for document in store.sample(SAMPLE_SIZE, SEED).documents]
            return _models(texts, complete=kept.count is not None and len(texts) >= kept.count)(language)

        self._latest = CorpusStatistics(
            *(kept.nulls, kept.lexical, kept.count, kept.sampled, kept.extremes, cache(others), kept.unrelated)
        )

    def _serves(self, store: Store, latest: CorpusStatistics, count: int | None) -> bool:
        """Whether kept statistics serve for now, while a thread takes those of the store as it has grown."""
        if self._path is None or not threads_may_read(store):
            return False
        if self._fresh is None:
            self._said = f"of {latest.count} documents, while those of {count} are taken"
            # The process waits for it: a request that is cut short might take an engine down.
            self._fresh = threading.Thread(target=self._refresh, args=(store, count), name="statistics")
            self._fresh.start()
        return True

    def _refresh(self, store: Store, count: int | None) -> None:
        try:
            self._take(store, count)
            self._said = "taken anew: the store has another size"
        except LogicalRetrieverError as error:
            # The statistics there are go on serving; what is wrong with the store its own requests will say.
            self._said = f"of another size of the store, and new ones could not be taken: {error}"
        finally:
            self._fresh = None

    def _replaced(self, store: Store) -> bool:
        """Whether too many of the witnesses are gone or have changed."""
        started = self._clock()
        if started < self._due:
            return False
        now = _read(store, tuple(self._witnesses))
        took = self._clock() - started
        self._due = started + took + (min(LONGEST, SHARE * took) if took > CHEAP else 0.0)
        same = sum(id in now and _same(before, now[id]) for id, before in self._witnesses.items())
        return same * GROWTH < len(self._witnesses)

    def _unrelated(self, vectors: Vectors) -> tuple[float, float]:
        """Of the background's pairs in a small store, as with null distributions, else of pairs of the sample."""
        background = self.background.vectors() if len(vectors) < BACKGROUND_SIZE else None
        rows = (vectors if background is None else background)[:PAIRED].astype(np.float64)
        cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
        if not len(cosines):
            return 0.0, 1.0 / np.sqrt(vectors.shape[1])  # of random vectors
        return float(cosines.mean()), max(float(cosines.std()), LEAST_DEVIATION)

    def _nulls(self, vectors: Vectors) -> NullModel:
        missing = BACKGROUND_SIZE - len(vectors)
        background = self.background.vectors() if missing > 0 else None
        if background is None:
            return NullModel.fit(vectors)
        check_dimensions(background, vectors)
        filled = np.concatenate([vectors, background])
        weights = np.ones(len(filled))
        weights[len(vectors) :] = missing / len(background)
        return NullModel.fit(filled, weights)


class BorrowedStatistics(StatisticsCache):
    """Statistics of another store, for documents that were found in it: all about one subject, little stands out there.

    Args:
        lender: Of the other store.
        store: The other store.
        counts: Of the other store.
    """

    def __init__(self, lender: StatisticsCache, store: Store, counts: CountCache) -> None:
        super().__init__(lender.background)
        self._lender, self._store, self._counts = lender, store, counts

    def get(self, store: Store, count: int | None) -> CorpusStatistics | None:
        """The other store's; the found documents' own where it gives no sample."""
        lent = self._lender.get(self._store, self._counts.count(self._store))
        return super().get(store, count) if lent is None else lent

    @property
    def said(self) -> str | None:
        """As of the other store's."""
        return self._lender.said


_shared: WeakValueDictionary[tuple[object, ...], StatisticsCache] = WeakValueDictionary()
_sharing = threading.Lock()


def shared_statistics(store: Store, embedder: Embedder) -> StatisticsCache:
    """Those of one store and encoder in this process's memory, for as long as somebody holds them.

    Kept in a file where the store says by ``statistics_path`` in which. An embedder that stands for another object
    names it as ``encoder``.
    """
    encoder = getattr(embedder, "encoder", embedder)
    identity, path = getattr(store, "identity", None), getattr(store, "statistics_path", None)
    key = (id(store) if identity is None else identity, id(encoder), path)
    with _sharing:
        cache = _shared.get(key)
        if cache is None:
            cache = _shared[key] = StatisticsCache(embedder, path=path)
            cache.held = store, encoder  # nothing else can have their identities while this lives
        return cache


def threads_may_read(store: Store) -> bool:
    """Whether a thread may read a store while others do."""
    alone = getattr(store, "one_request", False)
    return store.capabilities.in_process or (getattr(store, "identity", None) is not None and not alone)


def _models(texts: Sequence[str], *, complete: bool) -> Callable[[str], LexicalModel]:
    """Gives the statistics of some texts' words in a language, made once."""

    @cache
    def lexical(language: str) -> LexicalModel:
        return LexicalModel(texts, complete=complete, background=background(), size=BACKGROUND_WORDS, language=language)

    return lexical


def _absent() -> bool:
    """Whether a part of the store has not answered in this search."""
    notes = current_notes()
    return notes is not None and bool(notes.absent)


def _alike(before: int | None, now: int | None) -> bool:
    """Whether a store of one size is still described by a sample taken at another."""
    if before is None or now is None:
        return before is now
    return before / GROWTH < now < before * GROWTH


def _read(store: Store, ids: Sequence[DocumentId]) -> dict[DocumentId, Witness]:
    """Some documents as they are now."""
    batch = store.fetch(ids) if ids else None
    return (
        {}
        if batch is None
        else {d.id: (digest(d.text), row) for d, row in zip(batch.documents, unit(batch.vectors), strict=True)}
    )


def _same(before: Witness, now: Witness) -> bool:
    """Whether texts are equal and vectors are, up to what encoding a text again may change."""
    (text, vector), (other, also) = before, now
    return text == other and vector.shape == also.shape and bool(np.abs(vector - also).max() < ALIKE)


def background() -> list[str]:
    """Sentences about many subjects, one a subject, that stand for unrelated documents."""
    text = files("logical_retriever.search").joinpath("background.txt").read_text(encoding="utf-8")
    return text.splitlines()

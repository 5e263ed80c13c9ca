"""BM25 by an index's own statistics, and the evidence of words by statistics from a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.lexical.analysis import analyser, own_words, tokenize
from logical_retriever.lexical.index import WordIndex

Array = npt.NDArray[np.float64]

K1 = 1.5
B = 0.75
LEAST = 1e-9
"""Avoids a division by zero when every word occurs in every document."""
PASSAGES = 8192
"""Size of the process's cache of texts split into words."""


class LexicalModel:
    """Statistics of a store's words from a sample: document frequencies and the mean length of a text.

    Inverse document frequency and saturation are those of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
    Framework: BM25 and Beyond", 2009), with Lucene's ``log(1 + (N - df + 0.5) / (df + 0.5))``, k1 = 1.5 and b = 0.75.
    The evidence is made of them (:meth:`evidence`); BM25 itself is :func:`ranked`.

    Args:
        texts: S texts, drawn at random. Without any, every word is rare.
        complete: Whether these are all texts of the store. Then a word that none of them has is no evidence.
        background: Texts about other subjects, for a small store.
        size: The sample is filled up to this many documents by the background.
        language: Of the texts, one of :data:`~logical_retriever.lexical.LANGUAGES`.
    """

    def __init__(
        self,
        texts: Sequence[str],
        *,
        complete: bool = False,
        background: Sequence[str] = (),
        size: int = 0,
        language: str = "en",
    ) -> None:
        self.language = language
        self._frequencies, lengths = _counted(texts, language)
        self._mean_length = max(1.0, float(np.mean(lengths)) if lengths else 1.0)
        self._complete = complete and bool(lengths)
        missing = max(0, size - len(lengths)) if background else 0
        self.size = len(lengths) + missing
        counts, _ = _counted(background if missing else (), language)
        self._beyond = {word: missing / len(background) * seen for word, seen in counts.items()}

    def rarest(self, text: str, without: Sequence[str] = (), keeping: Sequence[str] = ()) -> dict[str, float]:
        """Return the distinct words of a text with their idf, the rarest in the sample first.

        Words are case-folded and not stemmed; stop words are left out.

        Args:
            text: Any text.
            without: Texts whose words are left out.
            keeping: Texts whose words stay, even if they are in ``without``.
        """
        own = set(own_words(text, without, keeping, self.language))
        read = analyser(self.language)
        stems = {word: read.stem(word) for word in read.spellings(text)}
        words = [(word, self._idf(stem)) for word, stem in stems.items() if stem and stem in own]
        return dict(sorted(words, key=lambda pair: -pair[1]))

    def evidence(
        self,
        words: Sequence[str],
        texts: Sequence[str] | WordIndex,
    ) -> Array:
        """Compute the evidence of words in N texts, in standard deviations of chance: ``√(2A) · min(1, A/T)``.

        A is the summed idf of the words that a text has; T is that of all words, or, in a complete sample, of those
        that occur in it. A word counts in full if it is as frequent as once in a text of average length.

        By chance a text has its words with a probability of about exp(-A), as idf is the negative logarithm of a word's
        frequency; a standard normal variable exceeds √(2A) about as rarely. A text with a share A/T of the words counts
        for that share: it is mostly about something else.

        Args:
            words: Of :func:`~logical_retriever.lexical.tokenize`; a repeated word counts again.
            texts: N texts, in the sample or not, or an index of them.

        Returns:
            Shape (N,), 0 or more; all 0 for no words.
        """
        idfs = {word: times * self._idf(word) for word, times in Counter(words).items()}
        total = sum(idf for word, idf in idfs.items() if not self._complete or word in self._frequencies)
        present = np.zeros(len(texts))  # A
        if isinstance(texts, WordIndex):
            for word, idf in idfs.items():
                rows, counts = texts.postings(word)
                present[rows] += idf * _present(counts, texts.lengths[rows] / self._mean_length)
        else:
            bags = [_words(text, self.language) for text in texts]
            lengths = np.array([length for _, length in bags]) / self._mean_length
            for word, idf in idfs.items():
                counts = np.array([spaced.count(f" {word} ") for spaced, _ in bags], dtype=np.float64)
                present += idf * _present(counts, lengths)
        return np.asarray(np.sqrt(2.0 * present) * np.minimum(1.0, present / max(total, LEAST)))

    def _idf(self, word: str) -> float:
        return _idf(self._frequencies[word] + self._beyond.get(word, 0.0), self.size)


def _counted(texts: Sequence[str], language: str) -> tuple[Counter[str], list[int]]:
    """Count the texts that each word is in, and the words of each text."""
    each = [analyser(language).tokens(text) for text in texts]
    return Counter(word for words in each for word in set(words)), list(map(len, each))


def ranked(index: WordIndex, words: Sequence[str]) -> tuple[npt.NDArray[np.intp], Array]:
    """Rank the texts of an index that have any of the words, by BM25 with the index's own statistics.

    Args:
        index: Of N texts.
        words: Of :func:`~logical_retriever.lexical.tokenize`; a repeated word counts again.

    Returns:
        Positions of the texts, best first, ties in order; and their scores, above 0.
    """
    totals, mean = np.zeros(len(index)), index.mean_length
    for word, times in Counter(words).items():
        rows, counts = index.postings(word)
        totals[rows] += times * _idf(len(rows), len(index)) * _saturated(counts, index.lengths[rows] / mean)
    places = np.flatnonzero(totals)
    places = places[np.argsort(-totals[places], kind="stable")]
    return places, totals[places]


def _idf(seen: float, size: float) -> float:
    return float(np.log1p((size - seen + 0.5) / (seen + 0.5)))


def _saturated(counts: npt.NDArray[Any], lengths: Array) -> Array:
    return np.asarray(counts / (counts + K1 * (1 - B + B * lengths)))


def _present(counts: npt.NDArray[Any], lengths: Array) -> Array:
    """Saturate counts to at most 1, which a word reaches once in a text of average length."""
    return np.minimum(1.0, (1.0 + K1) * _saturated(counts, lengths))


@lru_cache(PASSAGES)
def _words(text: str, language: str) -> tuple[str, int]:
    """Split a text into words, joined as one string with two spaces around each word, and count them.

    A string takes a third of the memory of a mapping of counts, and counts a word as fast.
    """
    words = tokenize(text, language)
    return "".join(f" {word} " for word in words), len(words)

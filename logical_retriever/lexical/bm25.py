"""BM25 of texts: with collection statistics from a sample, so that no index is needed, or of an index with its own."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.bounded import BoundedCache
from logical_retriever.lexical.index import WordIndex
from logical_retriever.lexical.tokens import WORD, stemmed, tokenize

Array = npt.NDArray[np.float64]

K1 = 1.5
B = 0.75
PSEUDO_SHARE = 0.25
"""The null deviation counts one more sampled text that scores this share of the words' summed idf: without it, words
that the sample never saw would have a deviation of 0."""
WORDS_MEMORY = 32_000_000
"""Bytes that the words of texts scored lately take at most, in the whole process: those of about 20,000 passages."""


class LexicalModel:
    """Document frequencies, mean length and null distribution, from a sample of a store's texts.

    The score is BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
    with Lucene's ``log(1 + (N - df + 0.5) / (df + 0.5))`` and k1 = 1.5, b = 0.75. A text's score is then standardised
    with the mean and deviation that its score has over the sample.

    Args:
        texts: S texts of the store, drawn at random. None at all is allowed: then every word is rare.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(tokenize(text)) for text in texts]
        self.size = len(counted)
        self._frequencies = Counter(word for counts in counted for word in counts)
        self._mean_length = max(1.0, float(np.mean([counts.total() for counts in counted])) if counted else 1.0)
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for row, counts in enumerate(counted):
            length = counts.total()
            for word, count in counts.items():
                self._postings.setdefault(word, []).append((row, self._weight(count, length)))

    def scores(self, words: Sequence[str], texts: Sequence[str] | WordIndex) -> Array:
        """BM25 of N texts for a bag of words.

        Args:
            words: As :func:`~logical_retriever.lexical.tokens.tokenize` gives them; a repeated word counts again.
            texts: N texts, in the sample or not, or an index of them.

        Returns:
            Shape (N,), 0 or more; 0 for texts with none of the words.
        """
        if isinstance(texts, WordIndex):
            return self._indexed(words, texts)
        wanted = [(f" {word} ", weighed) for word, weighed in self._weighed(words).items()]
        totals = np.zeros(len(texts))
        for row, text in enumerate(texts):
            found, length = _known.made(text, _words)
            for word, weighed in wanted:
                if count := found.count(word):
                    totals[row] += weighed * self._weight(count, length)
        return totals

    def _indexed(self, words: Sequence[str], index: WordIndex) -> Array:
        totals = np.zeros(len(index))
        for word, weighed in self._weighed(words).items():
            rows, counts = index.postings(word)
            times = counts.astype(np.float64)
            totals[rows] += weighed * _saturated(times, index.lengths[rows], self._mean_length)
        return totals

    def rarest(self, text: str, without: Sequence[str] = ()) -> dict[str, float]:
        """The words of a text as they stand in it, case-folded, each with its idf, the rarest in the sample first.

        Args:
            text: Whose words; stop words are none, and one that is there twice is named once.
            without: Texts whose words do not count.
        """
        shared = {word for other in without for word in tokenize(other)}
        stems = {word: stemmed(word) for word in WORD.findall(text.casefold())}
        words = [(word, self._idf(stem)) for word, stem in stems.items() if stem and stem not in shared]
        return dict(sorted(words, key=lambda found: -found[1]))

    def standardised(self, words: Sequence[str], texts: Sequence[str] | WordIndex) -> Array:
        """How far N texts' scores stand out: ``(BM25 - mean) / deviation`` over the sample.

        Returns:
            Shape (N,), in units of one standard deviation; all 0 where there are no words.
        """
        if not words:
            return np.zeros(len(texts))
        mean, deviation = self._null(words)
        standardised: Array = (self.scores(words, texts) - mean) / deviation
        return standardised

    def bound(self, words: Sequence[str]) -> float:
        """Greatest standardised score that any text can have: every word saturated in a text of length 0."""
        if not words:
            return 0.0
        mean, deviation = self._null(words)
        return (sum(self._idf(word) for word in words) - mean) / deviation

    def _null(self, words: Sequence[str]) -> tuple[float, float]:
        """Mean and deviation of the score over the sample, through its postings."""
        totals = np.zeros(max(self.size, 1))
        for word, weighed in self._weighed(words).items():
            for row, weight in self._postings.get(word, ()):
                totals[row] += weighed * weight
        pseudo = PSEUDO_SHARE * sum(self._idf(word) for word in words)
        return float(totals.mean()), float(np.sqrt(totals.var() + pseudo**2 / len(totals)))

    def _weighed(self, words: Sequence[str]) -> dict[str, float]:
        """Each word's idf, as many times as the word is there."""
        return {word: times * self._idf(word) for word, times in Counter(words).items()}

    def _idf(self, word: str) -> float:
        return _idf(self._frequencies[word], self.size)

    def _weight(self, count: int, length: int) -> float:
        return count / (count + K1 * (1 - B + B * length / self._mean_length))


def ranked(index: WordIndex, words: Sequence[str]) -> tuple[npt.NDArray[np.intp], Array]:
    """The texts of an index that have a word, by BM25 with the index's own statistics.

    Args:
        index: Of N texts.
        words: As :func:`~logical_retriever.lexical.tokens.tokenize` gives them; a repeated word counts again.

    Returns:
        Their positions, best first, ties in order; and the scores, above 0.
    """
    totals, mean = np.zeros(len(index)), index.mean_length
    for word, times in Counter(words).items():
        rows, counts = index.postings(word)
        idf = times * _idf(len(rows), len(index))
        totals[rows] += idf * _saturated(counts.astype(np.float64), index.lengths[rows], mean)
    places = np.flatnonzero(totals)
    places = places[np.argsort(-totals[places], kind="stable")]
    return places, totals[places]


def _idf(seen: int, size: int) -> float:
    return float(np.log1p((size - seen + 0.5) / (seen + 0.5)))


def _saturated(counts: Array, lengths: npt.NDArray[np.integer], mean_length: float) -> Array:
    weights: Array = counts / (counts + K1 * (1 - B + B * lengths / mean_length))
    return weights


_known: BoundedCache[str, tuple[str, int]] = BoundedCache(
    WORDS_MEMORY, weigh=lambda text, found: sys.getsizeof(text) + sys.getsizeof(found[0]) + 300
)


def _words(text: str) -> tuple[str, int]:
    """The words of a text as one string, each between two spaces of its own, and how many there are.

    A string takes a third of the memory that a mapping of counts takes, and how often it has a word is found as soon.
    """
    words = tokenize(text)
    return "".join(f" {word} " for word in words), len(words)

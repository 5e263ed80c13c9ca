"""BM25 of texts, and what their words are evidence of: by statistics from a sample, or by an index with its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.lexical.analysis import analyser, tokenize
from logical_retriever.lexical.index import WordIndex

Array = npt.NDArray[np.float64]

K1 = 1.5
B = 0.75
LEAST = 1e-9
"""Of words that are in every document there is no idf left to have a share of."""
PASSAGES = 8192
"""Texts scored lately whose words are remembered, in the whole process."""


class LexicalModel:
    """Document frequencies and mean length, from a sample of a store's texts.

    The score is BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
    with Lucene's ``log(1 + (N - df + 0.5) / (df + 0.5))`` and k1 = 1.5, b = 0.75.

    Args:
        texts: S texts of the store, drawn at random. None at all is allowed: then every word is rare.
        complete: Whether they are all texts of the store: then a word that none of them has tells nothing of any.
        background: Texts about other subjects that stand for the documents that a small store does not have.
        size: The sample is filled up to so many documents by the background.
        language: Of the texts' words, one of :data:`~logical_retriever.lexical.LANGUAGES`.
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
        self.size: float = len(lengths)
        self._beyond: dict[str, float] = {}
        if background and len(lengths) < size:
            share = (size - len(lengths)) / len(background)
            counts, _ = _counted(background, language)
            self._beyond = {word: share * seen for word, seen in counts.items()}
            self.size = size

    def rarest(self, text: str, without: Sequence[str] = (), keeping: Sequence[str] = ()) -> dict[str, float]:
        """The words of a text as they stand in it, case-folded, each with its idf, the rarest in the sample first.

        Args:
            text: Whose words; stop words are none, and one that is there twice is named once.
            without: Texts whose words do not count.
            keeping: Texts whose words count although one of ``without`` has them.
        """
        read = analyser(self.language)
        shared = {word for other in without for word in read.words(other)}
        shared -= {word for other in keeping for word in read.words(other)}
        stems = {word: read.stem(word) for word in read.spellings(text)}
        words = [(word, self._idf(stem)) for word, stem in stems.items() if stem and stem not in shared]
        return dict(sorted(words, key=lambda pair: -pair[1]))

    def evidence(
        self,
        words: Sequence[str],
        texts: Sequence[str] | WordIndex,
    ) -> Array:
        """How far N texts stand out by their words, in standard deviations of chance: ``√(2A) · min(1, A/T)``.

        A is the summed idf of the words that a text has, T that of all of them; where the sample is the whole store,
        of those that are in it. A word counts in full that is there as often as once in a text of average length.

        By chance a text has its words with a probability of about exp(-A), idf being the negative logarithm of a
        word's frequency, and a standard normal variable exceeds √(2A) about as seldom. A text
        with a share of the words counts for that share: it is mostly about something else.

        Args:
            words: As :func:`~logical_retriever.lexical.tokenize` gives them; a repeated word counts again.
            texts: N texts, in the sample or not, or an index of them.

        Returns:
            Shape (N,), 0 or more; all 0 where there are no words.
        """
        idfs = {word: times * self._idf(word) for word, times in Counter(words).items()}
        total = sum(idf for word, idf in idfs.items() if not self._complete or word in self._frequencies)
        evidence = np.zeros(len(texts))
        if isinstance(texts, WordIndex):
            for word, idf in idfs.items():
                rows, counts = texts.postings(word)
                evidence[rows] += idf * _present(counts, texts.lengths[rows] / self._mean_length)
        else:
            bags = [_words(text, self.language) for text in texts]
            lengths = np.array([length for _, length in bags]) / self._mean_length
            for word, idf in idfs.items():
                counts = np.array([spaced.count(f" {word} ") for spaced, _ in bags], dtype=np.float64)
                evidence += idf * _present(counts, lengths)
        share: Array = np.minimum(1.0, evidence / max(total, LEAST))
        return share * np.sqrt(2.0 * evidence)

    def _idf(self, word: str) -> float:
        return _idf(self._frequencies[word] + self._beyond.get(word, 0.0), self.size)


def _counted(texts: Sequence[str], language: str) -> tuple[Counter[str], list[int]]:
    """In how many texts each word is, and how many words each text has."""
    each = [analyser(language).words(text) for text in texts]
    return Counter(word for words in each for word in set(words)), list(map(len, each))


def ranked(index: WordIndex, words: Sequence[str]) -> tuple[npt.NDArray[np.intp], Array]:
    """The texts of an index that have a word, by BM25 with the index's own statistics.

    Args:
        index: Of N texts.
        words: As :func:`~logical_retriever.lexical.tokenize` gives them; a repeated word counts again.

    Returns:
        Their positions, best first, ties in order; and the scores, above 0.
    """
    totals, mean = np.zeros(len(index)), index.mean_length
    for word, times in Counter(words).items():
        rows, counts = index.postings(word)
        idf = times * _idf(len(rows), len(index))
        totals[rows] += idf * _saturated(counts, index.lengths[rows] / mean)
    places = np.flatnonzero(totals)
    places = places[np.argsort(-totals[places], kind="stable")]
    return places, totals[places]


def _idf(seen: float, size: float) -> float:
    return float(np.log1p((size - seen + 0.5) / (seen + 0.5)))


def _saturated(counts: npt.NDArray[Any], lengths: Array) -> Array:
    weights: Array = counts / (counts + K1 * (1 - B + B * lengths))
    return weights


def _present(counts: npt.NDArray[Any], lengths: Array) -> Array:
    """The same, 1 where a word is there once in a text of average length, and never more."""
    return np.minimum(1.0, (1.0 + K1) * _saturated(counts, lengths))


@lru_cache(PASSAGES)
def _words(text: str, language: str) -> tuple[str, int]:
    """The words of a text as one string, each between two spaces of its own, and how many there are.

    A string takes a third of the memory that a mapping of counts takes, and how often it has a word is found as soon.
    """
    words = tokenize(text, language)
    return "".join(f" {word} " for word in words), len(words)

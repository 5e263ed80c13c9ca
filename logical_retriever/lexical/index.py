"""An inverted index: the texts that contain a word, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress

import numpy as np
import numpy.typing as npt

from logical_retriever.lexical.analysis import analyser

Integers = npt.NDArray[np.integer]

CHUNK = 4_000_000
"""Characters of text indexed at once; they take about ten times as many bytes of memory."""


class WordIndex:
    """An immutable inverted index of N texts, over the words of :func:`~logical_retriever.lexical.tokenize`.

    It takes the vocabulary, and five bytes for each distinct word of each text.

    Args:
        numbers: The vocabulary: W words, numbered from 0.
        starts: Shape (W + 1,): the entries of word w are ``starts[w]`` to ``starts[w + 1]``, exclusive.
        rows: Position of each entry's text, ascending for each word.
        counts: How often that text has the word, at least 1.
        lengths: Shape (N,): number of words of each text.
        language: Of the words, one of :data:`~logical_retriever.lexical.LANGUAGES`.

    Examples:
        >>> index = WordIndex.of(["green tea", "tea, more tea", "coffee"])
        >>> rows, counts = index.postings("tea")
        >>> rows.tolist(), counts.tolist(), index.lengths.tolist()
        ([0, 1], [1, 2], [2, 3, 1])
        >>> index.kept([1, 2]).postings("tea")[0].tolist()
        [0]
    """

    def __init__(
        self,
        numbers: Mapping[str, int],
        starts: Integers,
        rows: Integers,
        counts: Integers,
        lengths: Integers,
        language: str = "en",
    ) -> None:
        self.numbers, self.lengths, self.language = numbers, lengths, language
        self._starts, self._rows, self._counts = starts, rows, counts

    @classmethod
    def of(cls, texts: Iterable[str], language: str = "en") -> WordIndex:
        """Build an index of texts."""
        none = np.empty(0, np.int32)
        return cls({}, np.zeros(1, np.int64), none, none.astype(np.uint8), none, language).added(texts)

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def mean_length(self) -> float:
        """Mean number of words of a text, at least 1."""
        return max(1.0, float(self.lengths.mean())) if len(self.lengths) else 1.0

    def postings(self, word: str) -> tuple[Integers, Integers]:
        """Find the texts that have a word.

        Args:
            word: A word of ``tokenize``.

        Returns:
            Positions of the texts, ascending; and how often each has the word.
        """
        number = self.numbers.get(word)
        entries = slice(0, 0) if number is None else slice(self._starts[number], self._starts[number + 1])
        return self._rows[entries], self._counts[entries]

    def dumped(self) -> tuple[list[str], dict[str, Integers]]:
        """Return the vocabulary, and arrays by name, for :meth:`loaded`."""
        arrays = {"starts": self._starts, "rows": self._rows, "counts": self._counts, "lengths": self.lengths}
        return list(self.numbers), arrays

    @classmethod
    def loaded(cls, vocabulary: Sequence[str], arrays: Mapping[str, Integers], language: str) -> WordIndex:
        """Build an index from the parts that :meth:`dumped` returned.

        Raises:
            KeyError: An array is missing.
            ValueError: The parts do not fit together.
        """
        starts, rows, counts, lengths = (arrays[name] for name in ("starts", "rows", "counts", "lengths"))
        whole = len(starts) == len(vocabulary) + 1 and starts[-1] == len(rows) == len(counts)
        if not whole or rows.max(initial=-1) >= len(lengths):
            raise ValueError("parts of the index do not fit together")
        numbers = {word: number for number, word in enumerate(vocabulary)}
        return cls(numbers, starts, rows, counts, lengths, language)

    def added(self, texts: Iterable[str]) -> WordIndex:
        """Build an index with further texts behind these.

        Args:
            texts: Read one by one.
        """
        # Words that no text has any more are dropped: else a store whose texts come and go grows for ever.
        used, lengths = np.diff(self._starts) > 0, [self.lengths]
        numbers = {word: number for number, word in enumerate(compress(self.numbers, used.tolist()))}
        own = (np.cumsum(used, dtype=np.int32) - 1)[self._entry_words()]
        entries: list[tuple[Integers, ...]] = [(own, self._rows, self._counts)]
        at, read = len(self), analyser(self.language)
        for chunk in _chunks(texts):
            by_text = [[numbers.setdefault(word, len(numbers)) for word in read.tokens(text)] for text in chunk]
            lengths.append(np.array(list(map(len, by_text)), np.int32))
            # One number for word and text: sorted, the entries are in the order of words, then of texts.
            keys = np.array([word * len(chunk) for words in by_text for word in words], np.int64)
            keys += np.repeat(np.arange(len(chunk)), lengths[-1])
            keys, counts = np.unique(keys, return_counts=True)
            words = (keys // len(chunk)).astype(np.int32)
            rows = (at + keys % len(chunk)).astype(np.int32)
            entries.append((words, rows, counts.astype(np.min_scalar_type(int(counts.max(initial=1))))))
            at += len(chunk)
        words, rows, counts = (np.concatenate(parts) for parts in zip(*entries, strict=True))
        order = np.argsort(words, kind="stable")
        starts = np.searchsorted(words[order], np.arange(len(numbers) + 1))
        return WordIndex(numbers, starts, rows[order], counts[order], np.concatenate(lengths), self.language)

    def kept(self, rows: Sequence[int] | Integers) -> WordIndex:
        """Build an index of some of the texts.

        Args:
            rows: Positions of the texts, ascending; in the new index they are 0, 1, ...
        """
        chosen = np.asarray(rows, dtype=np.int64)
        places = np.full(len(self), -1, np.int32)
        places[chosen] = np.arange(len(chosen), dtype=np.int32)
        new = places[self._rows]
        stay = new >= 0
        starts = np.searchsorted(self._entry_words()[stay], np.arange(len(self._starts)))
        return WordIndex(self.numbers, starts, new[stay], self._counts[stay], self.lengths[chosen], self.language)

    def _entry_words(self) -> Integers:
        """Return the number of each entry's word, ascending."""
        return np.repeat(np.arange(len(self._starts) - 1, dtype=np.int32), np.diff(self._starts))


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    """Split the texts into chunks of some million characters."""
    chunk, size = list[str](), 0
    for text in texts:
        chunk.append(text)
        size += len(text)
        if size >= CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk

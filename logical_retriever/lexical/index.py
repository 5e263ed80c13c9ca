"""An index of words: which of many texts have a word, and how often."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.bounded import BoundedCache
from logical_retriever.lexical.analysis import Analyser, analyser

Integers = npt.NDArray[np.integer]
Array = npt.NDArray[np.float64]
Places = npt.NDArray[Any] | slice
"""Which of N texts: their positions, ascending, or ``slice(None)`` for all."""

CHUNK = 4_000_000
"""Characters of text counted at once: what that takes of memory is some ten times as many bytes."""
SEGMENT = 4_000_000
"""Entries up to which segments are merged: merging takes several times their memory."""
SPELLINGS = 400_000
"""Spellings of words remembered at once while texts are counted."""


WEIGHTS_MEMORY = 32_000_000
"""Bytes that weights of words looked for lately take at most, for each index."""


@dataclass(frozen=True)
class _Segment:
    """The words of consecutive texts: entry i says that a text has a word ``counts[i]`` times.

    Attributes:
        words: W word numbers, ascending.
        starts: Shape (W + 1,): the entries of word w are those from ``starts[w]`` up to ``starts[w + 1]``.
        rows: Positions of the texts, ascending for each word.
        counts: 1 or more.
    """

    words: Integers
    starts: Integers
    rows: Integers
    counts: Integers

    @classmethod
    def of(cls, words: Integers, rows: Integers, counts: Integers) -> _Segment:
        """Of entries that are ordered by word and then by row."""
        distinct, first = np.unique(words, return_index=True)
        kind = np.min_scalar_type(int(counts.max(initial=1)))
        return cls(
            distinct.astype(np.int32),
            np.append(first, len(words)).astype(np.int32),
            rows.astype(np.int32),
            counts.astype(kind),
        )

    def entries(self) -> tuple[Integers, Integers, Integers]:
        return np.repeat(self.words, np.diff(self.starts)), self.rows, self.counts

    def of_word(self, word: int, start: int, stop: int) -> slice:
        at = int(np.searchsorted(self.words, word))
        if at == len(self.words) or self.words[at] != word:
            return slice(0, 0)
        first, end = int(self.starts[at]), int(self.starts[at + 1])
        rows = self.rows[first:end]
        if not len(rows) or (start <= rows[0] and rows[-1] < stop):
            return slice(first, end)
        low, high = np.searchsorted(rows, (start, stop))
        return slice(first + int(low), first + int(high))

    @property
    def nbytes(self) -> int:
        return self.words.nbytes + self.starts.nbytes + self.rows.nbytes + self.counts.nbytes


class _Vocabulary:
    """Numbers of words, in the order they were met; shared by all indexes that grew out of one."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.numbers = {word: number for number, word in enumerate(words)}
        self.lock = threading.Lock()


class _Spellings(dict[str, int]):
    """Number of the word that a spelling is of, -1 for words that do not count; found out when first asked for."""

    def __init__(self, numbers: dict[str, int], analyser: Analyser) -> None:
        super().__init__()
        self._numbers = numbers
        self.analyser = analyser

    def __missing__(self, spelling: str) -> int:
        if len(self) >= SPELLINGS:
            self.clear()
        word = self.analyser.stem(spelling)
        number = -1 if word is None else self._numbers.setdefault(word, len(self._numbers))
        self[spelling] = number
        return number


class WordIndex:
    """Which of N texts have a word, and how often; words as :func:`~logical_retriever.lexical.tokens.tokenize` gives.

    Never changed: with texts added or gone there is another one, which shares most of its memory. Five bytes for each
    distinct word of a text, and the vocabulary.

    Attributes:
        lengths: Shape (N,): how many words each text has.
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
        self, lengths: Integers, segments: tuple[_Segment, ...], vocabulary: _Vocabulary, language: str = "en"
    ) -> None:
        self.lengths = lengths
        self.language = language
        self._segments = segments
        self._vocabulary = vocabulary
        self._weights: BoundedCache[Hashable, tuple[Places, Array]] = BoundedCache(WEIGHTS_MEMORY, weigh=_weigh)

    @classmethod
    def of(cls, texts: Iterable[str], language: str = "en") -> WordIndex:
        """Of these texts."""
        return cls(np.empty(0, np.int32), (), _Vocabulary(), language).added(texts)

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def nbytes(self) -> int:
        """Bytes that it takes, vocabulary included."""
        numbers = self._vocabulary.numbers
        words = sys.getsizeof(numbers) + sum(sys.getsizeof(word) + 32 for word in numbers)
        return words + self.lengths.nbytes + sum(segment.nbytes for segment in self._segments)

    @property
    def mean_length(self) -> float:
        """Mean number of words of a text, at least 1."""
        return max(1.0, float(self.lengths.mean())) if len(self.lengths) else 1.0

    def postings(self, word: str, start: int = 0, stop: int | None = None) -> tuple[Integers, Integers]:
        """Texts that have a word.

        Args:
            word: As ``tokenize`` gives it.
            start: Position of the first text looked at.
            stop: Position after the last; None for all.

        Returns:
            Positions of the texts, ascending, and how often each has the word.
        """
        number = self._vocabulary.numbers.get(word)
        found: list[tuple[Integers, Integers]] = [(np.empty(0, np.int32), np.empty(0, np.uint8))]
        if number is not None:
            for segment in self._segments:
                part = segment.of_word(number, start, len(self) if stop is None else stop)
                found.append((segment.rows[part], segment.counts[part]))
        rows, counts = zip(*found, strict=True)
        return np.concatenate(rows), np.concatenate(counts)

    def weights(self, word: str, weight: Callable[[Array, Array], Array], mean_length: float) -> tuple[Places, Array]:
        """How much a word weighs in the texts that have it, or in all texts where most have it; kept a while.

        Args:
            word: As ``tokenize`` gives it.
            weight: A function of a module, of how often texts have a word and of their lengths in mean lengths.
            mean_length: Words of a text of average length.

        Returns:
            Which texts, and their weights, in that order; 0 for a text without the word.
        """
        key = word, weight, mean_length
        found = self._weights.get(key)
        if found is None:
            rows, counts = self.postings(word)
            found = rows, weight(counts.astype(np.float64), self.lengths[rows] / mean_length)
            if 2 * len(rows) > len(self):  # to add them to all is faster than to most
                whole = np.zeros(len(self))
                whole[rows] = found[1]
                found = slice(None), whole
            self._weights.put(key, found)
        return found

    def view(self, rows: Sequence[int]) -> WordIndex:
        """Of some of the texts alone, for as long as the search that looks at them.

        Args:
            rows: Their positions, ascending; they count from 0 from there on.
        """
        return _View(self, np.asarray(rows, dtype=np.int64))

    def dumped(self) -> tuple[list[str], dict[str, Integers]]:
        """The vocabulary, and arrays by name, of which :meth:`loaded` makes the same index."""
        parts = (*self._segments, *([] if self._segments else [_Segment.of(*(np.empty(0, np.int32),) * 3)]))
        arrays = {f"{n}.{name}": values for n, part in enumerate(parts) for name, values in vars(part).items()}
        with self._vocabulary.lock:
            return list(self._vocabulary.numbers), {**arrays, "lengths": self.lengths}

    @classmethod
    def loaded(cls, words: Sequence[str], arrays: Mapping[str, Integers], language: str) -> WordIndex:
        """The index of which :meth:`dumped` gave these.

        Raises:
            KeyError: An array is missing.
            ValueError: They do not fit together.
        """
        segments = []
        for n in range(sum(name.endswith(".words") for name in arrays)):
            part = _Segment(*(arrays[f"{n}.{name}"] for name in ("words", "starts", "rows", "counts")))
            fits = len(part.starts) == len(part.words) + 1 and part.starts[-1] == len(part.rows) == len(part.counts)
            if (
                not fits
                or part.rows.max(initial=-1) >= len(arrays["lengths"])
                or part.words.max(initial=-1) >= len(words)
            ):
                raise ValueError("parts of the index do not fit together")
            segments.append(part)
        return cls(arrays["lengths"], tuple(segments), _Vocabulary(words), language)

    def added(self, texts: Iterable[str]) -> WordIndex:
        """The same with further texts behind those that there are.

        Args:
            texts: Read as they are needed.
        """
        segments, lengths = list(self._segments), [self.lengths]
        with self._vocabulary.lock:
            spellings = _Spellings(self._vocabulary.numbers, analyser(self.language))
            at = len(self)
            for chunk in _chunks(texts):
                segment, counted = _counted(chunk, spellings, at)
                segments.append(segment)
                lengths.append(counted)
                at += len(chunk)
                _merge(segments)
        return WordIndex(np.concatenate(lengths), tuple(segments), self._vocabulary, self.language)

    def kept(self, rows: Sequence[int] | Integers) -> WordIndex:
        """Of some of the texts alone.

        Args:
            rows: Their positions, ascending.
        """
        chosen = np.asarray(rows, dtype=np.int64)
        places = np.full(len(self), -1, np.int32)
        places[chosen] = np.arange(len(chosen), dtype=np.int32)
        segments = []
        for segment in self._segments:
            words, old, counts = segment.entries()
            new = places[old]
            stay = new >= 0
            if stay.any():
                segments.append(_Segment.of(words[stay], new[stay], counts[stay]))
        _merge(segments)
        return WordIndex(self.lengths[chosen], tuple(segments), self._vocabulary, self.language)


class _View(WordIndex):
    """Postings are looked up in the whole index; texts cannot be added."""

    def __init__(self, index: WordIndex, rows: Integers) -> None:
        super().__init__(index.lengths[rows], (), _Vocabulary(), index.language)
        self._index, self._rows = index, rows

    def postings(self, word: str, start: int = 0, stop: int | None = None) -> tuple[Integers, Integers]:
        chosen = self._rows[start:stop]
        if not len(chosen):
            return np.empty(0, np.int32), np.empty(0, np.uint8)
        rows, counts = self._index.postings(word, int(chosen[0]), int(chosen[-1]) + 1)
        places = np.searchsorted(chosen, rows)
        here = chosen[places] == rows
        return start + places[here], counts[here]


def _weigh(_: Hashable, found: tuple[Places, Array]) -> int:
    return 400 + found[1].nbytes + (0 if isinstance(found[0], slice) else found[0].nbytes)


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for text in texts:
        chunk.append(text)
        size += len(text) + 1
        if size >= CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _counted(texts: Sequence[str], spellings: _Spellings, first: int) -> tuple[_Segment, Integers]:
    """The words of texts of which the first has this position, and how many words each has."""
    words, found = spellings.analyser.spellings, []
    for text in texts:
        numbers = np.array(list(map(spellings.__getitem__, words(text))), np.int64)
        found.append(numbers[numbers >= 0])
    lengths = np.array([len(numbers) for numbers in found], np.int32)
    # Word and place in one number: sorted, they are in order of the words and for each word in that of the texts.
    keys, counts = np.unique(
        np.concatenate(found) * len(texts) + np.repeat(np.arange(len(texts)), lengths), return_counts=True
    )
    return _Segment.of(keys // len(texts), first + keys % len(texts), counts), lengths


def _merge(segments: list[_Segment]) -> None:
    """Merge the last ones while the one before is not much larger: then there are few, and each is merged seldom."""
    while len(segments) > 1:
        before, last = len(segments[-2].rows), len(segments[-1].rows)
        if before > 2 * last or before + last > SEGMENT:
            return
        words, rows, counts = (
            np.concatenate(parts) for parts in zip(segments[-2].entries(), segments[-1].entries(), strict=True)
        )
        order = np.argsort(words, kind="stable")
        segments[-2:] = [_Segment.of(words[order], rows[order], counts[order])]

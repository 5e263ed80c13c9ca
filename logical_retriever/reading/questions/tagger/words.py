"""The words of a question, and their numbers for the network."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final
from zlib import crc32

from logical_retriever.errors import Span
from logical_retriever.reading.pieces import CHARACTER, WORD, Pieces

MAX_WORDS: Final = 400
"""Most words of a question; the rest is not read."""
MAX_PIECES: Final = 512
"""Most word pieces of a question, the marks at both ends included."""
WORD_ROWS: Final = 1 << 14
"""Rows of the table of whole words."""
GRAM_ROWS: Final = 1 << 15
"""Rows of the table of parts of words."""
SHAPES: Final = 64
"""Number of shapes of a word."""

_QUOTATION: Final = re.compile(
    r'"[^"\n]{1,120}"|“[^”\n]{1,120}”|„[^“”\n]{1,120}[“”]|«[^»\n]{1,120}»|「[^」\n]{1,60}」|『[^』\n]{1,60}』|《[^》\n]{1,60}》'
)
_CAPITALISED: Final = r"[A-Z](?:[^\W\d_]|['’-](?=[^\W\d_]))+"
# Two or three capitalised words after a word in lower case: "without Sean Connery", but not "Laptops Dell".
_NAME: Final = re.compile(rf"(?<=[a-z] ){_CAPITALISED}(?: {_CAPITALISED}){{1,2}}(?![^\W_])")
_MOST_GRAMS: Final = 20
_MOST_CHARACTERS: Final = 60


@dataclass(frozen=True)
class Words:
    """The words of a question.

    Attributes:
        text: The question.
        spans: The place of each word.
        joined: For each word, whether it belongs to the same quotation or name as the word before; no reading cuts
            between them.
        cut: Whether the question has more words than :data:`MAX_WORDS`.
    """

    text: str
    spans: tuple[Span, ...]
    joined: tuple[bool, ...]
    cut: bool


@dataclass(frozen=True)
class Features:
    """The network's input for one question; all but ``pieces`` have one entry for each word.

    Attributes:
        pieces: Rows of the table of word pieces, in order, between the two marks.
        first: Index in ``pieces`` of each word's first piece.
        words: Rows of the table of whole words.
        grams: Rows of the table of parts of words; at least one for each word.
        shapes: Numbers for how each word is written: capitals, digits, signs, spaces around it.
    """

    pieces: list[int]
    first: list[int]
    words: list[int]
    grams: list[list[int]]
    shapes: list[int]


def split_words(text: str) -> Words:
    """Split a question into words; each Chinese, Japanese or Thai character is a word."""
    matches = list(islice(WORD.finditer(text), MAX_WORDS + 1))
    spans = [Span(*match.span()) for match in matches[:MAX_WORDS]]
    quotations = _QUOTATION.finditer(text, 0, spans[-1].end if spans else 0)
    whole = [Span(found.start() + 1, found.end() - 1) for found in quotations]
    whole += [Span(*found.span()) for found in _NAME.finditer(text)]
    joined = [any(a.start >= start and b.end <= end for start, end in whole) for a, b in pairwise(spans)]
    return Words(text, tuple(spans), (False, *joined)[: len(spans)], len(matches) > MAX_WORDS)


class Vocabulary(Pieces):
    """The table of word pieces, which turns words into the network's numbers."""

    def features(self, words: Words) -> Features:
        """Build the network's input; words at the end are left out if there are more than :data:`MAX_PIECES` pieces."""
        text, result = words.text, Features([self.begin], [], [], [], [])
        written = [text[start:end] for start, end in words.spans]
        for i, (word, pieces) in enumerate(zip(written, self.of_words(text, words.spans), strict=True)):
            if len(result.pieces) + len(pieces) >= MAX_PIECES:
                break
            result.first.append(len(result.pieces))
            result.pieces.extend(pieces)
            result.words.append(crc32(word.lower().encode("utf-8", "replace")) % WORD_ROWS)
            if CHARACTER.match(word):
                before, after = written[i - 1] if i else "<", written[i + 1] if i + 1 < len(written) else ">"
                result.grams.append(_rows((word, before + word, word + after, before + word + after)))
            else:
                result.grams.append(_grams(word))
            result.shapes.append(_shape(words, i))
        result.pieces.append(self.end)
        return result


def _rows(texts: tuple[str, ...]) -> list[int]:
    return [crc32(text.encode("utf-8", "replace")) % GRAM_ROWS for text in texts]


@lru_cache(maxsize=8192)
def _grams(word: str) -> list[int]:
    """Return the rows of all runs of three and four characters of a word."""
    marked = f"<{word[:_MOST_CHARACTERS].lower()}>"
    grams = [marked[i : i + n] for n in (3, 4) for i in range(len(marked) - n + 1)] or [marked]
    if len(grams) > _MOST_GRAMS:
        grams = grams[: _MOST_GRAMS // 2] + grams[-_MOST_GRAMS // 2 :]
    return _rows(tuple(grams))


def _shape(words: Words, i: int) -> int:
    start, end = words.spans[i]
    word = words.text[start:end]
    bits = (
        word[:1].isupper(),
        any(character.isdigit() for character in word),
        not any(character.isalnum() for character in word),
        len(word) > 1 and word.isupper(),
        start > 0 and not words.text[start - 1].isspace(),
        end < len(words.text) and not words.text[end].isspace(),
    )
    return sum(1 << place for place, bit in enumerate(bits) if bit)

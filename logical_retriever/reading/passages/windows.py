"""Passages cut into windows that a network can read at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from logical_retriever.reading.pieces import CHARACTER, SENTENCE_END, WORD

UNKNOWN: Final = 0.1
"""Share of unknown pieces from which a passage is not read."""
UNKNOWN_SIGNS: Final = 0.25
"""The same for Chinese and Japanese, where every sign is a piece, and rare signs are unknown."""
MOST_PIECES: Final = 0.6
"""Above this many pieces per visible character, a passage is not prose: English has .29 to .47, source code .65."""
SIGNS: Final = 0.3
"""Share of such signs from which a passage is Chinese or Japanese."""


class Window(NamedTuple):
    """A part of a passage.

    Attributes:
        text: Its text.
        rows: The rows of its pieces.
    """

    text: str
    rows: list[int]


class WordPieces(Protocol):
    """The word pieces of a vocabulary, as :class:`~logical_retriever.reading.pieces.Pieces` has them."""

    unknown: int

    def of_words(self, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
        """Yield the rows of each word's pieces."""


def windows_of(passage: str, pieces: WordPieces, longest: int) -> tuple[Window, ...]:
    """Cut a passage into windows of whole sentences, of like length and at most ``longest`` pieces.

    A sentence that is longer is cut between words. A passage that the vocabulary does not cover has no windows.
    """
    spans = [found.span() for found in WORD.finditer(passage)]
    words = list(pieces.of_words(passage, spans))
    total, seen = sum(map(len, words)), sum(end - start for start, end in spans)
    signs = len(CHARACTER.findall(passage)) > SIGNS * seen
    unknown = sum(word.count(pieces.unknown) for word in words)
    if (
        not total
        or unknown > total * (UNKNOWN_SIGNS if signs else UNKNOWN)
        or (total > MOST_PIECES * seen and not signs)
    ):
        return ()
    sentence_ends = {found.start() for found in SENTENCE_END.finditer(passage)}
    aim = -(-total // max(1, -(-total // longest)))
    windows, rows, start, last = list[Window](), list[int](), 0, 0
    for (begin, end), word in zip(spans, words, strict=True):
        if rows and (len(rows) + len(word) > longest or (len(rows) >= aim and last in sentence_ends)):
            windows.append(Window(passage[start:last], rows))
            rows, start = [], begin
        rows.extend(word)
        last = end
    return (*windows, Window(passage[start:], rows))

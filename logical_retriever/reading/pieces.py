"""Words of a text, and the pieces of a vocabulary that they are cut into."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

_UNSPACED: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f"
_LETTER: Final = f"[^\\W_{_UNSPACED}]"
_ELIDED: Final = "(?i:[cdjlmnst]|qu|un|all|dall|dell|nell|sull|quest)['’]"
WORD: Final = re.compile(
    # abbreviations with full stops; characters of scripts without spaces; French and Italian articles with an
    # apostrophe; words, "Next.js" and "C++" whole; line breaks; any other visible character
    rf"(?:[^\W\d_{_UNSPACED}]\.){{2,}}|[{_UNSPACED}]|(?<![^\W_]){_ELIDED}(?={_LETTER}{{2}})|"
    rf"{_LETTER}(?:{_LETTER}|[.'’+#&@_](?={_LETTER}))*[+#]*|[\r\n]+|[^\s]"
)
"""A word, one character of a script without spaces, or a sign."""
CHARACTER: Final = re.compile(f"[{_UNSPACED}]")
"""A character of a script without spaces."""
SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n")
"""Where a sentence or line ends."""
_PART: Final = re.compile(r"[^\W_]+|[^\s]")
_MOST_PIECES: Final = 12
_MOST_LETTERS: Final = 24
_MOST_CHARACTERS: Final = 60


class Pieces:
    """A vocabulary of word pieces.

    Args:
        pieces: The pieces by row, "[UNK]", "[CLS]" and "[SEP]" among them. A piece inside a word begins with "##".
        cased: Whether they have capitals and accents, as e5's do. BERT's have neither.

    Attributes:
        unknown: Row of what is in no piece.
        begin: Row of the mark before a text.
        end: Row of the mark after it.
    """

    def __init__(self, pieces: Sequence[str], *, cased: bool = True) -> None:
        self._rows: Mapping[str, int] = {piece: row for row, piece in enumerate(pieces)}
        self.unknown, self.begin, self.end = (self._rows[mark] for mark in ("[UNK]", "[CLS]", "[SEP]"))
        self._cut = lru_cache(maxsize=8192)(self._cased if cased else self._plain)

    def of_text(self, text: str) -> list[int]:
        """Return the rows of a text's pieces."""
        spans = [found.span() for found in WORD.finditer(text)]
        return [row for word in self.of_words(text, spans) for row in word]

    def of_words(self, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
        """Yield the rows of each word's pieces."""
        for start, end in spans:
            word = text[start:end]
            yield self._cut(word, not CHARACTER.match(word) and (start == 0 or text[start - 1].isspace()))

    def _cased(self, word: str, begins: bool) -> tuple[int, ...]:
        """Return the rows of the longest pieces of a word, in lower case if only that is known."""
        word, prefix = unicodedata.normalize("NFKC", word.strip() or "/"), "" if begins else "##"
        if prefix + word not in self._rows and prefix + word.lower() in self._rows:
            word = word.lower()
        rows: list[int] = []
        start = 0
        while start < len(word) and len(rows) < _MOST_PIECES:
            row, end = self._longest(word, start, prefix)
            # A letter that begins no word may still be a piece inside one.
            if row is None and prefix:
                row, end = self.unknown, start + 1
            rows += [] if row is None else [row]
            start, prefix = end, "##"
        return tuple(rows)

    def _plain(self, word: str, begins: bool) -> tuple[int, ...]:  # noqa: ARG002
        """Return the same for BERT's vocabulary, in which every run of letters or digits begins anew."""
        plain = unicodedata.normalize("NFD", word.strip().lower() or "/")
        plain = "".join(character for character in plain if unicodedata.category(character) != "Mn")
        rows: list[int] = []
        for part in _PART.findall(plain):
            own: list[int] = []
            start, prefix, part = 0, "", part[:_MOST_CHARACTERS]
            while start < len(part):
                row, start = self._longest(part, start, prefix)
                if row is None:
                    own = [self.unknown]
                    break
                own.append(row)
                prefix = "##"
            rows += own
        return tuple(rows[:_MOST_PIECES]) or (self.unknown,)

    def _longest(self, word: str, start: int, prefix: str) -> tuple[int | None, int]:
        """Return the row of the longest piece from here and its end; None and ``start`` if there is none."""
        for end in range(min(len(word), start + _MOST_LETTERS), start, -1):
            if (row := self._rows.get(prefix + word[start:end])) is not None:
                return row, end
        return None, start

"""Words in the pieces of BERT's vocabulary, for the networks that begin with MiniLM."""

from __future__ import annotations

import re
import unicodedata

from logical_retriever.reading.questions.tagger.words import Vocabulary

_PART = re.compile(r"[^\W_]+|[^\s]")


class WordPieces(Vocabulary):
    """The pieces have neither capitals nor accents; every word begins anew."""

    def _split(self, word: str, begins: bool) -> tuple[int, ...]:  # noqa: ARG002
        plain = unicodedata.normalize("NFD", word.strip().lower() or "/")
        plain = "".join(character for character in plain if unicodedata.category(character) != "Mn")
        rows: list[int] = []
        for part in _PART.findall(plain):
            rows.extend(self._longest(part[:60]))
        return tuple(rows[:12]) or (self._unknown,)

    def _longest(self, part: str) -> list[int]:
        rows: list[int] = []
        start, prefix = 0, ""
        while start < len(part):
            ends = range(min(len(part), start + 24), start, -1)
            end = next((end for end in ends if prefix + part[start:end] in self._rows), None)
            if end is None:
                return [self._unknown]
            rows.append(self._rows[prefix + part[start:end]])
            start, prefix = end, "##"
        return rows

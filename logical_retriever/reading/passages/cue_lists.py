"""Cue lists, one a language, and texts cut into the tokens that they are looked up in.

A list is a file ``cues/<language>.txt`` of sections. Cues are separated by commas or lines and match whole words as
written, in small letters; the longest cue wins. Comments begin with ``#`` and give the source or the reason.

=============== ========================================================================================================
section         its cues
=============== ========================================================================================================
before          deny what follows: "not", "instead of"
absence         the same, unless a negation stands before them: "without" in "not without"
determiner      the same, up to a preposition: "no" in "no prize for mathematics"
adjacent        deny the next word: "non"
after           deny what precedes: "unavailable"
behind          deny the word that they touch: "free" in "sugar-free"
participle      deny what precedes after an auxiliary, or at the end of the clause: "abolished"
auxiliary       forms of "to be" and "to get"
verb            negated verbs; they deny what precedes where a word of presence follows, or nothing
presence        "available", "included"
value           deny as the value of a field ("Garage: none") or as the answer to a question
pseudo          look like a cue and are none: "not only"
end             begin another statement and end the reach of a cue: "but"
or              join items of a list, whose commas then do not end the reach
preposition     prepositions
prefix, suffix  parts of a word that deny the rest: "unfurnished", "sugarless"
=============== ========================================================================================================
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from typing import Final, NamedTuple

from logical_retriever.lexical import analyser, language_of

LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja")
"""Languages with a list; in another one only the signs of ``signs.txt`` are cues."""
KEPT: Final = 5_000
"""Length in characters up to which a tokenized passage is cached."""

SHORTEST: Final = 4
"""Shortest rest of a word without its affix, in letters."""

_SIGNS: Final = "\u3005\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff"
SIGN: Final = re.compile(f"[{_SIGNS}]")
"""One sign of Chinese or Japanese: a token of its own, as words are not separated there."""
_TOKEN: Final = re.compile(rf"{SIGN.pattern}|\d+(?:[.,]\d+)+|[^\W{_SIGNS}]+(?:['’](?:t|s|re|ve|ll|d|m)\b)?|[^\w\s]|\n")


class Tokens(NamedTuple):
    """A tokenized text.

    Attributes:
        spans: Start and end of each token in the text.
        words: Case-folded words, signs and punctuation marks.
        stems: Their stems, without an affix that denies the word.
        cues: By its first token, each cue's end and sections.
        denied: Tokens with such an affix.
    """

    spans: list[tuple[int, int]]
    words: list[str]
    stems: list[str]
    cues: dict[int, tuple[int, frozenset[str]]]
    denied: set[int]

    def sections(self, at: int) -> frozenset[str]:
        """Return the sections of the cue that begins at a token."""
        return self.cues[at][1] if at in self.cues else frozenset()


class CueList:
    """The cues of one language."""

    def __init__(self, code: str) -> None:
        self._analyser = analyser(code)
        self._cues: dict[tuple[str, ...], frozenset[str]] = {}
        self._lengths: dict[str, list[int]] = {}
        folder = resources.files("logical_retriever.reading.passages") / "cues"
        names = ("signs", code) if code in LANGUAGES else ("signs",)
        text = "".join((folder / f"{name}.txt").read_text(encoding="utf-8") for name in names)
        found = re.findall(r"^\[(\w+)\]\n([^\[]*)", re.sub("^#.*\n", "", text, flags=re.MULTILINE), re.MULTILINE)
        for section, body in found:
            for cue in filter(str.strip, re.split("[,\n]", body)):
                words = tuple(_tokenize(cue)[1])
                self._cues[words] = self._cues.get(words, frozenset()) | {section}
        for words in sorted(self._cues, key=len, reverse=True):
            self._lengths.setdefault(words[0], []).append(len(words))
        self._prefixes, self._suffixes = (
            tuple(words[0] for words, sections in self._cues.items() if kind in sections) for kind in ("prefix", "suffix")
        )

    def is_content(self, word: str) -> bool:
        """Return whether a case-folded word says what a text is about: no stop word, no single letter."""
        return (len(word) > 1 or SIGN.match(word) is not None) and word[0].isalnum() and self._analyser.stem(word) is not None

    def tokenize(self, text: str) -> Tokens:
        """Cut a text into tokens and look up its cues."""
        spans, words = _tokenize(text)
        cues: dict[int, tuple[int, frozenset[str]]] = {}
        denied: set[int] = set()
        stems = list(map(self._stem, words))
        taken = 0
        for at, word in enumerate(words):
            if at < taken:
                continue
            for length in self._lengths.get(word, ()):
                if (sections := self._cues.get(tuple(words[at : at + length]))) is not None:
                    taken = at + length
                    cues[at] = taken, sections
                    break
            else:
                if len(word) > SHORTEST and (rest := self._without_affix(word)):
                    denied.add(at)
                    stems[at] = self._stem(rest)
        return Tokens(spans, words, stems, cues, denied)

    def _stem(self, word: str) -> str:
        return self._analyser.stem(word) or word if word[0].isalnum() else word

    def _without_affix(self, word: str) -> str:
        """Return the rest of a word with an affix that denies it; "" for any other word."""
        rest = ""
        if word.endswith(self._suffixes):
            rest = word[: -max(len(one) for one in self._suffixes if word.endswith(one))]
        elif word.startswith(self._prefixes):
            rest = word[max(len(one) for one in self._prefixes if word.startswith(one)) :]
        return rest if len(rest) >= SHORTEST else ""


@cache
def cue_list(code: str) -> CueList:
    """Return the cues of a language."""
    return CueList(code)


def tokenize_passage(passage: str) -> tuple[str, Tokens]:
    """Return a passage's language and its tokens; several terms are looked up in one passage."""
    return (_cached if len(passage) <= KEPT else _cached.__wrapped__)(passage)


@lru_cache(1024)
def _cached(passage: str) -> tuple[str, Tokens]:
    code = language_of([passage])
    return code, cue_list(code).tokenize(passage)


def _tokenize(text: str) -> tuple[list[tuple[int, int]], list[str]]:
    found = list(_TOKEN.finditer(text))
    return [one.span() for one in found], [one[0].casefold().replace("’", "'") for one in found]

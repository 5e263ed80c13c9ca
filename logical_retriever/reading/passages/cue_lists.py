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
condition       the end of a term that a passage need not repeat: "allowed" in "pets allowed"
function        further words that tell the language of a passage
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
"""Languages with a list of their own; ``signs.txt`` serves all."""
KEPT: Final = 5_000
"""Length in characters up to which a passage's tokens are cached."""
SHORTEST: Final = 4
"""Shortest rest of a word without its affix, in letters."""
# A token's code: its kind of mark, "w" for a word, a private character for the sections of a cue that begins there, "_"
# for the cue's further words.
_MARKS: Final = {
    **dict.fromkeys(".;!…。！；\n•", "."),
    **dict.fromkeys("?？", "?"),
    **dict.fromkeys(":：", ":"),
    **dict.fromkeys("—–()（）「」|", "|"),
    **dict.fromkeys(",，、", ","),
    **dict.fromkeys("-=", "-"),
}

_TELLING: Final = frozenset(
    ("before", "absence", "determiner", "auxiliary", "verb", "end", "or", "preposition", "function")
)

_SIGNS: Final = "\u3005\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff"
SIGN: Final = re.compile(f"[{_SIGNS}]")
"""One sign of Chinese or Japanese: a token of its own, as words are not separated there."""
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_TOKEN: Final = re.compile(rf"{SIGN.pattern}|\d+(?:[.,]\d+)+|[^\W{_SIGNS}]+(?:'(?:t|s|re|ve|ll|d|m)\b)?|[^\w\s]|\n")


class Tokens(NamedTuple):
    """A text's tokens.

    Attributes:
        spans: Start and end of each in the text.
        words: Case-folded words, signs and punctuation marks.
        stems: Their stems, without an affix that denies the word; of two signs that follow each other, both.
        codes: One character each, for rules.
        denied: Tokens with such an affix.
    """

    spans: list[tuple[int, int]]
    words: list[str]
    stems: list[str]
    codes: str
    denied: set[int]


class CueList:
    """The cues of one language."""

    def __init__(self, code: str) -> None:
        self._analyser = analyser(code)
        folder = resources.files("logical_retriever.reading.passages") / "cues"
        names = ("signs", code) if code in LANGUAGES else ("signs",)
        text = "".join((folder / f"{name}.txt").read_text(encoding="utf-8") for name in names)
        sections: dict[tuple[str, ...], frozenset[str]] = {}
        for section, body in re.findall(r"^\[(\w+)\]\n([^\[]*)", re.sub("(?m)^#.*\n", "", text), re.MULTILINE):
            for cue in filter(str.strip, re.split("[,\n]", body)):
                words = tuple(one[0].casefold() for one in _TOKEN.finditer(cue))
                sections[words] = sections.get(words, frozenset()) | {section}
        # What begins like a shorter cue is that cue too: "não tem" and "não".
        for words in sorted(sections, key=len):
            if "pseudo" not in sections[words]:
                sections[words] |= sections.get(words[:-1], frozenset())
        self.codes = {of: chr(0xE000 + at) for at, of in enumerate(sorted(set(sections.values()), key=sorted))}
        self._cues = {words: self.codes[of] for words, of in sections.items()}
        self._lengths: dict[str, list[int]] = {}
        for words in sorted(sections, key=len, reverse=True):
            lengths = self._lengths.setdefault(words[0], [])
            lengths += [len(words)] * (len(words) not in lengths)
        self.telling = self._analyser.stop_words.union(*(words for words, of in sections.items() if of & _TELLING))
        self._prefixes, self._suffixes = (
            tuple(words[0] for words, of in sections.items() if affix in of) for affix in ("prefix", "suffix")
        )

    def is_content(self, word: str, stem: str) -> bool:
        """Return whether a word says what a text is about: no mark, stop word, single letter or single sign."""
        return word[0].isalnum() and len(stem) > 1 and self._analyser.stem(word) is not None

    def tokenize(self, text: str) -> Tokens:
        """Cut a text into tokens and look up its cues."""
        found = list(_TOKEN.finditer(text.replace("’", "'")))
        words = [one[0].casefold() for one in found]
        codes: list[str] = []
        stems, denied = [], set()
        for at, word in enumerate(words):
            if word >= _SIGNS[0] and SIGN.match(word):
                stems.append(word + "".join(filter(SIGN.match, words[at + 1 : at + 2])))
            else:
                stems.append(self._analyser.stem(word) or word if word[0].isalnum() else word)
            if at < len(codes):
                continue
            for length in self._lengths.get(word, ()):
                if code := self._cues.get(cue := tuple(words[at : at + length])):
                    codes += [code, *"_" * (len(cue) - 1)]
                    break
            else:
                codes.append(_MARKS.get(word, "w"))
                if len(word) > SHORTEST and (rest := self._without_affix(word)):
                    denied.add(at)
                    stems[at] = self._analyser.stem(rest) or rest
        return Tokens([one.span() for one in found], words, stems, "".join(codes), denied)

    def _without_affix(self, word: str) -> str:
        """Return the rest of a word with an affix that denies it; "" for any other word."""
        suffix = next((one for one in self._suffixes if word.endswith(one)), "")
        prefix = next((one for one in self._prefixes if word.startswith(one)), "")
        rest = word.removesuffix(suffix) if suffix else word.removeprefix(prefix)
        return rest if SHORTEST <= len(rest) < len(word) else ""


@cache
def cue_list(code: str) -> CueList:
    """Return the cues of a language."""
    return CueList(code)


@cache
def rule(code: str, pattern: str) -> re.Pattern[str]:
    """Compile a language's rule over codes; in a character class, ``<section>`` stands for the section's cues."""
    # The zero keeps the class of an empty section from being empty.
    codes = cue_list(code).codes.items()
    return re.compile(
        re.sub(r"<(\w+)>", lambda name: "\0" + "".join(one for of, one in codes if name[1] in of), pattern)
    )


def tokenize_passage(passage: str) -> tuple[str, Tokens]:
    """Return a passage's language and its tokens, cached: several terms are looked up in one passage."""
    return (_cached if len(passage) <= KEPT else _cached.__wrapped__)(passage)


@lru_cache(1024)
def _cached(passage: str) -> tuple[str, Tokens]:
    code = _language(passage)
    return code, cue_list(code).tokenize(passage)


def _language(passage: str) -> str:
    """Return the language whose list has most of a passage's words; English wins a draw."""
    if SIGN.search(passage):
        return language_of([passage])
    if _CYRILLIC.search(passage):
        return "ru"
    # "N" is the "no" of a table, and with an apostrophe alone French.
    words = set(passage.replace("’", "'").casefold().split()) - {"n"}
    return max(LANGUAGES, key=lambda code: len(words & cue_list(code).telling))

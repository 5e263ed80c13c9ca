"""Signs of negation of many languages: where one is seen and no rule reads it, a language model is worth its time."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from logical_retriever.language.blocks import read_blocks

_CLAUSE_END: Final = re.compile(r"[,;:.!?…\n，。、；：？！؟،।(（–—]")
# Letters of Indian scripts go on with marks that are no word characters to a regular expression.
_LETTER: Final = r"[\w\u0900-\u097f\u0591-\u05c7\u064b-\u0652]"
_FOLDED: Final = {
    "ä": "(?:ä|ae|a)",
    "ö": "(?:ö|oe|o)",
    "ü": "(?:ü|ue|u)",
    "ß": "(?:ß|ss)",
    "ł": "[łl]",
    "ø": "(?:ø|oe|o)",
}
_MAX_TEXT: Final = 20_000


@dataclass(frozen=True)
class _Compiled:
    """The pattern of one language: harmless phrases are group 1, words of exclusion 2, other words of negation 3."""

    pattern: re.Pattern[str]
    why: re.Pattern[str] | None


def signs_in(text: str, language: str) -> tuple[str, ...]:
    """The words of a text that may say that something is not wanted, as they are written there, in order.

    Two ranks: words of exclusion ("behalve", "кроме", "除了") always count. Other words of negation ("niet", "не",
    "不") count too, except in the clause of a "why": "Waarom heeft Nederland geen bergen?" asks for a reason of a fact.
    Phrases that only look like a negation ("niet alleen", "不锈钢") do not count.

    Args:
        text: A question; its first 20,000 characters are read.
        language: ISO 639-1 code, as :func:`~logical_retriever.language.recognise.recognise` gives it.

    Returns:
        The signs; empty where there is none, or where the language has no row in the table.

    Examples:
        >>> signs_in("Belgische bieren uitgezonderd trappist", "nl")
        ('uitgezonderd',)
        >>> signs_in("推荐几道家常豆腐菜,不要麻婆豆腐", "zh")
        ('不要',)
        >>> signs_in("почему в космосе нет звука", "ru")
        ()
    """
    compiled = _compiled(language)
    if compiled is None:
        return ()
    text = unicodedata.normalize("NFC", text[:_MAX_TEXT])
    ends = [match.start() for match in _CLAUSE_END.finditer(text)]
    whys = [match.start() for match in compiled.why.finditer(text)] if compiled.why else []
    return tuple(
        match[0]
        for match in compiled.pattern.finditer(text)
        if match.lastindex == 2 or (match.lastindex == 3 and not _asks_why(match.start(), whys, ends))
    )


def sign_phrases(language: str, field: str) -> tuple[str, ...]:
    """The phrases of one field of a language's row: ``exclusion``, ``negation``, ``harmless`` or ``why``."""
    return tuple(phrase.strip() for phrase in sign_table()[language][field].split(","))


def _asks_why(at: int, whys: list[int], ends: list[int]) -> bool:
    """Whether a "why" stands before a place, in the same clause."""
    before = bisect_left(whys, at) - 1
    return before >= 0 and bisect_left(ends, whys[before]) == bisect_left(ends, at)


@cache
def sign_table() -> Mapping[str, Mapping[str, str]]:
    """ISO 639-1 code to its row of ``signs.txt``: ``exclusion``, ``negation``, ``harmless``, ``example``, ..."""
    table: dict[str, Mapping[str, str]] = {}
    for code, lines in read_blocks("logical_retriever.transform.languages", "signs.txt"):
        fields = (line.partition(": ") for line in lines)
        table[code] = MappingProxyType({name: value for name, _, value in fields})
    return MappingProxyType(table)


@cache
def _compiled(language: str) -> _Compiled | None:
    row = sign_table().get(language)
    if row is None:
        return None
    groups = (row.get("harmless", ""), row["exclusion"], row["negation"])
    pattern = "|".join(f"({_alternatives(group, row)})" for group in groups)
    why = re.compile(_alternatives(row["why"], row), re.IGNORECASE) if "why" in row else None
    return _Compiled(re.compile(pattern, re.IGNORECASE), why)


def _alternatives(phrases: str, row: Mapping[str, str]) -> str:
    """One pattern for a comma-separated list of phrases, longest first; for an empty list one that never matches."""
    made = sorted((phrase.strip() for phrase in phrases.split(",") if phrase.strip()), key=len, reverse=True)
    return "|".join(_phrase(phrase, row) for phrase in made) or r"(?!)"


def _phrase(phrase: str, row: Mapping[str, str]) -> str:
    words = r"\s+".join(_word(word) for word in phrase.split())
    if "unspaced" in row:
        return words
    end = "" if phrase.endswith("*") else rf"(?!{_LETTER})"
    return rf"(?<!{_LETTER}){row.get('prefix', '')}{words}{end}"


def _word(word: str) -> str:
    """A word, with or without its accents; ``*`` is any letters, ``$`` the end of the question."""
    made = []
    for char in word:
        bare = unicodedata.normalize("NFD", char)[0]
        if char == "*":
            made.append(rf"{_LETTER}*")
        elif char == "$":
            made.append(r"\s*[?？]*\s*$")
        elif char == "'":
            made.append("['’]")
        elif char in _FOLDED:
            made.append(_FOLDED[char])
        elif bare != char and bare.isalpha() and char < "\u0590":
            made.append(f"[{char}{bare}]")
        else:
            made.append(re.escape(char))
    return "".join(made)

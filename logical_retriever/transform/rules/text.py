"""Divides a text as a reader does: a quoted title or a bracketed aside is one piece, "vs." ends no sentence."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.patterns import WORD, fold, one_of

HIDDEN: Final = "ꙮ"
"""Stands for a character that is not to be read: a letter that no text has; a hidden title looks like a word."""

# Every look-ahead is bounded, so that 20,000 opening marks cost 20,000 small looks.
_QUOTED: Final = re.compile(
    r"\"([^\"\n]{1,300})\"|[“”„‟]([^“”„‟\"\n]{1,300})[“”‟\"]|«([^«»\n]{1,300})»|»([^«»\n]{1,300})«"
    r"|「([^「」\n]{1,300})」|『([^『』\n]{1,300})』|‹([^‹›\n]{1,300})›"
    r"|(?<!\w)['‘‚]([^'‘’\n]{1,80})['’](?!\w)|`([^`\n]{1,300})`"
)
_INVISIBLE: Final = re.compile("[\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_APOSTROPHES: Final = str.maketrans("’‘ʼ´`＇", "''''''")
_STOP: Final = re.compile(r"[?!？！。؟]+[\"')\]”»]{0,3}|[.…]+(?=[\"')\]”»]{0,3}(?:\s|$))[\"')\]”»]{0,3}|[;；\n]")
_BEGINS: Final = re.compile(r"[\"')\]”»]{0,3}\s+[\"“'(«¿¡]{0,2}(\w+)?")
_INITIAL: Final = re.compile(r"(?<!\w)(?:\w|\w\.\w)$")
_CLOSING: Final = {"(": ")", "[": "]", "（": "）", "{": "}"}
# *not*, _not_, **not**: what stresses a word is no part of it.
_STRESSED: Final = re.compile(r"(?<![\w*])(\*{1,2}|_{1,2})(\w[^*_\n]{0,60}?)\1(?![\w*])")


class Piece(NamedTuple):
    """A stretch of a text, ``text[start:end]``."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The piece itself."""
        return text[self.start : self.end]

    def moved(self, by: int) -> Piece:
        """The same stretch, counted from an earlier origin."""
        return Piece(self.start + by, self.end + by)


def normalized(question: str, language: CompiledLanguage) -> str:
    """One space between words, no empty lines, nothing invisible, no thanks at the end, cue words spelt right.

    Commas at the end of a quotation stand outside it, where they end clauses: American English writes
    ``"Fame," which``.
    """
    text = _INVISIBLE.sub("", question)
    lines = (" ".join(line.split()) for line in text.splitlines())
    text = "\n".join(line for line in lines if line)
    text = _STRESSED.sub(r"\2", text)
    thanks = language.last_courtesies.search(plain(text))
    if thanks and not _title(text, thanks, language):
        text = text[: thanks.start()] + thanks[1] + thanks[2]
    chars = list(text)
    for start, end in quotations(text):
        if end - start > 1 and text[end - 1] in ",.;":
            chars[end - 1], chars[end] = chars[end], chars[end - 1]
    return _spelt("".join(chars), language)


def _title(text: str, courtesy: re.Match[str], language: CompiledLanguage) -> bool:
    """Whether a courtesy at the end is a title that a preposition governs: "songs by Adele apart from Hello"."""
    before = plain(text[: courtesy.start()]).split()
    said = courtesy[0].lstrip(" \n,;–—-")
    return not courtesy[1] and said[:1].isupper() and bool(before) and before[-1] in language.prepositions


def _spelt(text: str, language: CompiledLanguage) -> str:
    """The text with misspelt cue words as they are spelt; quotations keep theirs."""
    quoted = hide(text, quotations(text))

    def word(match: re.Match[str]) -> str:
        meant = language.corrected(plain(match[0])) if HIDDEN not in match[0] else None
        if meant is None or match[0][1:] != match[0][1:].lower():
            return text[match.start() : match.end()]
        return meant.capitalize() if match[0][0].isupper() else meant

    pieces, at = [], 0
    for match in WORD.finditer(quoted):
        written = word(match)
        if written != text[match.start() : match.end()]:
            pieces += [text[at : match.start()], written]
            at = match.end()
    return "".join([*pieces, text[at:]]) if pieces else text


def plain(text: str) -> str:
    """The text in small letters, without accents, with straight apostrophes, every offset kept."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return fold(lowered.translate(_APOSTROPHES))


def hide(text: str, pieces: list[Piece]) -> str:
    """Replace the pieces' characters by :data:`HIDDEN`, keeping every offset."""
    if not pieces:
        return text
    chars = list(text)
    for start, end in pieces:
        chars[start:end] = HIDDEN * (end - start)
    return "".join(chars)


def quotations(text: str) -> list[Piece]:
    """The parts inside quotation marks, without the marks."""
    return [Piece(*match.span(match.lastindex or 0)) for match in _QUOTED.finditer(text)]


def asides(text: str) -> list[Piece]:
    """The outermost bracketed parts, without the brackets; a bracket without its partner is an ordinary character."""
    found: list[Piece] = []
    stack: list[tuple[str, int]] = []
    for at, char in enumerate(text):
        if char in _CLOSING:
            stack.append((_CLOSING[char], at))
        elif stack and char == stack[-1][0]:
            start = stack.pop()[1]
            while found and found[-1].start > start:
                found.pop()
            found.append(Piece(start + 1, at))
    return found


@lru_cache(maxsize=32)
def _ends(language: CompiledLanguage) -> tuple[re.Pattern[str], frozenset[str]]:
    """Abbreviations at the end of a text, and the words that begin a sentence even after one."""
    known = one_of(language.language.abbreviations or ("vs",))
    return re.compile(rf"(?<!\w){known}$"), frozenset(language.language.opens_sentence)


def sentences(hidden: str, language: CompiledLanguage) -> list[Piece]:
    """Split a plain text, its quotations and asides hidden, after end marks, semicolons and line breaks."""
    abbreviation, openers = _ends(language)
    pieces: list[Piece] = []
    start = 0
    for match in _STOP.finditer(hidden):
        if match[0][0] == ".":
            ahead = _BEGINS.match(hidden, match.end())
            word = ahead[1] if ahead else None
            before = hidden[max(start, match.start() - 12) : match.start()]
            short = abbreviation.search(before) or _INITIAL.search(before)
            if short and word is not None and word not in openers and len(match[0]) == 1:
                continue
        pieces.append(Piece(start, match.end()))
        start = match.end()
    if start < len(hidden):
        pieces.append(Piece(start, len(hidden)))
    return pieces

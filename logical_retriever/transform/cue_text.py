"""Reads a question as a reader does: a quoted title or a bracketed aside is one piece, "vs." ends no sentence."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

HIDDEN: Final = "X"
"""Stands for a character that is not to be read: one capital letter, so that a hidden title looks like a name."""

# Every look-ahead is bounded, so that 20,000 opening marks cost 20,000 small looks.
_QUOTED: Final = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^“”\n]{1,300})”|«([^«»\n]{1,300})»|(?<!\w)['‘]([^'‘’\n]{1,80})['’](?!\w)"
)
_STOP: Final = re.compile(
    r"[?!？！。]+[\"')\]”]{0,3}|\.(?=[\"')\]”]{0,3}(?:\s+[A-Z\"“'(]|\s*$))[\"')\]”]{0,3}|[;\n]",
)
_ABBREVIATION: Final = re.compile(
    r"(?<!\w)(?:[a-z]|[a-z]\.[a-z]|vs|st|mt|ft|dr|mr|mrs|ms|prof|rev|hon"
    r"|gen|col|capt|sgt|gov|sen|rep|jr|sr|nos?|vols?|op|eds?|cf|ca|al|etc|inc|ltd|co|corp|dept|univ|approx|fig|pp)$",
    re.IGNORECASE,
)
# After an abbreviation a period ends the sentence all the same if the next word can only begin one.
_OPENER: Final = re.compile(
    r"[\"')\]”]{0,3}\s+(?:what|which|who|whose|where|when|why|how|is|are"
    r"|was|were|do|does|did|can|could|would|please|also"
    r"|additionally|exclude|omit|ignore|skip|avoid|leave|don['’]t|i|i['’]m|i['’]d|and|but|focus|tell|give)\b",
    re.IGNORECASE,
)
_COURTESY: Final = re.compile(
    r"(?<=\w)([.!]?)[ \n,;–—-]{1,3}(?:please|pls|thanks|thank you|thx|cheers)"
    r"(?: (?:a lot|very much|so much|in advance))?[.!]{0,3}(\??)$",
    re.IGNORECASE,
)
_CLOSING: Final = {"(": ")", "[": "]"}


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


def normalized(question: str) -> str:
    """One space between words, no empty lines, no thanks, and commas outside quotation marks, where they end clauses.

    American English writes ``"Fame," which``; the comma belongs to the sentence, not to the title.
    """
    lines = (" ".join(line.split()) for line in question.splitlines())
    text = _COURTESY.sub(r"\1\2", "\n".join(line for line in lines if line))
    chars = list(text)
    for start, end in quotations(text):
        if end - start > 1 and text[end - 1] in ",.;":
            chars[end - 1], chars[end] = chars[end], chars[end - 1]
    return "".join(chars)


def hide(text: str, pieces: list[Piece]) -> str:
    """Replace the pieces' characters by :data:`HIDDEN`, keeping every offset."""
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


def sentences(hidden: str) -> list[Piece]:
    """Split a text, its quotations and asides hidden, after end marks, semicolons and line breaks."""
    pieces: list[Piece] = []
    start = 0
    for match in _STOP.finditer(hidden):
        period = match[0][0] == "." and _ABBREVIATION.search(hidden, max(start, match.start() - 8), match.start())
        if period and not _OPENER.match(hidden, match.end()):
            continue
        pieces.append(Piece(start, match.end()))
        start = match.end()
    if start < len(hidden):
        pieces.append(Piece(start, len(hidden)))
    return pieces

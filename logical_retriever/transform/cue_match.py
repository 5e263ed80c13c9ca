"""Finds the exclusions of a question: which words to take out of it, and which of them name what is excluded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from logical_retriever.transform.cue_scope import end_of_scope, start_of_cue
from logical_retriever.transform.cue_table import CUES, Cue
from logical_retriever.transform.cue_text import Piece, asides, hide, quotations, sentences

# How far back the conditions of a cue look: a clause, and a bound on the work a repeated cue can cause.
_LOOK_BACK: Final = 160
_END_MARKS: Final = " \n.?!？！。;"
_ASKED: Final = re.compile(
    r"\W*(?:(?:please|kindly|hi|hello)\b|(?:can|could|would|will) you\b|i(?: want| need|['’]d like|['’]m looking)\b"
    r"|(?:provide|give|write|describe|explain|discuss|introduce|summari[sz]e|list|outline|explore|examine|analy[sz]e"
    r"|compare|tell|show|find|recommend|suggest|name|present|share|look|focus|talk)\b"
    r"|[\w'’ -]{0,80}\b(?:profile|overview|summary|introduction|life story|biography|description)\b)",
    re.IGNORECASE,
)
_EXCEPT: Final = re.compile(r"(?:except|other than|apart|aside|besides|with the|with one|save)", re.IGNORECASE)
_COORDINATED: Final = re.compile(r"\b(?:and|or|nor|but)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Exclusion:
    """One exclusion of a question.

    Attributes:
        out: What to take out of the text.
        named: The part of it that names what is excluded.
        spared: The part of it that is excepted from the exclusion ("excluding winter sports except curling"), or None.
        front: Whether it opens its sentence.
    """

    out: Piece
    named: Piece
    spared: Piece | None = None
    front: bool = False

    def moved(self, by: int) -> Exclusion:
        """The same exclusion, its offsets counted from an earlier origin."""
        spared = None if self.spared is None else self.spared.moved(by)
        return Exclusion(self.out.moved(by), self.named.moved(by), spared, self.front)


@dataclass(frozen=True)
class _Hit:
    cue: Cue
    start: int
    end: int
    mid: Piece | None


def exclusions(text: str) -> list[Exclusion]:
    """Find the exclusions of a text, in order, none overlapping another.

    Quoted parts are not read. A bracketed part that begins with a cue is an exclusion of its own; any other is one
    piece of the sentence around it.
    """
    hidden = hide(text, quotations(text))
    brackets = asides(hidden)
    found = [bracketed for piece in brackets if (bracketed := _in_brackets(piece.of(hidden), piece.start))]
    hidden = hide(hidden, brackets)
    for piece in sentences(hidden):
        if " " not in piece.of(hidden).strip():
            continue  # A cue and what it excludes are two words.
        found += [exclusion.moved(piece.start) for exclusion in _in_sentence(piece.of(hidden))]
    found.sort(key=lambda exclusion: exclusion.out)
    apart: list[Exclusion] = []
    for exclusion in found:
        if not apart or exclusion.out.start >= apart[-1].out.end:
            apart.append(exclusion)
    return apart


def _in_brackets(inside: str, start: int) -> Exclusion | None:
    for exclusion in _in_sentence(inside)[:1]:
        if exclusion.front and exclusion.out.end >= len(inside.rstrip(_END_MARKS)):
            moved = exclusion.moved(start)
            return Exclusion(Piece(start - 1, start + len(inside) + 1), moved.named, moved.spared)
    return None


def _in_sentence(sentence: str) -> list[Exclusion]:
    body = len(sentence.rstrip(_END_MARKS))
    hits = [hit for hit in _hits(sentence) if hit.end < body or (hit.mid and hit.end == body)]
    found: list[Exclusion] = []
    floor = 0
    for at, hit in enumerate(hits):
        if hit.start < floor:
            continue
        exclusion = _exclusion(sentence, hit, hits[at + 1 : at + 3], floor, body)
        if exclusion:
            found.append(exclusion)
            floor = exclusion.out.end
    return found


def _exclusion(sentence: str, hit: _Hit, later: list[_Hit], floor: int, body: int) -> Exclusion | None:
    start = start_of_cue(sentence, hit.start, floor)
    front = not sentence[:start].strip(" ,")
    if hit.mid:
        return Exclusion(Piece(start, hit.end), hit.mid, None, front)
    limit = start_of_cue(sentence, later[0].start, hit.end) if later else body
    end = _end(sentence, hit, start, limit)
    named, spared = Piece(hit.end, end), None
    if later and end == limit and _spares(sentence, limit, later[0]):
        after = start_of_cue(sentence, later[1].start, later[0].end) if len(later) > 1 else body
        end = _end(sentence, later[0], limit, after)
        spared = Piece(later[0].end, end)
    if front and end >= body:
        end = len(sentence)
    return Exclusion(Piece(start, end), named, spared, front) if named.of(sentence).strip() else None


def _end(sentence: str, hit: _Hit, start: int, limit: int) -> int:
    words = sentence[hit.start : hit.end].lower()
    tight = words.startswith(("other than", "except"))
    return end_of_scope(sentence, start, hit.end, limit, kind=hit.cue.kind, tight=tight)


def _spares(sentence: str, start: int, hit: _Hit) -> bool:
    """Whether a cue inside an exclusion takes something out of it, rather than add to it."""
    return bool(_EXCEPT.match(sentence, hit.start)) and not _COORDINATED.search(sentence, start, hit.start)


def _hits(sentence: str) -> list[_Hit]:
    """The cues of a sentence, leftmost and longest first, none overlapping another."""
    asked = _ASKED.match(sentence) is not None
    found = [hit for cue in CUES if asked or not cue.asked for hit in _hits_of(cue, sentence)]
    found.sort(key=lambda hit: (hit.start, -hit.end))
    apart: list[_Hit] = []
    for hit in found:
        if not apart or hit.start >= apart[-1].end:
            apart.append(hit)
    return apart


def _hits_of(cue: Cue, sentence: str) -> list[_Hit]:
    hits = []
    for match in cue.pattern.finditer(sentence):
        before = sentence[max(0, match.start() - _LOOK_BACK) : match.start()]
        fits = cue.before is None or cue.before.search(before)
        if fits and not (cue.unless and cue.unless.search(before)):
            mid = match.groupdict().get("mid")
            hits.append(_Hit(cue, *match.span(), None if mid is None else Piece(*match.span("mid"))))
    return hits

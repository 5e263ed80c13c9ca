"""Finds the exclusions of a text: which words to take out of it, and which of them name what is excluded."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from logical_retriever.transform.languages.table import Kind
from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.hits import Hit, Sentence, asks_for_things, hits, opens_sentence, start_of_cue
from logical_retriever.transform.rules.patterns import WORD
from logical_retriever.transform.rules.scope import Scope
from logical_retriever.transform.rules.text import Piece, asides, hide, plain, quotations, sentences

_END_MARKS: Final = " \n.?!？！。;…؟"
_INSIDE: Final = re.compile("[ -]")
_AFTER: Final = re.compile(r"\s*(?:[,;:]|[–—-]+(?=\s))?\s*")
_CLAUSE_MARK: Final = re.compile(r"(?<!\d),|,(?!\d)|[;:(](?=\s|$|\w)|\s[–—-]+\s|—|[=•]")


@dataclass(frozen=True)
class Exclusion:
    """One exclusion of a text.

    Attributes:
        out: What to take out of the text.
        named: The part of it that names what is excluded.
        kind: Of its cue.
        spared: The part of it that is excepted from the exclusion ("excluding winter sports except curling"), or None.
        front: Whether it opens its sentence.
        alone: Whether it says something even where nothing is wanted.
        personal: Whether the text begins with it, and it may say something of who asks.
        doubtful: Whether it may be a fact about what is wanted.
    """

    out: Piece
    named: Piece
    kind: Kind
    spared: Piece | None = None
    front: bool = False
    alone: bool = False
    personal: bool = False
    doubtful: bool = False

    def moved(self, by: int) -> Exclusion:
        """The same exclusion, its offsets counted from an earlier origin."""
        spared = None if self.spared is None else self.spared.moved(by)
        return replace(self, out=self.out.moved(by), named=self.named.moved(by), spared=spared)


def exclusions(text: str, language: CompiledLanguage) -> list[Exclusion]:
    """Find the exclusions of a text, in order, none overlapping another.

    Quoted parts are not read. A bracketed part is a small sentence of its own, and one piece of the sentence around it.
    """
    lowered = plain(text)
    hidden = hide(lowered, quotations(text))
    brackets = asides(hidden)
    asks = any(word in language.elsewhere for word in WORD.findall(hidden))
    found: list[Exclusion] = []
    outer = hide(hidden, brackets)
    pieces = wishes_of(outer, sentences(outer, language), language)
    wishes = [asks_for_things(piece.of(outer), language) for piece in pieces]
    most, next_most = sorted([*wishes, 0.0, 0.0])[:-3:-1]
    for piece in brackets:
        found += _in_brackets(text, hidden, piece, language, wish=most)
    hidden = outer
    for at, piece in enumerate(pieces):
        sentence = _sentence(text, hidden, piece, elsewhere=asks, wish=next_most if wishes[at] == most else most)
        if _INSIDE.search(sentence.plain.strip()):  # A cue and what it excludes are two words, or "non-spicy".
            found += [exclusion.moved(piece.start) for exclusion in _in_sentence(sentence, language)]
    found.sort(key=lambda exclusion: exclusion.out)
    apart: list[Exclusion] = []
    for exclusion in found:
        if not apart or exclusion.out.start >= apart[-1].out.end:
            apart.append(exclusion)
    return apart


def wishes_of(hidden: str, pieces: list[Piece], language: CompiledLanguage) -> list[Piece]:
    """Cut sentences where another wish begins: "..., or failing that ..."."""
    cuts = [match.start() for match in language.alternatives.finditer(hidden)]
    made: list[Piece] = []
    for piece in pieces:
        inside = [piece.start, *(cut for cut in cuts if piece.start < cut < piece.end), piece.end]
        made += [Piece(start, end) for start, end in pairwise(inside)]
    return made


def _sentence(
    text: str, hidden: str, piece: Piece, *, inside: bool = False, elsewhere: bool = False, wish: float = 0.0
) -> Sentence:
    body = piece.of(hidden)
    return Sentence(piece.of(text), body, len(body.rstrip(_END_MARKS)), inside, elsewhere, not piece.start, wish)


def _in_brackets(text: str, hidden: str, piece: Piece, language: CompiledLanguage, *, wish: float) -> list[Exclusion]:
    inner: list[Exclusion] = []
    for part in sentences(piece.of(hidden), language):
        moved = part.moved(piece.start)
        inner += [
            exclusion.moved(moved.start)
            for exclusion in _in_sentence(_sentence(text, hidden, moved, inside=True, wish=wish), language)
        ]
    rest, at = "", piece.start
    for exclusion in inner:
        rest += hidden[at : exclusion.out.start]
        at = exclusion.out.end
    rest += hidden[at : piece.end]
    if inner and not any(char.isalnum() for char in rest):
        # Nothing else is in the brackets: they go too.
        first, last = inner[0], inner[-1]
        inner[0] = Exclusion(Piece(piece.start - 1, first.out.end), first.named, first.kind, first.spared, first.front)
        last = inner[-1]
        inner[-1] = Exclusion(Piece(last.out.start, piece.end + 1), last.named, last.kind, last.spared, last.front)
    return inner


def _in_sentence(sentence: Sentence, language: CompiledLanguage) -> list[Exclusion]:
    cues = hits(sentence, language)
    found: list[Exclusion] = []
    floor = 0
    if cues and _states_facts(sentence, cues[0], cues[1:3], language):
        cues = [hit for hit in cues if hit.cue.kind is not Kind.LIST]
    for at, hit in enumerate(cues):
        if hit.start < floor:
            continue
        exclusion = _exclusion(sentence, hit, cues[at + 1 : at + 3], floor, language)
        if exclusion:
            found.append(replace(exclusion, doubtful=hit.doubtful or exclusion.doubtful))
            floor = exclusion.out.end
    return found


def _exclusion(
    sentence: Sentence, hit: Hit, later: list[Hit], floor: int, language: CompiledLanguage
) -> Exclusion | None:
    if hit.cue.side == "before":
        return _postposed(sentence, hit, later, floor, language)
    start = start_of_cue(sentence.plain, hit.start, floor, language)
    front = opens_sentence(sentence.plain, start)
    if hit.between:
        end = _with_reason(sentence, hit.end, hit, later, language)
        return Exclusion(
            Piece(start, end), hit.between, hit.cue.kind, front=front, personal=_personal(sentence, hit, front)
        )
    limit = _limit(sentence, hit.end, later, language)
    if hit.cue.kind is Kind.PREFIX:
        word = re.compile(r"[^\s,;:.?!)]+").match(sentence.plain, hit.end)
        return None if word is None else Exclusion(Piece(hit.start, word.end()), Piece(*word.span()), hit.cue.kind)
    end = Scope(sentence, language, hit, start).end(hit.end, limit)
    named, spared = Piece(hit.end, end), None
    if later and end == limit and _spares(sentence, limit, later[0], language):
        after = _limit(sentence, later[0].end, later[1:], language)
        begin = start_of_cue(sentence.plain, later[0].start, hit.end, language)
        end = Scope(sentence, language, later[0], begin).end(later[0].end, after)
        spared = Piece(later[0].end, end)
    if not named.of(sentence.plain).strip(" ,:"):
        return None
    end = _with_reason(sentence, end, hit, later, language)
    if front and end >= sentence.body:
        end = len(sentence.plain)
    personal = _personal(sentence, hit, front)
    # "We're against crates, so no crate training": the statement before it is of the exclusion, and no wish.
    doubtful = sentence.plain[: hit.start].rstrip(" ,").endswith(language.language.so) and not front
    return Exclusion(Piece(start, end), named, hit.cue.kind, spared, front, hit.cue.cue.alone, personal, doubtful)


def _personal(sentence: Sentence, hit: Hit, front: bool) -> bool:
    """Whether an exclusion may say something of who asks: "We already have a cat. How do we introduce a puppy?"."""
    return front and sentence.first and hit.cue.cue.personal and not sentence.elsewhere


def _states_facts(sentence: Sentence, hit: Hit, later: list[Hit], language: CompiledLanguage) -> bool:
    """Whether a text begins with what is not there: "No heating, no hot water, what are my rights?"."""
    if hit.cue.kind is not Kind.LIST or hit.cue.side == "before" or not sentence.first:
        return False
    start = start_of_cue(sentence.plain, hit.start, 0, language)
    end = Scope(sentence, language, hit, start).end(hit.end, _limit(sentence, hit.end, later, language))
    polite = language.polite.search(sentence.plain[hit.end : end])
    offered = language.choices.search(sentence.plain, end)  # "No nuts, cake ideas"
    return opens_sentence(sentence.plain, start) and end < sentence.body and not polite and not offered


def _limit(sentence: Sentence, end: int, later: list[Hit], language: CompiledLanguage) -> int:
    """Where the next cue begins, or the sentence's end marks."""
    for hit in later:
        if hit.cue.side != "before":
            return start_of_cue(sentence.plain, hit.start, end, language)
    return sentence.body


def _postposed(
    sentence: Sentence, hit: Hit, later: list[Hit], floor: int, language: CompiledLanguage
) -> Exclusion | None:
    """For "X aside": what is excluded begins with its clause."""
    marks = list(_CLAUSE_MARK.finditer(sentence.plain, floor, hit.start))
    if marks and hit.detached(sentence):
        if hit.cue.kind is not Kind.CLAUSE or _with_reason(sentence, hit.end, hit, later, language) < sentence.body:
            return None
        marks.pop()  # "Les glaciers, on peut les laisser de côté": what is talked about stands before its clause.
    begin = marks[-1].end() if marks else floor
    while begin < hit.start and not sentence.plain[begin].isalnum():
        lead = language.leads.search(sentence.plain[begin : begin + 1])
        if not lead:
            break
        begin += 1
    words = WORD.findall(sentence.plain, begin, hit.start)
    if not words or len(words) > _MOST_POSTPOSED:
        return None
    again = all(word in language.empty for word in words)  # "Das kenn ich": what was named before.
    light = any(word in language.clause_words for word in words) or all(word in language.light_words for word in words)
    if light and not again:
        return None  # "How do I know when the chicken is done": a clause, and no thing that is named.
    for word in WORD.finditer(sentence.plain, begin, hit.start):
        if word[0] in language.language.so and word.end() < hit.start - 1:
            begin = word.end()  # "humans only so rodent work can be dropped"
    opening = language.first_lead.match(sentence.plain, begin)
    begin = opening.end() if opening and opening.end() < hit.start else begin
    end = _with_reason(sentence, hit.end, hit, later, language)
    start = start_of_cue(sentence.plain, begin, floor, language)
    front = opens_sentence(sentence.plain, start)
    if front and end >= sentence.body:
        end = len(sentence.plain)
    personal = _personal(sentence, hit, front)
    return Exclusion(Piece(start, end), Piece(begin, hit.start), hit.cue.kind, None, front, personal=personal)


_MOST_POSTPOSED: Final = 8


def _with_reason(sentence: Sentence, end: int, hit: Hit, later: list[Hit], language: CompiledLanguage) -> int:
    """Take the reason for an exclusion out with it: "skip the Vatican, we did that last time"."""
    after = _AFTER.match(sentence.plain, end)
    begin = after.end() if after else end
    if begin >= sentence.body or any(not other.detached(sentence) for other in later):
        return end  # What another cue reads is no reason.
    if language.light_after.fullmatch(sentence.plain, end, sentence.body):
        return sentence.body
    if hit.cue.kind is Kind.PHRASE and not language.reasons.match(sentence.plain, begin):
        return end
    if not (
        language.reasons.match(sentence.plain, begin) or language.only_courtesies(sentence.plain[begin : sentence.body])
    ):
        return end
    if language.wishes.search(sentence.plain, begin, sentence.body) or "?" in sentence.plain[sentence.body :]:
        return end
    words = WORD.findall(sentence.plain, begin, sentence.body)
    if (
        (words[0] in language.subjects or words[0] in language.relatives)
        and words[-1] not in language.empty
        and language.signs.search(sentence.plain, begin, sentence.body)
    ):
        return end  # "excluding tea, I'm not interested in coffee": more is excluded than was read.
    return sentence.body


def _spares(sentence: Sentence, start: int, hit: Hit, language: CompiledLanguage) -> bool:
    """Whether a cue inside an exclusion takes something out of it, rather than add to it."""
    if not hit.cue.cue.spares:
        return False
    between = WORD.findall(sentence.plain[start : hit.start])
    return not any(word in language.joins or word in language.leads_words for word in between)

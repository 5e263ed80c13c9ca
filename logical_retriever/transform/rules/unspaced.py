"""Reads exclusions in languages whose words have no spaces between them: Chinese and Japanese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from logical_retriever.query import MAX_TERMS, And, Not, Term
from logical_retriever.transform.languages.signs import signs_in
from logical_retriever.transform.languages.unspaced import UNSPACED, Needs, Unspaced, UnspacedCue
from logical_retriever.transform.reading import Reading
from logical_retriever.transform.rules.text import HIDDEN, Piece, hide

_LONGEST: Final = 24
"""Most signs of what is excluded: more are a clause."""
_SHORTEST: Final = 2
_NEAR: Final = 100
_QUOTED: Final = re.compile(
    r"[「『《〈“\"]([^「」『』《》〈〉“”\"\n]{1,100})[」』》〉”\"]|【([^【】\n]{1,100})】|‘([^‘’\n]{1,100})’"
)
_QUOTES: Final = '「」『』《》〈〉“”"‘’'
_ALWAYS: Final = " \n()（）[]［］"
_ENDS: Final = "？?！!。."
_EMPTY_BRACKETS: Final = re.compile(r"[(（\[［][\s，,、。；;]*[)）\]］]")
_SLASH: Final = re.compile(r"\s*[/／]\s*")


@dataclass(frozen=True)
class _Found:
    """An exclusion: what to take out of the text, and what it names."""

    out: Piece
    items: tuple[str, ...]


class _Cue:
    """A cue and its regular expression."""

    def __init__(self, cue: UnspacedCue, language: Unspaced) -> None:
        self.cue = cue
        ends = f"[{re.escape(language.marks + _ALWAYS + _ENDS)}]"
        begin, end = rf"(?:^|(?<={ends}))", rf"(?={ends}|$)"
        # A space is a mark, but for one inside a foreign name: "Visual Studio以外".
        inside = rf"(?:[^{re.escape(language.marks + _ALWAYS + _ENDS)}]|(?<=[a-zA-Z0-9]) (?=[a-zA-Z0-9]))"
        lazy = not cue.pattern.endswith("{x}") or bool(cue.only_before)
        x = rf"(?P<x>{inside}{{1,{_LONGEST}}}{'?' if lazy else ''})"
        if cue.pattern.startswith("{x}"):
            x = begin + rf"(?:{language.leads})?" + x
        made = cue.pattern.replace("[", "(?:").replace("]", ")?").replace("(", "(?:").replace("(?:?:", "(?:")
        made = made.replace("^", begin + rf"(?:{language.leads})?").replace("$", end).replace("{x}", x)
        if not lazy:
            made += end
        elif cue.only_before:
            made += f"(?={cue.only_before})"
        self.pattern = re.compile(rf"{made}(?!{cue.never_before})", re.IGNORECASE)
        self.unnamed = re.compile(cue.unnamed)
        self.before = cue.pattern.startswith("{x}")


class _Compiled:
    """A language without spaces, its regular expressions made when they are first needed."""

    def __init__(self, language: Unspaced) -> None:
        self.language = language
        self.marks = language.marks + _ALWAYS
        self.asks = re.compile(language.asks)
        self.wishes = re.compile(language.wishes)
        self.questions = re.compile(language.questions)
        self.states = re.compile(language.states)
        self.shields = re.compile(language.shields)
        self.unnamed = re.compile(rf"(?:{language.unnamed})")
        self.unclear = re.compile(language.unclear)
        self.modified = re.compile(language.modified)
        self.bare = re.compile(
            rf"(?:^|[{re.escape(self.marks + _ENDS)}])(?:{language.bare})[{re.escape(language.marks)}]$"
        )
        self.empty = re.compile(language.empty)
        self.joins = re.compile(language.joins)
        self.light = re.compile(rf"(?:{language.light})+")
        self.light_after = re.compile(rf"(?:{language.light_after})+$")
        self.requests = re.compile(rf"(?:{language.requests})")
        self.requests_after = re.compile(rf"(?:{language.requests_after})[。！!]*$")
        self.says_nothing = re.compile(rf"{language.says_nothing}|{language.questions}|[\W_]")
        self.adds = re.compile(rf"[{re.escape(language.marks)} ]*(?:{language.adds})")
        self.more = re.compile(rf"[{re.escape(language.marks)} ]*({language.more})")
        self.cuts = re.compile(language.cuts)

    @cached_property
    def cues(self) -> list[_Cue]:
        """The cues, each compiled."""
        return [_Cue(row, self.language) for row in self.language.cues]


@lru_cache(maxsize=8)
def compiled_unspaced(code: str) -> _Compiled:
    """The language of a code, made once."""
    return _Compiled(UNSPACED[code]())


def read_unspaced(question: str, code: str) -> Reading | None:
    """Read a question in a language without spaces; None where no exclusion is certain, and it stays whole.

    Args:
        question: Any text.
        code: One of :data:`~logical_retriever.transform.languages.unspaced.UNSPACED`.
    """
    language = compiled_unspaced(code)
    text = " ".join(question.split())
    hidden = hide(text, [Piece(*match.span(match.lastindex or 0)) for match in _QUOTED.finditer(text)])
    found = _exclusions(text, hidden, language)
    items = tuple(dict.fromkeys(item for one in found for item in one.items))
    if not items or len(items) >= MAX_TERMS:
        return None
    wanted = _wanted(text, found, language)
    if len(language.says_nothing.sub("", wanted)) < _SHORTEST or any(item in wanted for item in items):
        return None
    query = And((Term(wanted), *(Not(Term(item)) for item in items)))
    return Reading(query, signs_in(text, code), understood=not signs_in(wanted, code), language=code)


def _exclusions(text: str, hidden: str, language: _Compiled) -> list[_Found]:
    shielded = bytearray(len(hidden))
    for match in language.shields.finditer(hidden):
        shielded[match.start() : match.end()] = b"\1" * len(match[0])
    wish = language.wishes.search(hidden)
    asks = [match.start() for match in language.asks.finditer(hidden)]
    asked = (wish.end() if wish else len(hidden) + 1, asks[0] if asks else len(hidden) + 1, asks[-1] if asks else -1)
    found = [
        one
        for cue in language.cues
        for match in cue.pattern.finditer(hidden)
        if not any(shielded[match.start() : match.end()])
        and (one := _exclusion(text, hidden, match, cue, asked, language))
    ]
    found.sort(key=lambda one: one.out.start)  # Of two cues at one place, the first row of the table.
    apart: list[_Found] = []
    for one in found:
        if not apart or one.out.start >= apart[-1].out.end:
            apart.append(one)
    return apart


def _exclusion(
    text: str, hidden: str, match: re.Match[str], cue: _Cue, asked: tuple[int, int, int], language: _Compiled
) -> _Found | None:
    start, end = match.span()
    begin, stop = match.span("x")
    if cue.before:
        cuts = [cut.start() for cut in language.cuts.finditer(hidden, begin, stop) if begin < cut.start() < stop]
        if cuts:
            begin = start = cuts[-1]
        rest = hidden[end : end + _NEAR].strip(language.marks + _ENDS)
        if rest and language.bare.search(hidden[max(0, begin - _LONGEST) : begin]):
            return None  # "寿司、天ぷら以外のおすすめ": two items, or a topic and an item.
    x = hidden[begin:stop]
    if language.unclear.search(x) or (cue.cue.resumes and language.modified.search(x)):
        return None
    if language.questions.search(x) or cue.unnamed.match(x):
        return None
    if cue.cue.excepts and language.adds.match(hidden, end):
        return None
    if cue.cue.excepts and (more := language.more.match(hidden, end)):
        if not language.questions.search(hidden, end, end + _NEAR):
            return None
        end = more.end()
    if not _needed(hidden, start, end, asked, cue.cue.needs, language):
        return None
    items = tuple(_items(text, hidden, Piece(begin, stop), language))
    return _Found(Piece(start, end), items) if items and all(items) else None


def _needed(hidden: str, start: int, end: int, asked: tuple[int, int, int], needs: Needs, language: _Compiled) -> bool:
    """Whether a question asks, as a cue needs it; ``asked``: where it first wishes, first asks and last asks."""
    if asked[0] <= start:
        return True
    if needs is Needs.ASKED_BEFORE:
        return False
    if needs is Needs.ASKING and (asked[1] < start or asked[2] >= end):
        return True
    after = "" if needs is Needs.NOUN_BEFORE else hidden[end : end + _NEAR]
    rest = (hidden[max(0, start - _NEAR) : start] + after).strip(language.marks + _ENDS)
    return 0 < len(rest) < _NEAR and not language.states.search(rest)


def _items(text: str, hidden: str, named: Piece, language: _Compiled) -> list[str]:
    """The things that an excluded part names; an empty one among them where one of them is none."""
    pieces, at = [], named.start
    for joint in (*language.joins.finditer(hidden, named.start, named.end), None):
        stop = named.end if joint is None else joint.start()
        pieces.append(Piece(at, stop))
        at = named.end if joint is None else joint.end()
    return [part for piece in pieces for part in _SLASH.split(_named(piece.of(text), piece.of(hidden), language))]


def _named(text: str, hidden: str, language: _Compiled) -> str:
    """One item without what says nothing, and without its quotation marks; "" where it names nothing."""
    light = language.light.match(hidden)
    text, hidden = (text[light.end() :], hidden[light.end() :]) if light else (text, hidden)
    late = language.light_after.search(hidden)
    text, hidden = (text[: late.start()], hidden[: late.start()]) if late else (text, hidden)
    text = text.strip(language.marks + _ENDS)
    if text[:1] in _QUOTES and text[-1:] in _QUOTES and HIDDEN in hidden:
        return text.strip(_QUOTES)
    if not text or language.unnamed.match(hidden) or language.empty.fullmatch(hidden):
        return ""
    return text if any(char.isalnum() for char in text) else ""


def _wanted(text: str, found: list[_Found], language: _Compiled) -> str:
    """The rest of a question, as if its exclusions had never been there."""
    marks = language.language.marks + " "
    for one in reversed(found):
        before, after = text[: one.out.start], text[one.out.end :]
        left, right = before.rstrip(marks), after.lstrip(marks)
        mark = before[len(left) :][-1:] or after[: len(after) - len(right)][:1]
        joined = left and right and left[-1] not in _ENDS + _ALWAYS and right[0] not in _ENDS + _ALWAYS
        text = left + (mark if joined else "") + right
    text = _EMPTY_BRACKETS.sub("", text).strip(marks)
    for _ in range(3):
        opening_request = language.requests.match(text)
        if opening_request is None or len(language.says_nothing.sub("", text[opening_request.end() :])) < _SHORTEST:
            break
        text = text[opening_request.end() :].lstrip(marks)
    closing = language.requests_after.search(text)
    if closing and len(language.says_nothing.sub("", text[: closing.start()])) >= _SHORTEST:
        text = text[: closing.start()]
    return text.strip(marks)

"""Negation cues near a word: whether a passage that names a term denies it there.

The idea is that of NegEx (Chapman et al., A simple algorithm for identifying negated findings and diseases in discharge
summaries, 2001) and ConText (Harkema et al., 2009): cues before and after the word, what ends their reach, and pseudo-cues.
The cues themselves are the files ``cues/*.txt``, one a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from os.path import commonprefix
from typing import Final, Literal, NamedTuple

from logical_retriever.lexical import analyser, language_of

LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja")
"""Languages with a file of cues."""
BEFORE: Final = 6
"""Reach of a cue before the word, in tokens."""
AFTER: Final = 8
"""Reach of a cue after the word, in tokens."""
QA = 6
LIST=30
JOIN=("or",)
HEAD=5
CLOSE=("end","prep")
UNDO=True
NEAR: Final = 6
"""Tokens that may stand between two words of a term for one mention; words farther apart are several mentions."""
QUOTED: Final = 160
"""Characters of a quoted sentence at most."""

_SIGNS: Final = "\u3005\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN: Final = re.compile(rf"[{_SIGNS}]|[^\W{_SIGNS}]+(?:['’](?:t|s|re|ve|ll|d|m)\b)?|[^\w\s]|\n")
_SIGN: Final = re.compile(f"[{_SIGNS}]")
_END: Final = frozenset(".;!?…。！？；\n|•")
_BOUND: Final = _END | frozenset("—–():（）：「」")
_COMMA: Final = frozenset(",，、")
_COLON: Final = frozenset(":：")
_CELL: Final = _COLON | _COMMA | frozenset("=-–—|(（")


class Mention(NamedTuple):
    """How a passage names a term.

    Attributes:
        cue: ``"asserted"``, ``"denied"``, or ``"absent"`` for a passage that does not name the term.
        sentence: The sentence or line that says so, cut to the neighbourhood of the word: up to 160 characters; empty
            for ``"absent"``.
    """

    cue: Literal["asserted", "denied", "absent"]
    sentence: str


_ABSENT: Final = Mention("absent", "")


class _Analysed(NamedTuple):
    """A text cut into tokens: where they stand, their words, stems, and the cues that begin at a token."""

    spans: list[tuple[int, int]]
    words: list[str]
    stems: list[str]
    cues: dict[int, tuple[int, frozenset[str]]]
    negated: set[int]

    def is_cue(self, at: int, *kinds: str) -> bool:
        return at in self.cues and not self.cues[at][1].isdisjoint(kinds)


class _Language:
    """The cues of a language, and its texts cut into tokens."""

    def __init__(self, code: str) -> None:
        self._analyser = analyser(code)
        self.affixes: dict[str, tuple[str, ...]] = {"prefix": (), "suffix": ()}
        self._cues: dict[str, dict[tuple[str, ...], set[str]]] = {}
        folder = resources.files("logical_retriever.reading.passages") / "cues"
        files = ("signs", code) if code in LANGUAGES else ("signs",)
        text = "".join((folder / f"{name}.txt").read_text("utf-8") for name in files)
        for kind, body in re.findall(r"^\[(\w+)\]\n([^\[]*)", re.sub("^#.*\n", "", text, flags=re.M), re.M):
            cues = [cue.strip() for cue in re.split("[,\n]", body) if cue.strip()]
            if kind in self.affixes:
                self.affixes[kind] = tuple(cues)
                continue
            for cue in cues:
                stems = tuple(self._words(cue)[1])
                self._cues.setdefault(stems[0], {}).setdefault(stems, set()).add(kind)
        self._longest = {
            first: sorted(((s, frozenset(k)) for s, k in found.items()), key=lambda one: -len(one[0]))
            for first, found in self._cues.items()
        }

    @staticmethod
    def _words(text: str) -> tuple[list[tuple[int, int]], list[str]]:
        found = list(_TOKEN.finditer(text))
        return [one.span() for one in found], [one.group().casefold().replace("’", "'") for one in found]

    def stem(self, word: str) -> str:
        return self._analyser.stem(word) or word

    def is_content(self, word: str) -> bool:
        return (len(word) > 1 or _SIGN.match(word) is not None) and self._analyser.stem(word) is not None and word[0].isalnum()

    def analyse(self, text: str) -> _Analysed:
        spans, words = self._words(text)
        stems = [self.stem(word) for word in words]
        cues: dict[int, tuple[int, frozenset[str]]] = {}
        at = 0
        while at < len(words):
            for cue, kinds in self._longest.get(words[at], ()):
                if tuple(words[at : at + len(cue)]) == cue:
                    cues[at] = (at + len(cue), kinds)
                    break
            at = cues[at][0] if at in cues else at + 1
        negated = set()
        for at, word in enumerate(words):
            if len(word) > 5 and at not in cues and (base := self._without_affix(word)):
                stems[at] = self.stem(base)
                negated.add(at)
        return _Analysed(spans, words, stems, cues, negated)

    def _without_affix(self, word: str) -> str:
        """Return a word without an affix that denies it ("sugarless", "unfurnished"); "" for any other word."""
        suffix = next((one for one in self.affixes["suffix"] if word.endswith(one)), "")
        prefix = next((one for one in self.affixes["prefix"] if word.startswith(one)), "")
        base = word[: -len(suffix)] if suffix else word[len(prefix) :] if prefix else ""
        return base if len(base) > 3 else ""


@cache
def _language(code: str) -> _Language:
    return _Language(code)


@lru_cache(1024)
def _passage(text: str) -> tuple[str, _Analysed]:
    """Analyse a passage in its own language; several terms are asked of one passage."""
    code = language_of([text])
    return code, _language(code).analyse(text)


class TermCue:
    """A term prepared for many passages.

    Args:
        term: The term, in a person's words. A negation of its own ("no pets", "sugar-free") turns the answers round.
        without: Texts whose words do not count as the term's own, unless no other word is left.

    Examples:
        >>> TermCue("pool").in_passage("Large garden, no pool. Gas heating.")
        Mention(cue='denied', sentence='Large garden, no pool.')
    """

    def __init__(self, term: str, without: Sequence[str] = ()) -> None:
        self._term, self._without = term, without
        self._in_language = cache(self._prepare)
        forms = [self._in_language(code).always for code in LANGUAGES]
        words = set.intersection(*(set(words) for words in forms))
        self._parts = [_parts(word, [words_of[word] for words_of in forms]) for word in words]

    def in_passage(self, passage: str) -> Mention:
        """Return how a passage names the term."""
        folded = passage.casefold()
        if not all(any(part in folded for part in parts) for parts in self._parts):
            return _ABSENT
        code, read = _passage(passage)
        term = self._in_language(code)
        places = _mentions(read, term)
        denied: list[tuple[int, int, bool]] = []
        decided = None
        for first, last in places:
            cue = _denied_at(read, first, last)
            if decided is None or cue is None:
                decided = (first, last, cue)
            if cue is None:
                break
        if decided is None:
            return _ABSENT
        first, last, cue = decided
        quoted = _quote(passage, read, first, last, first if cue is None else cue)
        return Mention("denied" if (cue is not None) != term.negative else "asserted", quoted)

    def _prepare(self, code: str) -> _Prepared:
        language = _language(code)
        read = language.analyse(self._term)
        own = {
            at
            for start, (end, kinds) in read.cues.items()
            for at in range(start, end)
            if (kinds & _AHEAD and end < len(read.stems)) or (kinds & _BEHIND and start)
        }
        inside = [at for at in range(len(read.words)) if at not in own and language.is_content(read.words[at])]
        shared = {stem for text in self._without for stem in language.analyse(text).stems}
        inside = [at for at in inside if read.stems[at] not in shared] or inside
        stems = [read.stems[at] for at in inside]
        if not stems:
            return _Prepared((), tuple(read.stems), False, {})
        negative = (bool(own) + len(read.negated & set(inside))) % 2 == 1
        return _Prepared(tuple(_units(stems)), (), negative, {read.words[at]: read.stems[at] for at in inside if at not in read.negated})


class _Prepared(NamedTuple):
    """A term in one language: its content words' stems or, without any, its phrase; whether it is negative itself."""

    units: tuple[str, ...]
    phrase: tuple[str, ...]
    negative: bool
    always: dict[str, str]


def _parts(word: str, stems: Sequence[str]) -> tuple[str, ...]:
    """Return beginnings of a word of which every form of it has one: German ones change their vowel too."""
    part = word[: max(1, min(4, min(len(commonprefix((word, stem))) for stem in stems)))]
    return (part, *(part.replace(vowel, changed, 1) for vowel, changed in zip("aou", "äöü") if vowel in part))


def _units(stems: Sequence[str]) -> list[str]:
    """Join neighbouring signs of a script without blanks into pairs."""
    units = []
    for at, stem in enumerate(stems):
        sign = _SIGN.match(stem)
        if sign and at + 1 < len(stems) and _SIGN.match(stems[at + 1]):
            units.append(stem + stems[at + 1])
        elif not sign or at == 0 or not _SIGN.match(stems[at - 1]):
            units.append(stem)
    return units


def _mentions(read: _Analysed, term: _Prepared) -> list[tuple[int, int]]:
    """Find the places where a text names a term: first and last token of each."""
    stems, wanted = read.stems, set(term.units)
    if term.phrase:
        width = len(term.phrase)
        return [
            (at, at + width - 1)
            for at, stem in enumerate(stems)
            if stem == term.phrase[0] and tuple(stems[at : at + width]) == term.phrase
        ]
    pairs = any(len(unit) == 2 and _SIGN.match(unit) for unit in wanted)
    found = [
        (at, end, unit)
        for at, stem in enumerate(stems)
        for unit, end in (((stem, at), ("".join(stems[at : at + 2]), at + 1)) if pairs else ((stem, at),))
        if unit in wanted
    ]
    seen: dict[str, int] = {}
    windows = []
    for at, end, unit in found:
        seen[unit] = at
        if len(seen) == len(wanted):
            windows.append((min(seen.values()), end))
    reach = (len(wanted) - 1) * (1 + NEAR)
    near = [(first, last) for first, last in windows if last - first <= reach]
    if near or not windows:
        return near
    return [(at, end) for at, end, unit in found if unit == term.units[0]]


_AHEAD: Final = frozenset(("before", "det", "adjacent", "absence"))
_BEHIND: Final = frozenset(("after", "not", "behind", "passive"))


def mention(term: str, passage: str) -> Mention:
    """Return how one passage names a term, as :class:`TermCue` does for many.

    Examples:
        >>> mention("dogs", "Cats considered, sorry, no dogs."), mention("lift", "A flat on the third floor.")
        (Mention(cue='denied', sentence='Cats considered, sorry, no dogs.'), Mention(cue='absent', sentence=''))
    """
    return TermCue(term).in_passage(passage)


def _quote(passage: str, read: _Analysed, first: int, last: int, cue: int) -> str:
    """Cut out the sentence of a mention and its cue, or their neighbourhood where it is long."""
    start, end = read.spans[min(first, cue)][0], read.spans[min(max(last, cue), first + 20)][1]
    before, after = passage[max(0, start - QUOTED) : start], passage[end : end + QUOTED]
    left = start - len(re.split(r"[.!?…|•;][\s]+|[。！？；\n]", before)[-1])
    right = end + (found.end() if (found := re.search(r"[.!?…|•;](?=\s|$)|[。！？；\n]", after)) else len(after))
    if right - left > QUOTED:
        left = max(left, min(start, end - QUOTED) - 40) if end - start < QUOTED else start
        right = min(right, left + QUOTED - 2)
        return f"…{passage[left:right].strip()}…"
    return passage[left:right].strip()


def _denied_at(read: _Analysed, first: int, last: int) -> int | None:
    """Return the token of the cue that denies a mention, or None."""
    if last - first < 12:
        for at in range(first + 1, last):
            if read.is_cue(at, *_AHEAD, "after", "passive", "not"):
                return at
    found = _cue_before(read, first, last)
    if found is None:
        found = _cue_after(read, last)
    negated = next((at for at in range(first, last + 1) if at in read.negated), None)
    if negated is None:
        return found
    return negated if found is None else None


def _joined(read: _Analysed, last: int) -> bool:
    """Return whether a mention is an item of a list that goes on with "or": its commas do not end a cue's reach."""
    apart = 0
    for at in range(last + 1, min(len(read.stems), last + 16)):
        if read.stems[at] in _BOUND or apart > 4:
            return False
        if read.is_cue(at, *JOIN):
            return True
        apart = 0 if read.stems[at] in _COMMA else apart + 1
    return False


def _cue_before(read: _Analysed, first: int, last: int) -> int | None:
    """Return the cue before a mention in whose reach it is."""
    stems, cues = read.stems, read.cues
    joined = _joined(read, last)
    steps, prepared = 0, False
    for at in range(first - 1, -1, -1):
        if stems[at] in _COLON:
            return _heading(read, at)
        if stems[at] in _BOUND:
            return None
        if stems[at] in _COMMA:
            if not joined:
                bounds = (p for p in range(at - 1, max(-1, at - LIST), -1) if stems[p] in _END or stems[p] in _COLON)
                bound = next(bounds, None)
                return None if bound is None else _heading(read, bound)
            steps = max(0, steps - 4)
            continue
        kinds = cues[at][1] if at in cues else frozenset()
        if UNDO and "absence" in kinds and any(read.is_cue(p, "before", "det") for p in _clause(read, at)):
            return None
        if kinds & {"before", "absence"} or ("det" in kinds and not prepared) or ("adjacent" in kinds and steps < 2):
            return at
        if kinds & {"end", "det"}:
            return None
        joined = joined or "or" in kinds
        prepared = prepared or "prep" in kinds
        steps += 1
        if steps >= BEFORE:
            return None
    return None


def _clause(read: _Analysed, at: int) -> Iterator[int]:
    for p in range(at - 1, max(-1, at - 6), -1):
        if read.stems[p] in _BOUND or read.stems[p] in _COMMA or read.is_cue(p, "end", "and"):
            return
        yield p


def _heading(read: _Analysed, colon: int) -> int | None:
    """Return the cue of a heading ("Not included: flights, visas") that ends at a colon."""
    if read.stems[colon] not in _COLON:
        return None
    for at in range(colon - 1, max(-1, colon - HEAD), -1):
        if read.stems[at] in _BOUND:
            return None
        if read.is_cue(at, *_AHEAD, "after", "passive", "not", "value"):
            return at
    return None


def _cue_after(read: _Analysed, last: int) -> int | None:
    """Return the cue after a mention that denies it."""
    stems, cues, count = read.stems, read.cues, len(read.stems)

    def closes(at: int) -> bool:
        return at >= count or stems[at] in _BOUND or stems[at] in _COMMA

    steps = 0
    for at in range(last + 1, count):
        if steps == 0 and stems[at] in _CELL and read.is_cue(at + 1, "value") and closes(cues[at + 1][0]):
            return at + 1
        if read.is_cue(at, "value") and steps < 2 and closes(cues[at][0]):
            return at
        if stems[at] in "?？":
            answer = range(at + 1, min(count, at + QA))
            end = next((p for p in answer if stems[p] in _END), count)
            return next((p for p in answer if p < end and read.is_cue(p, *_AHEAD, "after", "passive", "not", "value")), None)
        if stems[at] in _COLON and steps < 2:
            continue
        if closes(at):
            return None
        kinds = cues[at][1] if at in cues else frozenset()
        passive = "passive" in kinds and (read.is_cue(at - 1, "be") or closes(cues[at][0]) or (steps == 0 and read.is_cue(cues[at][0], *CLOSE)))
        if "after" in kinds or passive or ("behind" in kinds and (at - 1 == last or stems[at - 1] == "-")):
            return at
        if "end" in kinds:
            return None
        if "not" in kinds:
            after = cues[at][0]
            if closes(after) or any(read.is_cue(p, "present") for p in range(after, after + 3)):
                return at
            return None
        steps += 1
        if steps >= AFTER:
            return None
    return None

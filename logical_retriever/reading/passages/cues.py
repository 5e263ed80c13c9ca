"""Negation cues near a word: whether a passage that names a term denies it there.

The idea is that of NegEx (Chapman et al., A simple algorithm for identifying negated findings and diseases in discharge
summaries, 2001) and ConText (Harkema et al., 2009): cues before and after the word, what ends their reach, pseudo-cues.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from os.path import commonprefix
from typing import Final, Literal, NamedTuple

from logical_retriever.reading.passages.cue_lists import LANGUAGES, SIGN, Tokens, cue_list, tokenize_passage

BEFORE: Final = 6
"""Reach of a cue before the word, in tokens."""
AFTER: Final = 8
"""Reach of a cue after the word, in tokens."""
ANSWER: Final = 5
"""Tokens after a question mark that answer the question."""
HEADING: Final = 4
"""Tokens before a colon that are its heading."""
LIST: Final = 30
"""Longest list after a heading, in tokens; no cue is looked for farther away."""
NEAR: Final = 4
"""Tokens between two words of a term in one mention; words farther apart are scattered."""
WIDEST: Final = 12
"""Tokens of a mention that are searched for a cue inside it."""
QUOTED: Final = 160
"""Longest quoted sentence, in characters."""

_END: Final = frozenset(".;!?…。！？；\n|•")
_COLON: Final = frozenset(":：")
_BOUND: Final = _END | _COLON | frozenset("—–()（）「」")
_COMMA: Final = frozenset(",，、")
_FIELD: Final = _COLON | _COMMA | frozenset("=-–—|(（")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n")

_LEADING: Final = frozenset(("before", "determiner", "adjacent", "absence"))
_TRAILING: Final = frozenset(("after", "verb", "behind", "participle"))
_ANY: Final = _LEADING | {"after", "participle", "verb", "value"}


class Mention(NamedTuple):
    """How a passage names a term.

    Attributes:
        cue: ``"asserted"``, ``"denied"``, or ``"absent"`` for a passage that does not name the term.
        sentence: The sentence or line that says so, up to 160 characters around the word; "" where absent.
    """

    cue: Literal["asserted", "denied", "absent"]
    sentence: str


_ABSENT: Final = Mention("absent", "")


class TermCue:
    """A term prepared for many passages.

    A passage names the term where all its content words or their stems occur. One asserting mention is enough to assert
    it. Where the words are scattered, one denied word denies it: "Ice report ... No hockey." has no ice hockey.

    Args:
        term: The term, in a person's words. A negation of its own ("no pets", "sugar-free") turns the answer round.
        without: Texts whose words do not count, unless the term has no other.

    Examples:
        >>> TermCue("pool").in_passage("Large garden, no pool. Gas heating.")
        Mention(cue='denied', sentence='Large garden, no pool.')
        >>> TermCue("no pets").in_passage("Pets: N")
        Mention(cue='asserted', sentence='Pets: N')
    """

    def __init__(self, term: str, without: Sequence[str] = ()) -> None:
        self._term, self._without = term, without
        self._in_language = cache(self._prepare)
        stems = [self._in_language(code).stems for code in LANGUAGES]
        words = set(stems[0]).intersection(*stems[1:])
        self._beginnings = [_beginnings(word, [of[word] for of in stems]) for word in words]

    def in_passage(self, passage: str) -> Mention:
        """Return how a passage names the term."""
        folded = passage.casefold()
        if not all(any(one in folded for one in beginnings) for beginnings in self._beginnings):
            return _ABSENT
        code, tokens = tokenize_passage(passage)
        term = self._in_language(code)
        mentions, scattered = _mentions(tokens, term)
        cue = None
        for first, last in mentions:
            cue = _cue(tokens, first, last)
            if (cue is None) != scattered:
                break
        else:
            if not mentions:
                return _ABSENT
        places = [first, last] if cue is None else [first, last, cue]
        sentence = _sentence(passage, tokens.spans[min(places)][0], tokens.spans[max(places)][1])
        return Mention("asserted" if (cue is None) != term.negative else "denied", sentence)

    def _prepare(self, code: str) -> _Term:
        known = cue_list(code)
        tokens = known.tokenize(self._term)
        own = {
            at
            for start, (end, sections) in tokens.cues.items()
            for at in range(start, end)
            if (sections & _LEADING and end < len(tokens.words)) or (sections & _TRAILING and start > 0)
        }
        content = [at for at, word in enumerate(tokens.words) if at not in own and known.is_content(word)]
        shared = {stem for text in self._without for stem in known.tokenize(text).stems}
        content = [at for at in content if tokens.stems[at] not in shared] or content
        negative = bool(own) != bool(tokens.denied.intersection(content))
        stems = {tokens.words[at]: tokens.stems[at] for at in content if at not in tokens.denied}
        units = frozenset(_units([tokens.stems[at] for at in content]))
        return _Term(units, () if units else tuple(tokens.stems), bool(units) and negative, stems)


class _Term(NamedTuple):
    """A term in one language.

    Attributes:
        units: Stems of its content words; pairs of signs in a script without blanks.
        phrase: All stems of a term without content words.
        negative: Whether it carries a negation of its own.
        stems: Its content words with their stems, without those that an affix denies.
    """

    units: frozenset[str]
    phrase: tuple[str, ...]
    negative: bool
    stems: dict[str, str]


def mention(term: str, passage: str) -> Mention:
    """Return how one passage names a term, as :class:`TermCue` does for many.

    Examples:
        >>> mention("dogs", "Cats considered, sorry, no dogs.").cue, mention("lift", "A flat on the third floor.").cue
        ('denied', 'absent')
    """
    return TermCue(term).in_passage(passage)


def _beginnings(word: str, stems: Iterable[str]) -> list[str]:
    """Return beginnings of a word's forms, one of which a passage must have; German forms change their vowel too."""
    begin = word[: max(1, min(4, len(commonprefix([word, *stems]))))]
    return [begin, *(begin.replace(old, new, 1) for old, new in zip("aou", "äöü", strict=True) if old in begin)]


def _units(stems: Sequence[str]) -> Iterable[str]:
    """Join neighbouring signs of a script without blanks into pairs."""
    for at, stem in enumerate(stems):
        after, before = stems[at + 1 : at + 2], stems[max(0, at - 1) : at]
        if SIGN.match(stem) and after and SIGN.match(after[0]):
            yield stem + after[0]
        elif not (SIGN.match(stem) and before and SIGN.match(before[0])):
            yield stem


def _mentions(tokens: Tokens, term: _Term) -> tuple[list[tuple[int, int]], bool]:
    """Return first and last token of each mention, and whether the term's words are scattered."""
    stems, width = tokens.stems, len(term.phrase)
    if term.phrase:
        starts = (at for at, stem in enumerate(stems) if stem == term.phrase[0])
        return [(at, at + width - 1) for at in starts if tuple(stems[at : at + width]) == term.phrase], False
    found = [(at, at, stem) for at, stem in enumerate(stems) if stem in term.units]
    if any(SIGN.match(unit) for unit in term.units):
        pairs = enumerate(map("".join, zip(stems, stems[1:], strict=False)))
        found = sorted(found + [(at, at + 1, pair) for at, pair in pairs if pair in term.units])
    latest: dict[str, int] = {}
    windows = []
    for first, last, unit in found:
        latest.pop(unit, None)
        latest[unit] = first
        if len(latest) == len(term.units):
            windows.append((next(iter(latest.values())), last))
    reach = (len(term.units) - 1) * (1 + NEAR)
    near = [(first, last) for first, last in windows if last - first <= reach + 1]
    if near or not windows:
        return near, False
    return [(first, last) for first, last, _ in found], True


def _cue(tokens: Tokens, first: int, last: int) -> int | None:
    """Return the first token of the cue that denies a mention, or None."""
    inside = range(first, min(last + 1, first + WIDEST))
    cue = next((at for at in inside[1:-1] if tokens.sections(at) & (_ANY - {"value"})), None) if len(inside) < WIDEST else None
    if cue is None:
        cue = _before(tokens, first, last)
    if cue is None:
        cue = _after(tokens, last)
    affix = next((at for at in inside if at in tokens.denied), None)
    return cue if affix is None else affix if cue is None else None


def _before(tokens: Tokens, first: int, last: int) -> int | None:
    """Return the cue before a mention that reaches it."""
    words, joined, after_preposition, steps = tokens.words, _is_joined(tokens, last), False, 0
    for at in range(first - 1, max(-1, first - 1 - LIST), -1):
        if words[at] in _COMMA and joined:
            steps = max(0, steps - NEAR)
            continue
        if words[at] in _BOUND or words[at] in _COMMA:
            colons = (p for p in range(at, max(-1, at - LIST), -1) if words[p] in (_END | _COLON))
            return _heading(tokens, next(colons, -1)) if words[at] in (_COLON | _COMMA) else None
        sections = tokens.sections(at)
        if "absence" in sections and _is_undone(tokens, at):
            return None
        if sections & {"before", "absence"} or ("determiner" in sections and not after_preposition):
            return at
        if "adjacent" in sections and steps < 2:
            return at
        if sections & {"end", "determiner"} or steps + 1 >= BEFORE:
            return None
        joined, after_preposition = joined or "or" in sections, after_preposition or "preposition" in sections
        steps += 1
    return None


def _is_joined(tokens: Tokens, last: int) -> bool:
    """Return whether a mention is an item of a list that goes on with "or"."""
    apart = 0
    for at in range(last + 1, min(len(tokens.words), last + 1 + LIST // 2)):
        if tokens.words[at] in _BOUND or apart > NEAR:
            return False
        if "or" in tokens.sections(at):
            return True
        apart = 0 if tokens.words[at] in _COMMA else apart + 1
    return False


def _is_undone(tokens: Tokens, cue: int) -> bool:
    """Return whether a negation stands before a cue of absence in its clause."""
    for at in range(cue - 1, max(-1, cue - BEFORE), -1):
        if tokens.words[at] in _BOUND or tokens.words[at] in _COMMA or "end" in tokens.sections(at):
            return False
        if tokens.sections(at) & {"before", "determiner"}:
            return True
    return False


def _heading(tokens: Tokens, colon: int) -> int | None:
    """Return the cue of a heading with a colon: "Not included: flights, visas"."""
    if colon < 0 or tokens.words[colon] not in _COLON:
        return None
    for at in range(colon - 1, max(-1, colon - 1 - HEADING), -1):
        if tokens.words[at] in _BOUND:
            return None
        if tokens.sections(at) & (_ANY if at == colon - 1 else _ANY - _LEADING):
            return at
    return None


def _after(tokens: Tokens, last: int) -> int | None:
    """Return the cue after a mention that reaches it."""
    words, count, steps = tokens.words, len(tokens.words), 0

    def closes(at: int) -> bool:
        return at >= count or words[at] in _BOUND or words[at] in _COMMA

    for at in range(last + 1, min(count, last + 1 + LIST)):
        sections, end = tokens.sections(at), tokens.cues.get(at, (at + 1,))[0]
        if "value" in sections and steps < 2 and closes(end):
            return at
        if words[at] in "?？":
            answer = (p for p in range(at + 1, min(count, at + 1 + ANSWER)) if words[p] in _END or tokens.sections(p) & _ANY)
            cue = next(answer, at)
            return None if words[cue] in _END else cue
        if steps == 0 and words[at] in _FIELD and "value" in tokens.sections(at + 1) and closes(tokens.cues[at + 1][0]):
            return at + 1
        if words[at] in _COLON and steps < 2:
            continue
        if closes(at) or "end" in sections:
            return None
        if "after" in sections or ("behind" in sections and steps < 2 and set(words[last + 1 : at]) <= {"-"}):
            return at
        follows = tokens.sections(end) & {"end", "preposition"}
        if "participle" in sections and ("auxiliary" in tokens.sections(at - 1) or closes(end) or (steps == 0 and follows)):
            return at
        if "verb" in sections:
            present = closes(end) or any("presence" in tokens.sections(p) for p in range(end, end + 3))
            return at if present else None
        steps += 1
        if steps >= AFTER:
            return None
    return None


def _sentence(passage: str, start: int, end: int) -> str:
    """Return the sentence or line around a part of a passage, cut to :data:`QUOTED` characters."""
    end = min(end, start + QUOTED - 2)
    left = start - len(_SENTENCE_END.split(passage[max(0, start - QUOTED) : start])[-1])
    right = end + len(_SENTENCE_END.split(passage[end : end + QUOTED])[0])
    room = (QUOTED - 2 - (end - start)) // 2
    if right - left <= QUOTED:
        return passage[left:right].strip()
    cut_left, cut_right = max(left, start - room), min(right, end + room)
    return f"{'…' * (cut_left > left)}{passage[cut_left:cut_right].strip()}{'…' * (cut_right < right)}"

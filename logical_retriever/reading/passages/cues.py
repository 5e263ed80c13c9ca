"""Negation cues near a word: whether a passage that names a term denies it there.

The idea is that of NegEx (Chapman et al., A simple algorithm for identifying negated findings and diseases in discharge
summaries, 2001) and ConText (Harkema et al., 2009): cues before and after the word, what ends their reach, pseudo-cues.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from typing import Final, Literal, NamedTuple

from logical_retriever.lexical import visible
from logical_retriever.reading.passages.cue_lists import LANGUAGES, SIGN, Tokens, cue_list, rule, tokenize_passage
from logical_retriever.reading.pieces import SENTENCE_END

NEAR: Final = 4
"""Tokens between two words of a term in one mention; words farther apart are scattered."""
WIDEST: Final = 12
"""Widest mention that is searched for a cue inside it, in tokens."""
AROUND: Final = 40
"""Tokens on either side of a mention that the rules see."""
QUOTED: Final = 160
"""Longest quoted sentence, in characters."""

# Rules over the codes of tokens, one character each (cue_lists.py): "w" for a word, "_" for a cue's further words, and
# <before> for any cue of that section. _IN: a token in the reach of a cue; _STOP: the end of a clause.
_IN, _STOP = "[^.?:|,<end>]", "(?=[.?:|,]|$)"
_LEADING, _TRAILING = "<before><absence><determiner><adjacent>", "<after><participle><verb>"
_OWN: Final = f"[{_LEADING}]_*(?=.)|(?<=.)[{_TRAILING}<behind>]_*"
"""A term's own negation: "no pets", "pet-free"."""
_CONDITION: Final = "(?<=.)[<condition>]_*$"
"""The end of a term that a passage need not repeat: "pets allowed" is denied by "no pets"."""
_INSIDE: Final = f"[{_LEADING}{_TRAILING}]"
"""Between the words of a mention: "gas is not included"."""
_UNDONE: Final = f"[<before><determiner>]{_IN}{{0,5}}[<absence>]{_IN}{{0,5}}$"
"""Double negation: "not without its pool"."""
_BEFORE: Final = "|".join(
    (
        f"[<before><absence>]{_IN}{{0,5}}$",
        "[<determiner>][^.?:|,<end><preposition>]{0,5}$",
        "[<adjacent>].?$",
        # A sentence that opens with a heading: "Not included: flights, visas".
        f"(?:^|(?<=[.?|]))[{_LEADING}{_TRAILING}<value>][^.?:|,]{{0,3}}:[^.?|:<end>]{{0,30}}$",
    )
)
_AFTER: Final = "|".join(
    (
        # A field and its value: "Pets: no", "First class, no".
        f"(?:[-:|,]|[w_]:?)?[<value>]_*{_STOP}",
        # A question and its answer: "Parking? Not here."
        f"{_IN}{{0,7}}[?][^.?]{{0,4}}[{_LEADING}{_TRAILING}<value>]",
        f"[w_]?:?{_IN}{{0,7}}[<after>]",
        "-?[<behind>]",
        f"[w_]?:?{_IN}{{0,6}}(?:[<auxiliary>]_*[<participle>]|[<participle>]_*{_STOP})",
        ":?[<participle>]_*(?=[<end><preposition>])",
        # A negated verb with a word of presence, or with nothing: "is not available", "this one doesn't".
        f"[^.?:|,<end><verb>]{{0,7}}[<verb>]_*(?:{_STOP}|.{{0,2}}[<presence>])",
    )
)
_JOINED: Final = "(?:[^.?:|,]{0,4},){0,8}[^.?:|,]{0,4}[<or>]"
"""The rest of a list that "or" joins; its commas do not end the reach: "no cats, dogs or birds"."""
_JOINED_LAST: Final = "[<or>][^.?:|,]{0,4}$"
"""The same before the last item."""


class Mention(NamedTuple):
    """How a passage names a term.

    Attributes:
        cue: ``"asserted"``, ``"denied"``, or ``"absent"`` for a passage that does not name the term.
        sentence: The sentence or line that says so, up to 160 characters around the word; "" where absent.
    """

    cue: Literal["asserted", "denied", "absent"] = "absent"
    sentence: str = ""


class _Term(NamedTuple):
    """A term in one language.

    Attributes:
        stems: Stems of its content words.
        phrase: All words of a term without content words.
        negative: Whether it carries a negation of its own.
        shared: Its content words, each with the letters that it has in common with its stem.
    """

    stems: frozenset[str]
    phrase: tuple[str, ...]
    negative: bool
    shared: dict[str, int]


class SoughtTerm:
    """A term prepared for many passages.

    A passage names the term where all its content words or their stems occur. One asserting mention is enough to assert
    it. Where the words are scattered, one denied word denies it: "Ice report ... No hockey." has no ice hockey.

    Args:
        term: The term, in a person's words. A negation of its own ("no pets", "sugar-free") turns the answer round.
        without: Texts whose words do not count, unless the term has no other.

    Examples:
        >>> SoughtTerm("pool").in_passage("Large garden, no pool. Gas heating.")
        Mention(cue='denied', sentence='Large garden, no pool.')
        >>> SoughtTerm("no pets").in_passage("Pets: N")
        Mention(cue='asserted', sentence='Pets: N')
    """

    def __init__(self, term: str, without: Sequence[str] = ()) -> None:
        self._term, self._without = term, without
        self._in_language = cache(self._prepare)
        shared = [self._in_language(code).shared for code in LANGUAGES]
        words = set(shared[0]).intersection(*shared[1:])
        begin = ["|".join(map(re.escape, _beginnings(word[: min(4, *(of[word] for of in shared))]))) for word in words]
        self._beginnings = [re.compile(one) for one in begin]

    def in_passage(self, passage: str) -> Mention:
        """Return how a passage names the term."""
        passage = visible(passage)
        folded = passage.casefold()
        for beginning in self._beginnings:  # a quick refusal, before the passage is cut into tokens
            if not beginning.search(folded):
                return Mention()
        language, tokens = tokenize_passage(passage)
        term = self._in_language(language)
        mentions, scattered = _mentions(tokens, term)
        if not mentions:
            return Mention()
        for first, last in mentions:
            denied_at = _denied_at(language, tokens, first, last)
            # One assertion asserts the term; of scattered words, one denial denies it. Else the last mention tells.
            if (denied_at is None) != scattered:
                break
        places = (first, last, first if denied_at is None else denied_at)
        sentence = _sentence(passage, tokens.spans[min(places)][0], tokens.spans[max(places)][1])
        return Mention("asserted" if (denied_at is None) != term.negative else "denied", sentence)

    def _prepare(self, language: str) -> _Term:
        known = cue_list(language)
        tokens = known.tokenize(self._term)
        own = {at for cue in rule(language, _OWN).finditer(tokens.codes) for at in range(*cue.span())}
        unsaid = rule(language, _CONDITION).search(tokens.codes)
        content = {
            at: stem
            for at, (word, stem) in enumerate(zip(tokens.words, tokens.stems, strict=True))
            if at not in own and not (unsaid and at >= unsaid.start()) and known.is_content(word, stem)
        }
        others = {stem for text in self._without for stem in known.tokenize(text).stems}
        content = {at: stem for at, stem in content.items() if stem not in others} or content
        if not content:
            return _Term(frozenset(), tuple(tokens.words), False, {})
        shared = {
            tokens.words[at]: _in_common(tokens.words[at], stem)
            for at, stem in content.items()
            if at not in tokens.denied
        }
        negative = bool(own) != bool(tokens.denied.intersection(content))
        return _Term(frozenset(content.values()), (), negative, shared)


def _in_common(word: str, stem: str) -> int:
    """Return the number of letters with which both begin, at least 1."""
    return max(1, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, stem, strict=False))))


def _beginnings(beginning: str) -> list[str]:
    """Return a beginning and its German forms with another vowel; a passage that names the word has one of them."""
    return [beginning, *(beginning.replace(old, new, 1) for old, new in ("aä", "oö", "uü") if old in beginning)]


def _mentions(tokens: Tokens, term: _Term) -> tuple[list[tuple[int, int]], bool]:
    """Return first and last token of each mention, and whether the term's words are scattered."""
    if term.phrase:
        width = len(term.phrase)
        starts = (at for at, word in enumerate(tokens.words) if word == term.phrase[0])
        return [(at, at + width - 1) for at in starts if tuple(tokens.words[at : at + width]) == term.phrase], False
    latest: dict[str, int] = {}
    single, windows = [], []
    for at, stem in enumerate(tokens.stems):
        if stem in term.stems:
            last = at + (SIGN.match(stem) is not None)
            single.append((at, last))
            latest.pop(stem, None)
            latest[stem] = at
            if len(latest) == len(term.stems):
                windows.append((next(iter(latest.values())), last))
    reach = (len(term.stems) - 1) * (1 + NEAR) + 1
    near = [(first, last) for first, last in windows if last - first <= reach]
    return (near, False) if near or not windows else (single, True)


def _denied_at(language: str, tokens: Tokens, first: int, last: int) -> int | None:
    """Return the first token of the cue that denies a mention, or None."""
    left, right = tokens.codes[max(0, first - AROUND) : first], tokens.codes[last + 1 : last + 1 + AROUND]
    inside = tokens.codes[first + 1 : last] if last - first < WIDEST else ""
    cue = None
    if rule(language, _JOINED).match(right) or rule(language, _JOINED_LAST).search(left):
        left = left.replace(",", "w")
    if found := rule(language, _INSIDE).search(inside):
        cue = first + 1 + found.start()
    elif not rule(language, _UNDONE).search(left) and (found := rule(language, _BEFORE).search(left)):
        cue = first - len(left) + found.start()
    elif found := rule(language, _AFTER).match(right):
        cue = last + found.end()
    affix = next((at for at in range(first, min(last, first + WIDEST) + 1) if at in tokens.denied), None)
    return cue if affix is None else affix if cue is None else None


def _sentence(passage: str, start: int, end: int) -> str:
    """Return the sentence or line around a part of a passage, cut to :data:`QUOTED` characters."""
    end = min(end, start + QUOTED - 2)
    left = start - len(SENTENCE_END.split(passage[max(0, start - QUOTED) : start])[-1])
    right = end + len(SENTENCE_END.split(passage[end : end + QUOTED])[0])
    room = (QUOTED - 2 - (end - start)) // 2 if right - left > QUOTED else QUOTED
    cut_left, cut_right = max(left, start - room), min(right, end + room)
    return "…" * (cut_left > left) + passage[cut_left:cut_right].strip() + "…" * (cut_right < right)

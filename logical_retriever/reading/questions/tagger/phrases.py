"""Labelled words as a logical query: each stretch cut to its subject, joined by AND, OR and NOT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from logical_retriever.query import MAX_TERMS, And, LogicalQuery, Not, Or, Term
from logical_retriever.reading.questions.tagger.decoding import EXCLUDE, EXCLUDE_ON, OUTSIDE, SECOND, WANT_ON
from logical_retriever.reading.questions.tagger.words import Words

_ABOUT: Final = re.compile(
    r"(?:any|some|every)?(?:thing|stuff|one)\s+(?:(?:at all\s+)?(?:about|on|regarding|concerning|related to)|"
    r"(?:that (?:has|is)|that's|to do|having)(?: anything)?(?: to do)? (?:with|about))\s+(?=\S)|"
    r"(?:the )?(?:whole )?(?:topic|subject|question|matter|issue|business) of (?=\S)|"
    r"(?:(?:any|all|the|further)\s+)?(?:information|details?|data|content|materials?|mentions?|discussions?|references?|"
    r"articles?|documents?|passages?|posts?)\s+(?:about|on|of|to|regarding|concerning|discussing|mentioning|covering|"
    r"relat(?:ed|ing) to|dealing with|that (?:are about|discuss|mention|cover|deal with|relate to|talk about)(?:e?s)?)"
    r"\s+(?=\S)",
    re.IGNORECASE,
)
_PART: Final = re.compile(
    r"^the\s+(?:whole\s+)?(.+?)\s+(?:part|bits?|parts|side of (?:it|things)|stuff|thing)$", re.IGNORECASE
)
# Only in lower case: "The Hague" keeps its article. Definite articles of other languages begin too many names ("la la
# land", "die hard"); German ones are safe before a capital.
_ARTICLE: Final = re.compile(
    r"^(?:(?:the|an?|any|une?|una|uno|uma?|een|ein(?:e[nmrs]?)?)\s+(?=\S)|(?:der|die|das|den|dem)\s+(?=[A-ZÄÖÜ]))"
)
_ONES: Final = re.compile(r"\bones\b|(?<=\s)one$")
_HEAD: Final = re.compile(
    r"^(?:(?:what|which|the|an?|any|some|all|good|best|top|find|me|list|show|give|of|are|is|there)\s+)*"
    r"((?:[\w'’-]+\s+){0,3}?[\w'’-]+?s)(?=$|\s+(?:for|in|on|at|with|to|from|near|by|that|which|who|about|under|like)\b|[,.;:?!(])",
    re.IGNORECASE,
)
_ITS: Final = re.compile(r"^(?:its|their|his|her)\s+(?=\w)", re.IGNORECASE)
# Affixes that negate the rest of the word, as in "zuckerfrei", unless the word is negated itself: "nicht barrierefrei".
_LACKS: Final = re.compile(
    r"^bez(?=gluten|lakto|cukr|alkohol|mięs)|^без(?=глютен|лактоз|сахар|алкогол)|(?<=\w{3})(?:frei|vrij)(?:e[nmrs]?)?$",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"\b(?:nicht|kein\w*|nie|niemals|ohne|geen|niet|nooit|zonder|bez|не|без|not|no|isn['’]t|aren['’]t)\W+(?:\w+\W+)?$",
    re.IGNORECASE,
)
_BEFORE: Final = 40
"""Characters before an excluded stretch that are looked at."""
_EDGE: Final = " \t\r\n,;:.!?–—-/|"
_PAIRS: Final = ("()", "[]", "{}", '""', "“”", "„“", "«»", "''", "‘’", "「」", "『』", "（）")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")

_Stretch = tuple[str, str, range]
"""A text, the text before it, and the positions of its words."""
_Alternative = tuple[list[_Stretch], list[_Stretch]]


def to_query(words: Words, labels: Sequence[int]) -> LogicalQuery | None:
    """Build the query of labelled words; None without an exclusion, or with more terms than allowed.

    Examples:
        >>> from logical_retriever.reading.questions.tagger.words import split_words
        >>> print(to_query(split_words("laptops but not the Dell ones"), [1, 0, 0, 3, 4, 4]))
        "laptops" AND NOT "Dell laptops"
        >>> print(to_query(split_words("not crypto"), [0, 3]))
        NOT "crypto"
    """
    alternatives = _alternatives(words, labels)
    if sum(len(wanted) + len(excluded) for wanted, excluded in alternatives) > MAX_TERMS:
        return None
    parts: list[LogicalQuery] = []
    for wish, things in map(_terms, alternatives):
        terms = [*([Term(wish)] if wish else ()), *(Not(Term(thing)) for thing in things)]
        if not terms or (not wish and len(alternatives) > 1):
            return None
        parts.append(And(tuple(terms)) if len(terms) > 1 else terms[0])
    if all(isinstance(part, Term) for part in parts):
        return None
    return Or(tuple(parts)) if len(parts) > 1 else parts[0]


def excluded_words(words: Words, labels: Sequence[int]) -> dict[str, range]:
    """Map each excluded term of the query of labelled words to the positions of its words."""
    return {thing: place for stretches in _alternatives(words, labels) for thing, place in _terms(stretches)[1].items()}


def without_excluded(words: Words, labels: Sequence[int]) -> str:
    """Return the text around the excluded stretches of labelled words as one term, empty if there is none."""
    kept, end = list[str](), 0
    for label, span in zip(labels, words.spans, strict=False):
        if label in (EXCLUDE, EXCLUDE_ON):
            kept.append(words.text[end : span.start])
            end = span.end
    return _joined([text for text in map(trimmed, (*kept, words.text[end:])) if text])


def _alternatives(words: Words, labels: Sequence[int]) -> list[_Alternative]:
    """Split labelled words into alternatives, each with its wanted and its excluded stretches."""
    places: list[tuple[int, range]] = []
    for i, (label, before) in enumerate(zip(labels, (OUTSIDE, *labels), strict=False)):
        if label in (WANT_ON, EXCLUDE_ON) and before != OUTSIDE:
            places[-1] = (places[-1][0], range(places[-1][1].start, i + 1))
        elif label != OUTSIDE:
            places.append((label, range(i, i + 1)))
    alternatives: list[_Alternative] = [([], [])]
    for label, place in places:
        if label == SECOND and alternatives[-1][0]:
            alternatives.append(([], []))
        start, end = words.spans[place[0]].start, words.spans[place[-1]].end
        alternatives[-1][label == EXCLUDE].append(
            (words.text[start:end], words.text[max(0, start - _BEFORE) : start], place)
        )
    return alternatives


def _terms(stretches: _Alternative) -> tuple[str, dict[str, range]]:
    """Return a wish as one term, empty for none, and its excluded terms with the positions of their words."""
    wanted, excluded = stretches
    wish = _joined([trimmed(text) for text, _, _ in wanted])
    things: dict[str, range] = {}
    for text, before, place in excluded:
        things.setdefault(_thing(text, wish, negated=_NEGATED.search(before) is not None), place)
    things.pop(wish, None)
    things.pop("", None)
    return wish, things


def trimmed(text: str) -> str:
    """Cut off the signs around a stretch, and any bracket or quotation mark without a partner."""
    text = re.sub(r"\s+", " ", text).strip(_EDGE)
    for opening, closing in _PAIRS:
        while len(text) > 1 and text[0] == opening and text[-1] == closing and closing not in text[1:-1]:
            text = text[1:-1].strip(_EDGE)
        if opening != closing:
            if text.startswith(opening) and closing not in text:
                text = text[1:]
            if text.endswith(closing) and opening not in text:
                text = text[:-1]
        elif text.count(opening) == 1 and opening == '"':
            text = text.replace(opening, "")
    return text.strip(_EDGE)


def _joined(texts: Sequence[str]) -> str:
    """Join the parts of a wish in the question's order, without spaces in Chinese and Japanese."""
    result = ""
    for text in texts:
        space = "" if not result or (_UNSPACED.match(result[-1]) and _UNSPACED.match(text[:1])) else " "
        result += space + text
    return result.strip()


def _thing(text: str, wish: str, *, negated: bool) -> str:
    """Cut an excluded stretch to its subject: "anything about crypto" is "crypto", "the Dell ones" "Dell laptops"."""
    text = trimmed(text)
    shorter = _ABOUT.sub("", text, count=1) if _ABOUT.match(text) else text
    if part := _PART.match(shorter):
        shorter = part[1]
    pointing = _ARTICLE.match(shorter) is not None
    shorter = _ARTICLE.sub("", shorter)
    shorter = shorter if negated else _LACKS.sub("", shorter)
    if (ones := _ONES.search(shorter)) and (pointing or ones[0] == "ones"):
        head = _HEAD.match(wish)
        shorter = _ONES.sub(head[1] if head else "", shorter).strip()
    if _ITS.match(shorter):
        short = len(wish.split()) <= 3
        shorter = _ITS.sub("", shorter) + (f" of {wish}" if short else "")
    return trimmed(shorter) or text

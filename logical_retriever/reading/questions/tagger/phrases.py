"""Labelled words as a logical query: each stretch cut to its subject, joined by AND, OR and NOT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from logical_retriever.query import MAX_TERMS, And, LogicalQuery, Not, Or, Term
from logical_retriever.reading.questions.tagger.decoding import EXCLUDE, FURTHER, MORE, OUTSIDE, SECOND
from logical_retriever.reading.questions.tagger.words import Words

_ABOUT: Final = re.compile(
    r"(?:any|some|every)?(?:thing|stuff|one)\s+(?:(?:at all\s+)?(?:about|on|regarding|concerning|related to)|"
    r"(?:that (?:has|is)|that's|to do|having)(?: anything)?(?: to do)? (?:with|about))\s+(?=\S)|"
    r"(?:the )?(?:whole )?(?:topic|subject|question|matter|issue|business) of (?=\S)",
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
_EDGE: Final = " \t\r\n,;:.!?–—-/|"
_PAIRS: Final = ("()", "[]", "{}", '""', "“”", "„“", "«»", "''", "‘’", "「」", "『』", "（）")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def to_query(words: Words, labels: Sequence[int]) -> LogicalQuery | None:
    """Build the query of labelled words; None without a wish or an exclusion, or with more terms than allowed.

    Examples:
        >>> from logical_retriever.reading.questions.tagger.words import split_words
        >>> print(to_query(split_words("laptops but not the Dell ones"), [1, 0, 0, 3, 4, 4]))
        "laptops" AND NOT "Dell laptops"
    """
    wishes: list[tuple[list[str], list[str]]] = [([], [])]
    for label, text in _stretches(words, labels):
        if label == SECOND and wishes[-1][0]:
            wishes.append(([], []))
        wishes[-1][label == EXCLUDE].append(text)
    parts: list[LogicalQuery] = []
    if sum(len(wanted) + len(excluded) for wanted, excluded in wishes) > MAX_TERMS:
        return None
    for wanted, excluded in wishes:
        wish = _joined([trimmed(text) for text in wanted])
        things = dict.fromkeys(thing for text in excluded if (thing := _thing(text, wish)))
        things.pop(wish, None)
        if not wish:
            return None
        parts.append(And((Term(wish), *(Not(Term(thing)) for thing in things))) if things else Term(wish))
    if not any(isinstance(part, And) for part in parts):
        return None
    return Or(tuple(parts)) if len(parts) > 1 else parts[0]


def _stretches(words: Words, labels: Sequence[int]) -> list[tuple[int, str]]:
    """Return the labelled stretches of a question in order: the label of the first word, and the text."""
    found: list[tuple[int, int, int]] = []
    for (start, end), label, before in zip(words.spans, labels, (OUTSIDE, *labels), strict=False):
        if label in (MORE, FURTHER) and before != OUTSIDE:
            found[-1] = (*found[-1][:2], end)
        elif label != OUTSIDE:
            found.append((label, start, end))
    return [(label, words.text[start:end]) for label, start, end in found]


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


def _thing(text: str, wish: str) -> str:
    """Cut an excluded stretch to its subject: "anything about crypto" is "crypto", "the Dell ones" "Dell laptops"."""
    text = trimmed(text)
    shorter = _ABOUT.sub("", text, count=1) if _ABOUT.match(text) else text
    if part := _PART.match(shorter):
        shorter = part[1]
    pointing = _ARTICLE.match(shorter) is not None
    shorter = _ARTICLE.sub("", shorter)
    if (ones := _ONES.search(shorter)) and (pointing or ones[0] == "ones"):
        head = _HEAD.match(wish)
        shorter = _ONES.sub(head[1] if head else "", shorter).strip()
    if _ITS.match(shorter):
        short = len(wish.split()) <= 3
        shorter = _ITS.sub("", shorter) + (f" of {wish}" if short else "")
    return trimmed(shorter) or text

"""Follow-ups that point to an earlier answer: "except the first two", "the second one, but cheaper"."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final

from logical_retriever.lexical import language_of

_ARTICLES: Final = "the|of|any|just|der|die|das|le|la|les|el|los|las|il|lo|gli|o|os|as|de|het"
_MOST_WORDS: Final = 8
"""Most words of a message that points; a longer one says more."""
_SINGLE: Final = re.compile(r"[\w'-]+")


def points(term: str) -> bool:
    """Return whether a term only points to an earlier answer.

    Examples:
        >>> points("the first two"), points("those"), points("first two Terminator films")
        (True, True, False)
    """
    words = " ".join(_SINGLE.findall(term.casefold()))
    bare = re.sub(rf"^(?:(?:{_ARTICLES})\s+)+", "", words)
    return words in _phrases() or bare in _phrases()


def points_in(message: str) -> str | None:
    """Return a phrase of a short message that picks from an earlier answer; None without one.

    Single words such as "those" are no such phrase: "those with a balcony" says what is wanted.

    Examples:
        >>> points_in("the second one but cheaper")
        'second one'
        >>> points_in("hotels with a balcony")
    """
    words = " ".join(_SINGLE.findall(message.casefold()))
    if words.count(" ") >= _MOST_WORDS:
        return None
    longest = sorted(_phrases(), key=len, reverse=True)
    if language_of([message]) in ("ja", "zh"):
        return next((phrase for phrase in longest if len(phrase) > 2 and phrase in words), None)
    several = (phrase for phrase in longest if " " in phrase)
    return next((phrase for phrase in several if re.search(rf"\b{re.escape(phrase)}\b", words)), None)


@cache
def _phrases() -> frozenset[str]:
    """Return the phrases of ``pointers.txt``."""
    text = resources.files("logical_retriever.reading").joinpath("questions/pointers.txt").read_text(encoding="utf-8")
    lines = (line[3:].split(", ") for line in text.splitlines() if not line.startswith("#"))
    return frozenset(phrase for line in lines for phrase in line)

"""Follow-ups that point to an earlier answer: "except the first two", "the second one, but cheaper"."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final

from logical_retriever.lexical import language_of

_ARTICLES: Final = "the|of|any|just|der|die|das|le|la|les|el|los|las|il|lo|gli|o|os|as|de|het"
_GOES_ON: Final = "but|please|and|again|instead|is|too|by|thanks|aber|bitte|mais|pero|ma|mas|maar|ale|но"
_MOST_WORDS: Final = 8
"""Most words of a message that points; a longer one says more."""
_SINGLE: Final = re.compile(r"[\w'-]+")


def refers_back(term: str, question: str, *, has_history: bool) -> bool:
    """Return whether a term only points to an earlier answer.

    Args:
        term: As written; a name in capitals points nowhere.
        question: The question that has it.
        has_history: Whether messages come before it; without any, a single word such as "last" may mean itself.

    Examples:
        >>> refers_back("the first two", "except the first two", has_history=False)
        True
        >>> refers_back("those", "not those", has_history=False), refers_back("those", "not those", has_history=True)
        (False, True)
        >>> refers_back("It", "Stephen King novels except It", has_history=True)
        False
    """
    words = " ".join(_SINGLE.findall(term))
    bare = re.sub(rf"^(?:(?:{_ARTICLES})\s+)+", "", words)
    phrases = _phrases(language_of([question]))
    return any(one in phrases and (has_history or " " in one) for one in (words, bare))


def back_reference(message: str) -> str | None:
    """Return a phrase of a short follow-up that picks from an earlier answer; None without one.

    Single words such as "those" are no such phrase: "those with a balcony" says what is wanted.

    Examples:
        >>> back_reference("the second one but cheaper")
        'second one'
        >>> back_reference("hotels with a balcony")
    """
    words, language = " ".join(_SINGLE.findall(message.casefold())), language_of([message])
    if words.count(" ") >= _MOST_WORDS:
        return None
    longest = sorted(_phrases(language), key=len, reverse=True)
    if language in ("ja", "zh"):
        return next((phrase for phrase in longest if len(phrase) > 2 and phrase in words), None)
    several = (phrase for phrase in longest if " " in phrase)
    # At the end, or before a word that goes on: "the top three museums" says what is wanted.
    return next((one for one in several if re.search(rf"\b{re.escape(one)}(?=$| (?:{_GOES_ON})\b)", words)), None)


@cache
def _phrases(language: str) -> frozenset[str]:
    """Return the phrases of a language in ``pointers.txt``; those of English for a language without any."""
    text = resources.files("logical_retriever.reading").joinpath("questions/pointers.txt").read_text(encoding="utf-8")
    lines = {line[:2]: line[3:].split(", ") for line in text.splitlines() if not line.startswith("#")}
    return frozenset(lines.get(language, lines["en"]))

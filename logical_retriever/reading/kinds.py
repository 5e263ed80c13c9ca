"""The kind of an exclusion: as a topic ("nothing about bones") or as something to lack ("without a pool")."""

from __future__ import annotations

import re
from typing import Final

_NEGATION: Final = (
    r"without|w/o|no|minus|sans|lack\w*|free of|free from|never|none of|non|\w+n['’]t|"
    r"(?:do|does|is|are|did|have|has)nt|(?<!but )(?<!and )(?<!, )(?<!\()not|"
    r"ohne|kein\w*|sin|senza|sem|zonder|geen|bez|без"
)
_LACK: Final = re.compile(rf"(?:\b(?:{_NEGATION})\b-?(?:[ ]+[\w'’]+){{0,3}}[ ]*)$", re.IGNORECASE)
_FREE: Final = re.compile(r"\s*-?(?:free|frei|vrij)\b|(?:抜き|なし|を使わない|のない)", re.IGNORECASE)
_TOPIC: Final = re.compile(
    r"\b(?:about|on|regarding|concerning|relat\w+|discuss\w*|mention\w*|cover\w*|information|details?|anything|nothing|"
    r"topics?|content|aspects?|refer\w*|consider\w*|account|including|include|included|focus\w*|touch\w*|going into|"
    r"talk\w*|interested|care|want|recommend\w*|suggest\w*|tell|show|give|me|über|sur|sobre|su|over|o)\b",
    re.IGNORECASE,
)
BEFORE: Final = 60
"""Characters before a term that are looked at."""


def kind_of(term: str, question: str) -> str:
    """Return "lack" if the words around a term in a question say that the thing sought must not have it, else "topic".

    Examples:
        >>> kind_of("a pool", "home without a pool"), kind_of("bones", "vitamin D, but nothing about bones")
        ('lack', 'topic')
    """
    text = re.escape(term)  # as a word where it stands as one: some languages put no space between words
    found = re.search(rf"\b{text}\b", question, re.IGNORECASE) or re.search(text, question, re.IGNORECASE)
    if found is None:
        return "topic"
    if _FREE.match(question, found.end()):
        return "lack"
    negated = _LACK.search(question[max(0, found.start() - BEFORE) : found.start()])
    return "lack" if negated and not _TOPIC.search(negated[0]) else "topic"

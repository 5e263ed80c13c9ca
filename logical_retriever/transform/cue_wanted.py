"""Makes one term of what is left of a question: gaps closed, and a request turned into what it asks for."""

from __future__ import annotations

import re
from typing import Final

_GAP: Final = " \t,;:—–-"
_RESUMED: Final = re.compile(
    r"[,;:—–-]+ ?(?=(?:and|but|or|so|yet|what|how|why|which|who|including|especially)\b)", re.IGNORECASE
)
_REQUEST: Final = re.compile(
    r"(?:(?:please|kindly) )?(?:(?:can|could|would|will) (?:you|we|i) (?:please )?|please |kindly )?"
    r"(?:(?:tell|show|give|inform)(?: (?:me|us))?(?: (?:a little(?: bit)?"
    r"|a bit|something|anything|more|some))?(?: about)?|(?:provide|share|list|name|describe|explain|introduce|discuss"
    r"|recommend|find|suggest|offer|outline|explore|examine|analy[sz]e)(?: (?:me|us))?(?: with)?) (?=\S)",
    re.IGNORECASE,
)
_ASKED_FOR: Final = re.compile(
    r"(?:(?:any|some|the|an?|more|brief|basic|main|general|detailed|specific) ){0,4}"
    r"(?:information|info|details|introduction|overview|summary"
    r"|insights?) (?:about|of|on|to|into|regarding|related to) (?=\S)",
    re.IGNORECASE,
)
_HOW: Final = re.compile(r"how (did|do|does|have|has) (?=\S)", re.IGNORECASE)
_VERB: Final = re.compile(
    r"(?<= )(affect|influence|impact|contribute|compare|differ|reflect"
    r"|shape|change|evolve|inform|inspire|transform|help|improve"
    r"|enhance|support|address|promote|respond|relate|demonstrate|facilitate|advance|develop|impede|drive|lead|become"
    r"|overcome|adapt|define|represent|portray|depict|challenge|alter|determine)(d|ed)?\b"
)
_PAST: Final = {"drive": "drove", "lead": "led", "become": "became", "overcome": "overcame"}
_NOUN_BEFORE: Final = re.compile(
    r"\b(?:the|an?|his|her|its|their|of|in|to|and|or|on|for|with|from|\w+['’]s?|great|major) $", re.IGNORECASE
)


def wanted_text(kept: list[str]) -> str:
    """Join what stands before, between and after the exclusions, as if they had never been there."""
    text = kept[0]
    for right in kept[1:]:
        text = _joined(text, right)
    return _capital(text.lstrip(_GAP + ".?!").rstrip(" \t\n,;:—–-"))


def statement(text: str) -> str:
    """Turn a request into what it asks for, "How did A affect B?" into "A affected B"; leave the rest as it is.

    Passages state; measured on the development sets, their vectors are nearer to a statement than to a request.
    """
    asked = _REQUEST.sub("", text, count=1) if _REQUEST.match(text) else text
    asked = _ASKED_FOR.sub("", asked, count=1) if _ASKED_FOR.match(asked) else asked
    if how := _HOW.match(asked):
        asked = _declared(asked, how[1].lower(), how.end())
    return _capital(asked.rstrip(". ") if asked == text else asked.rstrip("?？. "))


def _joined(left: str, right: str) -> str:
    left, right = left.rstrip(_GAP), right.lstrip(" \t")
    if not _RESUMED.match(right):
        right = right.lstrip(_GAP)
    if not left or left.endswith("\n") or right[:1] in ("", *"\n,;:.?!？！。"):
        return left + right
    return f"{left} {right}"


def _declared(text: str, auxiliary: str, start: int) -> str:
    """Drop "How did" and give the main verb its tense; the question itself where no verb of the table is found."""
    for match in _VERB.finditer(text, start + 1):
        verb, ending = match[1], match[2]
        if _NOUN_BEFORE.search(text, max(start, match.start() - 16), match.start()):
            continue
        perfect = auxiliary in ("have", "has")
        if perfect != (ending is not None):
            continue
        return text[start : match.start()] + _inflected(verb, auxiliary) + text[match.end() :]
    return text


def _inflected(verb: str, auxiliary: str) -> str:
    if auxiliary == "do":
        return verb
    if auxiliary == "does":
        return verb + "s"
    return _PAST.get(verb, verb + ("d" if verb.endswith("e") else "ed"))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

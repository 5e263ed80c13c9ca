"""English questions as statements: "How did A affect B?" is "A affected B"."""

from __future__ import annotations

import re
from typing import Final

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


def restate(text: str) -> str:
    """Drop "How did" and give the main verb its tense; the text itself where no verb of the table is found."""
    how = _HOW.match(text)
    if how is None:
        return text
    auxiliary, start = how[1].lower(), how.end()
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

"""Where the excluded part of a cue begins and ends, and the question goes on."""

from __future__ import annotations

import re
from typing import Final

from logical_retriever.transform.cue_table import Kind

_AUX: Final = (
    r"(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|should|may|might|must"
    r"|(?:is|are|was|were|has|have|had|do|does|did|could|would|should)n['’]t)"
)
_WH: Final = r"(?:what|which|who|whom|whose|where|when|why|how)"
_IN_WHICH: Final = r"(?:(?:in|on|at|to|from|by|for|with|of|through|during|under) (?:what|which|whom|whose|how))"
_TELL: Final = (
    r"(?:please|tell|give|list|describe|find|explain|name|show|provide|discuss|introduce|summari[sz]e|recommend|suggest"
    r"|focus(?:ing)?|identify|i|i['’](?:m|d|ve)|let['’]s|(?:can|could|would) you)"
)
# What opens a main clause, whatever stands before it.
_OPENS: Final = re.compile(
    rf"\s*(?:(?:and|but|so|then) )?(?:(?:what|how|why)\b|{_WH} (?:else|other)\b|{_IN_WHICH} (?:else|other)\b"
    rf"|{_AUX} (?:there|you|we|i|he|she|it|they|this|that|these|those|the|any|(?-i:[A-Z]))|{_TELL}\b)",
    re.IGNORECASE,
)
# What opens one unless it is a relative clause.
_MAY_OPEN: Final = re.compile(rf"\s*(?:(?:and|but) )?(?:{_WH}|{_IN_WHICH})\b", re.IGNORECASE)
_RELATIVE: Final = re.compile(rf"\s*(?:who|which|whose|where|when) {_AUX}\b", re.IGNORECASE)
# What cannot open one: it has no subject.
_HEADLESS: Final = re.compile(rf"\s*(?:(?:and|or) |{_AUX}\b|[a-z]+ed\b)", re.IGNORECASE)
# What resumes the question after an exclusion that stands inside it.
_RESUMES: Final = re.compile(
    rf"\s*(?:(?:and|but|or|so|yet) (?:{_WH}|{_IN_WHICH}|{_AUX}|{_TELL}|also|including|only)\b|(?:what|how|why)\b"
    rf"|{_WH} (?:else|other)\b|{_TELL}\b"
    r"|(?:but|including|especially|particularly|according to|in terms of|with (?:a )?(?:focus|emphasis) on)\b)",
    re.IGNORECASE,
)
# What resumes it after an exclusion between two commas: the verb of the clause.
_VERB: Final = re.compile(
    rf"\s*(?:(?:also|ever|still|most|best|actually) )?(?:{_AUX}|compare[sd]?|differ(?:s|ed)?|affect(?:s|ed)?"
    r"|influence[sd]?|contribute[sd]?|relate[sd]?|change[sd]?|shape[sd]?|le(?:ad|ads|d)|ma(?:ke|kes|de)|w[io]ns?"
    r"|play(?:s|ed)?|help(?:s|ed)?|became|becomes?|work(?:s|ed)?|live[sd]?|use[sd]?|produce[sd]?|star(?:s|red)?)\b",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"(?<=[\w.\"”)] )(?:[a-z]{3,}ed|wrote|won|made|took|gave|had|sang|led|built|became|ran|held|sold|began|went|grew)\b"
)
_AUXILIARY: Final = re.compile(rf"(?<= ){_AUX}\b", re.IGNORECASE)
# A subject that still waits for its verb: "Who else", "In what other martial art form".
_SUBJECT: Final = re.compile(r"(?:\w+ )?(?:what|which|who|how many|how much|whose)(?: [\w'’-]+){0,4}", re.IGNORECASE)
_HAS_VERB: Final = re.compile(
    rf"\b(?:{_AUX}|[a-z]{{3,}}ed|wrote|won|made|took|gave|had|sang|led|built|became|causes?|occurs?|happens?)\b",
    re.IGNORECASE,
)
_ELSE: Final = re.compile(rf" (?={_WH} (?:else|other)\b)", re.IGNORECASE)
_COMMA: Final = re.compile(r"(?<!\d),|,(?!\d)")
_LAST_ITEM: Final = re.compile(r",[^,]* (?:and|or|nor) ", re.IGNORECASE)
_AND: Final = re.compile(r", ?(?:and|or|nor)\b", re.IGNORECASE)
_DASH: Final = re.compile(r"\s[–—-]+\s|—")
_NAME: Final = re.compile(
    r"\s*(?:the |an? )?[A-Z\"“][\w.'’\"”-]*(?: (?:[A-Z\"“(][\w.'’\"”)-]*|(?:of|de|van|von|la|the)(?= )))*"
)
_AFTER_NAME: Final = re.compile(r" (?:to|that|who|which|with|at|by)\b|,")
_LINKS: Final = re.compile(
    r"(?:[,;:—–\s]|(?<=\s)-(?=\s)|(?:^|(?<=[\s,;:—–]))(?:but|and|while"
    r"|whilst|though|however|yet|so|also|please|pls|kindly"
    r"|specifically|especially|particularly|preferably|let['’]s|lets|just"
    r"|you should|you must|i want you to|i['’]d like you to|if possible|that|which|with)(?![\w'’]))+$",
    re.IGNORECASE,
)
_LINKS_WITHIN: Final = 80


def start_of_cue(sentence: str, start: int, floor: int) -> int:
    """Move a cue's start back over what only connects it: commas, "but please", "while specifically"."""
    links = _LINKS.search(sentence, max(floor, start - _LINKS_WITHIN), start)
    return start if links is None else links.start()


def end_of_scope(sentence: str, start: int, end: int, limit: int, *, kind: Kind, tight: bool) -> int:
    """Offset in a sentence at which the excluded part of a cue ends.

    Args:
        sentence: One sentence, quotations and asides hidden.
        start: Where the cue, with what connects it, begins.
        end: Where the excluded part begins.
        limit: Where the next cue begins, or the sentence's end mark.
        kind: Kind of the cue.
        tight: Whether the cue binds to the next noun alone ("other than").
    """
    commas = [match.start() for match in _COMMA.finditer(sentence, end, limit)]
    if not sentence[:start].strip(" ,"):
        return _after_front(sentence, end, limit, commas, kind)
    bracketed = sentence[start] == ","
    last = end
    for comma in commas:
        if _RESUMES.match(sentence, comma + 1) or (bracketed and _VERB.match(sentence, comma + 1)):
            return comma
        # "excluding A, B and C, ...": the comma after the last item closes the list.
        if bracketed and last > end and _LAST_ITEM.match(sentence, last, comma) and not _AND.match(sentence, comma):
            return comma
        last = comma
    if kind is Kind.REQUEST:
        return limit
    if bracketed and commas and _waiting(sentence, start):
        return commas[-1]
    if dash := _DASH.search(sentence, end, limit):
        return dash.start()
    return limit if bracketed else _before_verb(sentence, start, end, limit, tight=tight)


def _after_front(sentence: str, end: int, limit: int, commas: list[int], kind: Kind) -> int:
    """The exclusion opens the sentence: it ends where the main clause begins."""
    for comma in commas:
        if _OPENS.match(sentence, comma + 1):
            return comma
    may_open = [comma for comma in commas if _MAY_OPEN.match(sentence, comma + 1)]
    for comma in may_open:
        if not _RELATIVE.match(sentence, comma + 1):
            return comma
    if kind is Kind.REQUEST:
        return limit
    if may_open:
        return may_open[-1]
    other = _ELSE.search(sentence, end, limit)
    last = limit if other is None else other.start()
    with_subject = [comma for comma in commas if comma < last and not _HEADLESS.match(sentence, comma + 1)]
    return with_subject[-1] if with_subject else last


def _before_verb(sentence: str, start: int, end: int, limit: int, *, tight: bool) -> int:
    """The exclusion stands inside a clause: it ends before the clause's verb, if that has not come yet."""
    waiting = _waiting(sentence, start)
    if waiting and (verb := _AUXILIARY.search(sentence, end + 1, limit) or _PAST.search(sentence, end + 1, limit)):
        return verb.start()
    name = _NAME.match(sentence, end, limit) if tight or waiting else None
    if name and (after := _AFTER_NAME.match(sentence, name.end(), limit)) and (waiting or after[0] != ","):
        return after.start()
    return limit


def _waiting(sentence: str, start: int) -> bool:
    """Whether what stands before an exclusion is a subject without its verb."""
    return bool(_SUBJECT.fullmatch(sentence, 0, start)) and not _HAS_VERB.search(sentence, 0, start)

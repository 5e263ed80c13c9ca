"""The exclusion cues of English: one row a cue, with what may and may not stand before it.

A row's pattern matches the cue's own words, up to where the excluded part begins; a group named ``mid`` holds an
excluded part that stands inside the cue ("without taking X into account"). To add a cue, add a row here and a line to
the test fixture ``cues.txt``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class Kind(Enum):
    """How the scope of a cue is found."""

    EXCEPTOR = auto()
    """A preposition or participle, "besides X": the question can go on after it."""
    REQUEST = auto()
    """An instruction or a statement, "don't mention X": it mostly runs to the end of its sentence."""


@dataclass(frozen=True)
class Cue:
    """One row of the table.

    Attributes:
        kind: How its scope is found.
        pattern: What it looks like.
        before: What the text before it, from the start of its sentence, must end in, or None.
        unless: What the text before it must not end in, or None.
        asked: Whether it counts only in a sentence that asks the reader to do something ("Tell me about ...").
    """

    kind: Kind
    pattern: re.Pattern[str]
    before: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    asked: bool


class _Rows:
    """Collects the rows of one kind."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.rows: list[Cue] = []

    def add(self, pattern: str, *, before: str | None = None, unless: str | None = None, asked: bool = False) -> None:
        def ending(text: str | None, gap: str) -> re.Pattern[str] | None:
            return None if text is None else re.compile(rf"(?:{text}){gap}$", re.IGNORECASE)

        whole = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)
        self.rows.append(Cue(self.kind, whole, ending(before, r"\W*"), ending(unless, r"\s*"), asked))


_DONT = r"(?:do not|don['’]t|dont|does not|doesn['’]t)"
_FACTS = r"(?:information|info|details?|data|facts|specifics)"
_MENTION = r"(?:mentions?|references?|discussions?|consideration|regard|inclusion|coverage)"
_ABOUT = r"(?:about|of|on|to|for|from|regarding|concerning|(?:related|relating|pertaining) to)"
_CONTENT = rf"(?:all |any |the )?(?:(?:specific|further|other|detailed|more|additional) )?(?:{_FACTS}|{_MENTION})"
_LIGHT = rf"(?:any|anything|{_CONTENT})\b"
_OWN = r"(?:his|her|its|their)\b"
_TALK = (
    r"(?:mention|discuss|reference|refer to|talk about|speak (?:about|of)|bring up|touch (?:up)?on|go into|get into"
    r"|delve into|dive into|dwell (?:up)?on|elaborate on|focus on|concentrate on|consider|tell me (?:anything )?about)"
)
_TALKING = (
    r"(?:mentioning|discussing|referencing|referring(?: back)? to|talking about|speaking (?:about|of)|bringing up"
    r"|touching (?:up)?on|going into|getting into|delving into|diving into|dwelling (?:up)?on|elaborating on"
    r"|focuss?ing (?:too much )?on|concentrating on|considering|including|inquiring about|asking about|explaining"
    r"|describing|listing|naming|citing|counting|repeating|exploring|detailing|commenting on|revealing|giving away"
    rf"|(?:making|giving|providing) (?:any |a |an )?{_MENTION} (?:of|to))"
)
_LIST = r"(?:include|involve|provide|give|list|name|cover|add|show|present|return|contain|use|suggest|recommend)"
_DROP = r"(?:exclude|omit|ignore|disregard|leave (?:out|aside)|skip(?: over)?)"

# Where an instruction or a participle phrase can begin.
_JOINED = r"^|[,;:(—–-]|\b(?:but|and|also|so|please|pls|kindly|just|while|whilst|specifically|especially)"
_TOLD = r"^|\b(?:please|pls|kindly|let['’]s|lets|you to|should|must)"
_THAT = r"\b(?:that|which)"
# A gerund after a preposition or a form of "be" states a fact: "criticised for ignoring", "a policy of excluding".
_GOVERNED = (
    r"\b(?:for|by|of|about|from|in|on|is|are|was|were|be|been|being|to|as|against|despite|through|after|before|when"
    r"|or|not|never|stop|stopped|avoid|keep|kept|started|began|polic(?:y|ies)|laws?|rules?|clauses?)"
)
_NO = r"(?:\b(?:not(?!-)|no(?![.-])|never|none|nothing|nobody|neither|nor|cannot|without|hardly|rarely)\b|n['’]t\b)"
# After a negation an exception means "only": "never sold to anyone other than X".
_REVERSED = _NO + r"[^,;:]*"
_PLACED = (
    r"\b(?:far|wide|miles|worlds|years|metres|meters|km|falls?|fell|fallen"
    r"|come|stands?|grow|grew|drift\w*|liv(?:e|ed|ing))"
    r"|\b(?:sets?|setting|tells?|telling|told|takes?|keeps?|kept|pull\w*) (?!(?:me|us)\b)(?:[^\s,]+ ){0,5}[^\s,]+"
    r"|\btell \w+"
)

_exceptors = _Rows(Kind.EXCEPTOR)
_except = _exceptors.add
_except(r"excluding(?! (?:\S{1,40} ){1,4}from \w{1,40}ing\b)", unless=_GOVERNED)
_except(
    r"(?:ignoring|omitting|disregarding|discounting|skipping(?: over)?|exclusive of|(?:leaving|setting|putting) aside"
    r"|leaving out|not (?:including|counting|mentioning|discussing|considering))",
    before=_JOINED,
)
_except(r"(?:leaving|setting|putting) (?P<mid>[^,;?!]{1,120}?) aside", before=_JOINED)
_except(rf"avoiding (?:{_TALKING}|(?:any |all )?(?:{_MENTION}|{_FACTS}) {_ABOUT})", before=_JOINED)
_except(r"with (?:the|an|one) (?:sole |single |only |notable )?(?:exception|exclusion) of")
_except(
    r"(?:except(?:ing)?(?: for| in relation to)?|save for)"
    r"(?! (?:in|on|at) (?!(?-i:[A-Z\"“])|the (?-i:[A-Z])))(?! (?:as|when|if"
    r"|by|under|with|that|where|to|from|through|during)\b)",
    unless=_REVERSED,
)
_except(r"other than(?! (?:in name|that|this)\b)", unless=_REVERSED + r"|\b(?:more|less|rather|little|no)")
_except(r"(?:apart|aside) from(?! (?:each|one an)other\b)", unless=_REVERSED + "|" + _PLACED)
_except(r"besides(?!\s*[,.;:?!])", unless=_REVERSED)
_except(
    r"(?:in addition to|outside(?: of)?(?= (?:the|his|her|its|their|\w+ing)\b)|on top of)",
    before=r"\b(?:other|else|another|more)\b[^;]*",
)
_except(r"in addition to", before="^")
_except(r"on top of(?=.{0,300}\b(?:other|else|another)\b)", before="^")
_except(r"but", before=r"\b(?:who|what|where|everyone|everybody|everything) else")
_except(r"to the exclusion of", before=r"\bfocus\b[^?!]*")
_except(r"unrelated to", before=r"\b(?:information|details|content|works?|topics?|aspects?|(?:that|which) (?:is|are))")
_except(r"beyond(?: just| merely)?(?= (?:its|his|her|their)\b)", unless=_NO + "[^,]*")
_except(r"beyond(?: just| merely)?(?= (?:the|any)\b)", before=",", unless=_NO + "[^,]*")
_except(
    r"(?:instead|in place) of",
    before=r"\b(?:recommend|suggest|tell|show|find|want|prefer|like|looking for|describe|introduce|provide)\b"
    r"(?:(?!\b(?:that|who|which|whose|where|us(?:e[ds]?|ing))\b)[^,?!])*",
)
_except(
    r"rather than",
    before=r"\b(?:focus(?:ing|ed|es)?|about|interested in|concentrating on"
    r"|information on)\b(?:(?!\b(?:who|which)\b)[^?!])*",
)
_except(r"minus(?= (?:the|any|all|an?|its|his|her|their) )", unless=r"\bplus or|\d")
_except(rf"without (?:specifically |explicitly |even |ever |also )?{_TALKING}", unless=_NO)
_except(rf"(?:without|with no) (?:(?:making )?(?:any|an?|the) )?{_MENTION} (?:of|to|for|about|on)")
_except(rf"(?:without|with no) (?:any )?{_FACTS} {_ABOUT}")
_except(
    rf"without (?:using|involving|following|covering|addressing|providing"
    rf"|giving|sharing|adding)(?= (?:{_LIGHT}|{_OWN}))"
)
_except(r"without taking (?:into (?:account|consideration)|(?P<mid>[^,;?!]{1,120}?) into (?:account|consideration))")
_except(
    r"without(?= (?-i:[A-Z\"“]))",
    before=r"\b(?:introduction|overview|summary|profile|biography|description|outline)\b[^,;]*",
)

_requests = _Rows(Kind.REQUEST)
_request = _requests.add
_request(rf"{_DONT} (?:ever |even |want (?:you |it )?to )?{_TALK}", before=_JOINED + "|" + _TOLD + "|" + _THAT)
_request(rf"not (?:to )?(?:{_TALK}|{_LIST})(?= (?:{_LIGHT}|{_OWN}))", before=r"\b(?:but|and|let['’]s|please)")
_request(rf"{_DONT} {_LIST}(?: me)?(?= (?:anything|{_CONTENT})\b)", before=_JOINED + "|" + _TOLD + "|" + _THAT)
_request(rf"(?:{_DONT}|not) {_LIST}(?: me)?", before=_TOLD)
_request(rf"{_DONT} {_LIST}(?: me)?", before=_JOINED, asked=True)
_request(rf"{_DONT} involve", before=r"\b(?:that|which|but|and)")
_request(rf"{_DONT} concern(?= (?:{_OWN}|any\b))", before=r"\b(?:that|which|but|and)")
_request(rf"{_DONT} include", before=r"\bthat")
_request(r"(?:(?:is|are) not|(?:is|are)n['’]t)(?= the (?-i:[A-Z\"“]))", before=r"\b(?:that|which|but)")
_request(r"not(?= the\b)(?! the (?:\w+est|most|least|only|same|best|worst|first)\b)", before=r"\bbut")
_request(rf"not {_TALK}", before=r"\b(?:let['’]s|lets|let us|please)")
_request(
    rf"(?:cannot|can not|can['’]t|must not|should not|shouldn['’]t) (?:{_LIST}|{_TALK})(?= {_LIGHT})", before=_JOINED
)
_request(rf"(?:{_DROP}|avoid)", before=_TOLD)
_request(r"never mind(?: about)?", before=_JOINED)
_request(r"not(?! (?:only|just|simply|merely|necessarily|because|if|when|to|so|that|as)\b)", before=",", asked=True)
_request(rf"{_DROP}(?= (?:{_LIGHT}|those\b))", before=_JOINED)
_request(rf"{_DROP}", before=_JOINED, asked=True)
_request(rf"avoid (?:{_TALKING}|(?:any |all )?(?:{_MENTION}|{_FACTS}) {_ABOUT})", before=_JOINED + "|" + _TOLD)
_request(r"(?:leave|keep) (?P<mid>[^,;?!]{1,120}?) out(?: of (?:it|this))?(?=\W*$)", before=_TOLD + r"|\b(?:but|and)")
_I = r"(?:^|[,;:(—–-]|\b(?:but|and|so|also|because|as|since))"
_request(r"i(?:['’]m| am) not (?:interested in|looking for|asking (?:about|for)|concerned with)", before=_I)
_request(
    r"i (?:do not|don['’]t|dont) (?:want|need|care|wish)(?: to (?:know|hear"
    r"|read|see|learn|get|have|find))?(?: anything)?(?: about| on| for| to know about)?(?! to )",
    before=_I,
)
_request(
    r"(?:i['’]d|i would) (?:prefer|rather|like) not (?:to )?"
    rf"(?:{_TALK}|{_LIST}|(?:inquire|hear|know|read|learn|ask)(?: anything)? about|see)",
    before=_I,
)
_request(
    r"i(?: already know|['’]ve already (?:read|seen|heard)"
    r"| have already (?:read|seen|heard)|['’]m already familiar with"
    r"| am already familiar with)(?: all| everything| enough)?(?: about| of)?",
    before=_I,
)
_request(
    r"(?:(?:is|are|['’]s|['’]re) not|isn['’]t|aren['’]t) (?:about|related to|regarding|concerning|pertaining to)",
    before=r"\b(?:that|which|but|and)",
)
_request(
    r"not (?:about|related to|regarding|concerning|pertaining to|specific to)",
    before=r"^|,|\b(?:but|and)",
    unless=r"\bonly",
)
_request(rf"not(?= {_CONTENT} {_ABOUT})", before=r",|\b(?:but|and)")
_request(r"not(?= (?:(?:the|any|an?)\b|(?-i:[A-Z\"“])))", before=r"\bbut", asked=True)
_request(r"not(?= (?:where|how|why|what|when|whether|anything)\b)", before=r"\bbut")
_request(
    rf"not(?= (?:(?:the|any|specific|{_OWN}) )?(?:roles?|effects?|impacts?|history|specifics|reasons?|causes?)"
    r" (?:of|for|on|in|behind)\b)",
    before=r"\bbut",
)
_request(
    r"(?:and )?(?:nothing|no (?:mentions?|references?|information|details?)) (?:about|of|on|to|regarding|concerning)",
    before=r"^|,|\b(?:but|with|please)",
)

CUES: Final = (*_exceptors.rows, *_requests.rows)

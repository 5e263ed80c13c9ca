"""Makes terms of an excluded part: no light words, one term an item, and each term understood on its own."""

from __future__ import annotations

import re
from typing import Final

from logical_retriever.transform.cue_text import Piece, asides, hide, quotations

_ABOUT: Final = (
    r"(?:about|of|on|to|for|from|in|regarding|concerning|surrounding|involving|with|in relation to|specific to"
    r"|(?:(?:that|which) (?:is|are) )?(?:related|relating|pertaining|connected|linked) (?:to|with))"
)
_CONTENT: Final = (
    r"(?:information|info|details?|data|contents?|facts?|specifics|mentions?|references?|discussions?|descriptions?"
    r"|coverage|regard|consideration)"
)
# "any specific information about", "anything related to", "those of": they say "content", not which content.
_LIGHT: Final = re.compile(
    rf"(?:(?:(?:any|all|the|some|an?|more) )?(?:(?:specific|further|other"
    rf"|detailed|additional|particular|relevant|more) )?(?:of the )?{_CONTENT} {_ABOUT}"
    rf"|any(?:thing|one|body)(?: (?:specific|else))? {_ABOUT}"
    r"|(?:those|the ones|anything) (?:about|of|on|related to|regarding)|the fact that"
    r"|(?:about|of|on|to|regarding|concerning|involving|including"
    r"|mentioning|related to)|that|any|and|just|merely|please) (?=\S)",
    re.IGNORECASE,
)
# "without mentioning anything other than X" asks for X alone.
_ONLY: Final = re.compile(
    r"\W*any(?:thing|one|body)?\b(?: [\w'’-]+){0,3} (?:other than|but|except|besides|apart from|aside from)\b",
    re.IGNORECASE,
)
_EDGES: Final = " \t\n,;:.?!？！。–—-"
_MARKS: Final = ('""', "“”", "«»", "''", "‘’", "()", "[]")
_BETWEEN: Final = re.compile(
    r",?\s+(?:and|or|nor)\s+(?:(?:nothing|not(?: anything)?) (?:about|on)\s+)?|,?\s+as well as\s+|(?<!\d),\s*|,\s+",
    re.IGNORECASE,
)
# What comes after a comma in an apposition, a relative clause, a place or a date: no new item.
_NO_ITEM: Final = re.compile(
    r"(?:who|which|whose|whom|where|when|that|[a-z]+ed|\d+|jr|sr|(?:the|an?) [^,]*\b(?:who|which))\b", re.IGNORECASE
)
_PRONOUN: Final = re.compile(r"(?:his|her|its|their)\b", re.IGNORECASE)
_BARE: Final = re.compile(r"the (?!.* of )[^A-Z'’]+$")
_NAME: Final = re.compile(
    r"(?<![\w'’])[A-Z][\w-]*(?:['’][A-Z][\w-]*)?(?:\.?(?: (?:of|the|de|van"
    r"|von|la|le|del|da|di|al|bin)){0,2} [A-Z0-9][\w-]*)*"
)
# Words that open a sentence with a capital and are no name.
_NO_NAME: Final = re.compile(
    r"(?:wh(?:at|ich|o|ose|ere|en|y)|how|can|could|would|will|should|is|are|was|were|do|does|did|has|have|in|on|at|for|from"
    r"|the|an?|it|if|i|and|or|but|provide|describe|please|tell|introduce|discuss|explore|examine|analy[sz]e|explain|list"
    r"|name|find|give|share|show|write|compare|recommend|suggest|summari[sz]e|outline|additionally|besides)",
    re.IGNORECASE,
)
_OBLIQUE: Final = re.compile(r"(?:\b(?:in|at|on|during|for|of|with|from|to|by|than)(?: the)?|,) $", re.IGNORECASE)
# A sentence's first word is capitalised, name or not.
_OPENS: Final = re.compile(r"(?:^|[.?!\n]\s?)$")
_ADJECTIVE: Final = re.compile(r"[A-Z\d]+|[\w-]+(?:an|ish|ese|ench|utch|eek|ic|al|i)")
_NOUN_AFTER: Final = re.compile(
    r" (?!(?:of|in|on|at|to|for|from|by|with|as|and|or|but|who|that|which"
    r"|is|are|was|were|has|have|had|do|does|did|can|after"
    r"|before|during|than|when|while|over|under|about|not|also|\w+ed)\b)[a-z]"
)


def excluded_items(text: str) -> list[str]:
    """The things an excluded part names: "any mention of X, Y or Z" gives X, Y and Z; empty if it names nothing."""
    if _ONLY.match(text):
        return []
    text = _lightened(text)
    hidden = hide(text, quotations(text))
    hidden = hide(hidden, asides(hidden))
    items = (_named(piece.of(text)) for piece in _items(hidden))
    return list(dict.fromkeys(item for item in items if item))


def on_its_own(item: str, topic: str) -> str:
    """Name what an excluded item leaves to its sentence: "his death" of a question about Rossini is "Rossini's death".

    A term is compared with documents alone, so a pronoun or a bare "the ..." would match any subject.
    """
    if not topic:
        return item
    owner = topic + ("'" if topic.endswith("s") else "'s")
    resolved = _PRONOUN.sub(lambda _: owner, item, count=1) if _PRONOUN.match(item) else item
    return f"{item} of {topic}" if _BARE.match(item) else resolved


def topic_of(wanted: str) -> str:
    """The proper name or quoted title that a text is about, as far as its form tells; "" without one.

    The first that no preposition governs and that does not qualify a noun ("American" in "the American singer"), else
    the first that does not qualify a noun.
    """
    second = ""
    for start, end in _names(wanted):
        name = wanted[start:end].strip('."“”« »')
        qualifies = _ADJECTIVE.fullmatch(name) and _NOUN_AFTER.match(wanted, end)
        if qualifies or not name:
            continue
        owner = wanted[end : end + 2] in ("'s", "’s")
        if " " not in name and not owner and wanted[start].isalpha() and _OPENS.search(wanted, 0, start):
            continue
        if owner or not _OBLIQUE.search(wanted, max(0, start - 12), start):
            return name
        second = second or name
    return second


def _names(text: str) -> list[Piece]:
    """Capitalised words and quoted titles, without the question words that open a sentence."""
    titles = [Piece(start - 1, end + 1) for start, end in quotations(text)]
    quoted = {offset for title in titles for offset in range(*title)}
    found = list(titles)
    for match in _NAME.finditer(text):
        start, end = match.span()
        for word in match[0].split():
            if not _NO_NAME.fullmatch(word):
                break
            start += len(word) + 1
        if start < end and start not in quoted:
            found.append(Piece(start, end))
    return sorted(found)


def _lightened(text: str) -> str:
    """Drop edges and light words."""
    text = text.strip(_EDGES)
    while match := _LIGHT.match(text):
        text = text[match.end() :].strip(_EDGES)
    return text


def _named(text: str) -> str:
    """Drop edges, light words and enclosing marks; empty if nothing that can be searched for is left."""
    text = _lightened(text)
    if text[:1] + text[-1:] in _MARKS and len(text) > 2 and not set(text[1:-1]) & {text[0], text[-1]}:
        text = text[1:-1].strip()
    return text if any(char.isalnum() for char in text) else ""


def _items(hidden: str) -> list[Piece]:
    """The items of a list; the whole when it is none."""
    marks = list(_BETWEEN.finditer(hidden))
    pieces = [
        Piece(start, end)
        for start, end in zip(
            [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(hidden)], strict=True
        )
    ]
    words = [mark[0].strip(" ,\n").lower() for mark in marks]
    return pieces if _is_list(words, [piece.of(hidden) for piece in pieces]) else [Piece(0, len(hidden))]


def _is_list(words: list[str], items: list[str]) -> bool:
    """Whether the pieces are items: "X, Y, and Z", "X or Y", but not "X and Y", which may be one name."""
    if not words or not all(items) or any(_NO_ITEM.match(item) for item in items[1:]):
        return False
    # "his physical stature or athleticism": the first item's own words belong to the last too.
    shared = len(items) == 2 and " " in items[0] and " " not in items[1] and items[1].islower()
    if words[-1].endswith((" about", " on")):  # "and nothing about": no name has that in it
        return True
    if words[-1] in ("or", "nor"):
        return "and" not in words and not shared
    return len(words) > 1 and words[-1] in ("and", "as well as") and not any(words[:-1])

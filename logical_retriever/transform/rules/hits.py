"""Finds the cues of one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from logical_retriever.transform.languages.table import Kind
from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.compiled_cue import CompiledCue
from logical_retriever.transform.rules.patterns import WORD
from logical_retriever.transform.rules.text import HIDDEN, Piece

# How far back the conditions of a cue look: a clause, and a bound on the work a repeated cue can cause.
LOOK_BACK: Final = 160
_LINKS_WITHIN: Final = 80
_LONGEST_FRAGMENT: Final = 300
_UNCLEAR: Final = 0.5
_SHORTEST_REQUEST: Final = 3
_OPENING: Final = " ,;:(–—-•[{=\"'“«"


@dataclass(frozen=True)
class Sentence:
    """One sentence or aside, ready to be read.

    Attributes:
        text: Its words as written.
        plain: The same in small letters, quotations and asides hidden.
        body: Where its end marks begin.
        inside: Whether it stands in brackets.
        first: Whether it opens the text.
        elsewhere: Whether the text that it is of asks for something else.
        wish: How far another sentence of the text asks for things.
    """

    text: str
    plain: str
    body: int
    inside: bool = False
    elsewhere: bool = False
    first: bool = False
    wish: float = 0.0

    def name_at(self, at: int) -> bool:
        """Whether a name or a quotation begins at an offset, as far as its first letter tells."""
        return at < len(self.text) and (
            self.text[at].isupper() or self.plain[at] == HIDDEN or self.text[at] in "\"“„«‘'「『"
        )


@dataclass(frozen=True)
class Hit:
    """A cue where it stands.

    Attributes:
        cue: The row.
        start: Where its words begin.
        end: Where they end; what it excludes begins after them, or ends before ``start``.
        between: What it excludes, where that stands between its words.
        doubtful: Whether it is unclear that what stands before it asks for things.
    """

    cue: CompiledCue
    start: int
    end: int
    between: Piece | None = None
    doubtful: bool = False

    def detached(self, sentence: Sentence) -> bool:
        """Whether a mark divides its words from what it excludes before them: "Les glaciers, on peut les oublier"."""
        return self.cue.side == "before" and sentence.plain[: self.start].rstrip(" ")[-1:] in _OPENING


def hits(sentence: Sentence, language: CompiledLanguage) -> list[Hit]:
    """The cues of a sentence, leftmost and longest first, none overlapping another or a shield."""
    shielded = bytearray(len(sentence.plain))
    for match in language.shields.finditer(sentence.plain):
        shielded[match.start() : match.end()] = b"\1" * len(match[0])
    asked = language.asked.match(sentence.plain) is not None
    found: list[Hit] = []
    for word in WORD.finditer(sentence.plain):
        for cue in language.cues_at(word[0]):
            if cue.cue.asked and not asked:
                continue
            hit = _hit(cue, sentence, word.start(), language)
            if hit and not any(shielded[hit.start : hit.end]) and not _in_title(sentence, hit):
                found.append(hit)
    found.sort(
        key=lambda hit: (
            *(hit.start, hit.detached(sentence), -hit.end, _turned(hit, sentence), hit.doubtful),
            hit.between is not None,
        )
    )
    apart: list[Hit] = []
    for hit in found:
        if not apart or hit.start >= apart[-1].end:
            apart.append(hit)
    return apart


def _turned(hit: Hit, sentence: Sentence) -> bool:
    """Whether words go on after a cue that stands after what it excludes, or end after one that stands before it."""
    goes_on = sentence.plain[hit.end : sentence.body].lstrip(" ")[:1].isalnum()
    return goes_on if hit.cue.side == "before" else not goes_on


def _hit(cue: CompiledCue, sentence: Sentence, start: int, language: CompiledLanguage) -> Hit | None:
    match = cue.pattern.match(sentence.plain, start)
    if match is None:
        return None
    before = sentence.plain[max(0, start - LOOK_BACK) : start]
    if cue.side == "after" and match.end() >= sentence.body:
        return None  # It names nothing.
    if cue.side == "after" and cue.kind is not Kind.PREFIX and sentence.plain[match.end()] == "-":
        return None  # "no-fault divorce"
    if cue.side == "before" and not ends_clause(sentence, match.end(), language):
        return None
    named = cue.side == "after" and _named(sentence, match.end(), language)
    if cue.named and not named:
        return None
    if cue.cue.elsewhere and not sentence.elsewhere:
        return None
    if cue.side != "before" and not cue.anywhere and not begins_clause(sentence.plain, start, language):
        return None
    if cue.cue.fragment and not in_fragment(sentence.plain[: min(start, _LONGEST_FRAGMENT + 1)], language):
        return None
    if cue.cue.dictated and not _in_request(before, language):
        return None
    asked = _asked_before(sentence, start, language) if cue.cue.asking else 1.0
    if not asked:
        return None
    if cue.only_after and not cue.only_after.search(before):
        return None
    if cue.never_after and cue.never_after.search(before):
        return None
    if cue.only_before and not cue.only_before.match(sentence.plain, match.end()):
        return None
    if cue.never_before and not named and cue.never_before.match(sentence.plain, match.end()):
        return None
    between = Piece(*match.span("x")) if cue.side == "between" else None
    return Hit(cue, start, match.end(), between, asked < 1)


def _in_title(sentence: Sentence, hit: Hit) -> bool:
    """Whether a cue's words are those of a title: "The Man Who Wasn't There", and not "NOT nginx"."""
    words = list(WORD.finditer(sentence.plain, max(0, hit.start - LOOK_BACK), hit.end + _LINKS_WITHIN))
    at = next((i for i, word in enumerate(words) if word.start() >= hit.start), 0)
    around = words[max(0, at - 1) : at + 2]
    spelt = [sentence.text[word.start() : word.end()] for word in around]
    return at > 0 and len(spelt) > 2 and all(word[:1].isupper() and word[1:].islower() for word in spelt)


def _named(sentence: Sentence, end: int, language: CompiledLanguage) -> bool:
    """Whether what follows begins with a name: a capital letter in a text that is not all capitals."""
    word = WORD.search(sentence.plain, end)
    if word is None or sentence.plain[end : word.start()].strip(" :\"“„«‘'"):
        return False
    if word[0] in language.function_words or sentence.text[:40].isupper():
        return False
    return sentence.name_at(word.start()) or sentence.name_at(word.start() - 1)


def start_of_cue(plain: str, start: int, floor: int, language: CompiledLanguage) -> int:
    """Move a cue's start back over what only connects it: commas, "but please", "and also"."""
    links = language.links.search(plain[max(floor, start - _LINKS_WITHIN) : start])
    return start if links is None else start - len(links[0])


def opens_sentence(plain: str, start: int) -> bool:
    """Whether nothing but marks stands before an offset of a sentence."""
    return start <= LOOK_BACK and not plain[:start].strip(" ,")


def begins_clause(plain: str, start: int, language: CompiledLanguage) -> bool:
    """Whether a clause begins at an offset: nothing, a mark or a link stands before it."""
    leads = language.leads.search(plain[max(0, start - _LINKS_WITHIN) : start])
    head = start - len(leads[0]) if leads else start
    connected = plain[head:start].strip(" ")
    before = plain[max(0, head - LOOK_BACK) : head]
    return bool(connected) or not before.strip(_OPENING) or before.rstrip(" ")[-1:] in _OPENING


def ends_clause(sentence: Sentence, end: int, language: CompiledLanguage) -> bool:
    """Whether a clause ends at an offset: a mark, a link, a reason or nothing more follows."""
    ahead = sentence.plain[end : min(sentence.body, end + LOOK_BACK)].lstrip(" ")
    lead = language.first_lead.match(ahead)
    word = WORD.match(ahead)
    goes_on = (word is not None and word[0] in language.resumes) or language.opens.match(ahead) is not None
    return not ahead or ahead[0] in ",;:)–—-(]" or bool(lead and lead[0]) or goes_on


def _asked_before(sentence: Sentence, start: int, language: CompiledLanguage) -> float:
    """How far what stands before a cue asks for things that it can restrict: 1, or 0.5 where that is unclear, or 0."""
    before = sentence.plain[max(0, start - _LONGEST_FRAGMENT) : start]
    asks = asks_for_things(before, language)
    wish = 1.0 if language.wishes.search(sentence.plain, start, start + LOOK_BACK) else sentence.wish
    first = begun(before, language)
    if sentence.inside or not first or language.signs.match(first):  # "Not dairy, not tofu"
        return max(asks, wish)
    if not asks and asks_for_things(first.split(",")[0], language) == 1:
        return _UNCLEAR  # "Snacks for the party, my dad is diabetic so nothing sugary"
    if not asks and wish and _describes(before, language):
        return _UNCLEAR if sentence.first else wish
    if not asks and wish and before.rstrip(_OPENING).endswith(language.language.so):
        return _UNCLEAR  # "Which shop can we move to? We are leaving Acme, so no plans."
    return asks


def _describes(before: str, language: CompiledLanguage) -> bool:
    """Whether a text says what somebody is: "A meal for my dad. He is old-fashioned, no loud music"."""
    words = WORD.findall(begun(before, language)[:LOOK_BACK])[:2]
    return len(words) > 1 and words[0] in language.subjects and words[1] in language.copulas


def _in_request(before: str, language: CompiledLanguage) -> bool:
    """Whether a text is a request or a wish without marks that ends in a noun: "can you find me a bar"."""
    text = begun(before, language)
    words = WORD.findall(text)
    if (
        len(words) <= _SHORTEST_REQUEST
        or "," in text
        or words[-1] in language.verbs
        or words[-1] in language.function_words
    ):
        return False
    request = language.requests.match(text) or language.wishes.match(text)
    return request is not None and request.end() < len(text)


def begun(text: str, language: CompiledLanguage) -> str:
    """The text without what only connects or is polite at its beginning."""
    lead = language.first_lead.match(text)
    return text[lead.end() if lead else 0 :].strip(_OPENING)


def asks_for_things(text: str, language: CompiledLanguage) -> float:
    """How far a text asks, wishes or names things of a kind: "any bars", "flowers for a funeral", "what can I eat".

    "The laptop is dead" and "rash on one arm" do not: no lights and no fever are then facts about them. Of one noun
    before a preposition, "data on sick leave", it is unclear.
    """
    text = begun(text, language)
    words = WORD.findall(text[:LOOK_BACK])
    if not words or language.signs.match(text):
        return 0.0
    if language.requests.match(text) or language.wishes.search(text[-LOOK_BACK:]):
        return 1.0
    if any(word in language.question_words for word in words[:2]) or words[0] in language.auxiliaries:
        return 1.0
    if words[1:2] and words[1] in language.copulas and language.approving.search(text):
        return 1.0  # "Thai is fine, nothing spicy"; but "the phone was wet, no sound".
    if _one_of_a_kind(words, language):
        return 1.0
    if words[0] in language.own or any(word in language.subjects for word in words) or _finite(words, language):
        return 0.0
    head = next((at for at, word in enumerate(words) if at and word in language.prepositions), len(words))
    article = words[0] in language.articles and words[0] not in language.demonstratives
    if any(word in language.kinds for word in words[: 1 + article]):
        return 1.0
    # "Kettle keeps switching off": after its subject, such a word is rather a verb.
    nouns = [word for at, word in enumerate(words[:head]) if not at or word not in language.verbs]
    if any(language.plural.fullmatch(word) and word not in language.light_words for word in nouns):
        return 1.0
    return _UNCLEAR if head < len(words) or article else 0.0


def _one_of_a_kind(words: Sequence[str], language: CompiledLanguage) -> bool:
    """Whether words ask for one of a kind and say of it what somebody does: "any film we can watch with grandma"."""
    who = next((at for at, word in enumerate(words) if word in language.subjects), 0)
    said = words[:who]
    return who > 1 and words[0] in language.kinds and not _finite(said, language) and language.own.isdisjoint(said)


def in_fragment(before: str, language: CompiledLanguage) -> bool:
    """Whether a text is a noun phrase without a clause, "laptops", asks for one, "recommend laptops", or asks how.

    "Which regions have lakes but no rivers?" is none: there, what is negated is a fact about the answer.
    """
    if len(before) > _LONGEST_FRAGMENT:
        return False
    before = begun(before, language)
    request = language.requests.match(before)
    words = WORD.findall(before[request.end() if request else 0 :])
    if words and words[0] in language.question_words and any(word in language.kinds for word in words[1:4]):
        words = words[2:]  # "What are good films": these ask for one of a kind.
    if len(words) > 1 and words[0] in language.question_words and words[0] not in language.choosing:
        return words[1] in language.auxiliaries and words[1] not in language.copulas
    if any(word in language.question_words or word in language.relatives for word in words):
        return False
    return not _finite(words, language) and not any(
        language.participle(word) and not _reduced(words, at, language) for at, word in enumerate(words)
    )


def _finite(words: Sequence[str], language: CompiledLanguage) -> bool:
    """Whether an auxiliary is among the words, but for an infinitive: "things to do"."""
    return any(
        word in language.auxiliaries and not (at and words[at - 1] in language.prepositions)
        for at, word in enumerate(words)
    )


def _reduced(words: Sequence[str], at: int, language: CompiledLanguage) -> bool:
    """Whether a participle qualifies things before it and is no verb: "novels set in Japan", "films directed by"."""
    followed = at + 1 < len(words) and words[at + 1] in language.prepositions
    return followed and at > 0 and language.plural.fullmatch(words[at - 1]) is not None

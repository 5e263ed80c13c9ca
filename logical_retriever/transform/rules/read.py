"""Reads a question by the rules of one language: signs, exclusions, and the query that they make."""

from __future__ import annotations

import re
from typing import Final

from logical_retriever.query import MAX_TERMS, And, LogicalQuery, Not, Or, Term
from logical_retriever.transform.languages.table import Kind
from logical_retriever.transform.reading import Reading
from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.exclusions import Exclusion, exclusions
from logical_retriever.transform.rules.hits import LOOK_BACK, asks_for_things
from logical_retriever.transform.rules.items import About, about, excluded_items, last_things, on_its_own
from logical_retriever.transform.rules.patterns import WORD
from logical_retriever.transform.rules.text import Piece, asides, hide, normalized, plain, quotations
from logical_retriever.transform.rules.wanted import says_something, statement, wanted_text

_DEMONSTRATIVE: Final = 2
_HOLE: Final = re.compile(r"\S?[.?!)]\s*, ?\w*")


def read_by_rules(question: str, language: CompiledLanguage) -> Reading:
    """Read a question; one in which nothing is excluded, or of which nothing else would be left, stays whole."""
    text = normalized(question, language)
    found = exclusions(text, language)
    hidden = hide(plain(text), quotations(text))
    signs = [match.span() for match in language.signs.finditer(hidden)]
    explained = [*language.shields.finditer(hidden), *language.facts.finditer(hidden)]
    seen = tuple(text[start:end] for start, end in signs)
    query = _query(text, hidden, found, language) if found and not _of_asker(hidden, found, language) else None
    read = bytearray(len(hidden))
    spans = [match.span() for match in explained]
    for start, end in spans if query is None else [*spans, *(exclusion.out for exclusion in found)]:
        read[start:end] = b"\1" * (end - start)
    # "What else?" is answered by any exclusion that was read.
    understood = all(
        any(read[start:end]) or (query is not None and hidden[start:end] in language.elsewhere) for start, end in signs
    )
    if query is not None and _doubtful(text, query, found, language):
        understood = False
    if found and query is None:
        understood = False
        seen = seen or tuple(text[exclusion.out.start : exclusion.out.end].strip() for exclusion in found[:1])
    return Reading(query, seen, understood, language.language.code)


def _doubtful(text: str, query: LogicalQuery, found: list[Exclusion], language: CompiledLanguage) -> bool:
    """Whether a reading is better than none, and perhaps not all that was meant.

    An exclusion is unclear, or names nothing; what is excluded is a clause; or what is left has a hole in it.
    """
    for one in found:
        if one.doubtful or not (_named(text, one, language) or _refers_back(text, one, language)):
            return True
        named = one.named.of(text)
        words = WORD.findall(hide(named, quotations(named)))  # Capitals are of names: "Catch Me If You Can".
        opens = any(word in language.relatives or word in language.question_words for word in words)
        if not opens and any(word in language.auxiliaries for word in words[1:]):
            return True
    return any(hole[0] not in text for term in query.terms() for hole in _HOLE.finditer(term))


def _of_asker(hidden: str, found: list[Exclusion], language: CompiledLanguage) -> bool:
    """Whether a question begins with something about who asks: "I hate my nose. What does a new one cost?"."""
    if not any(one.personal for one in found) or language.things.search(hidden):
        return False
    rest = hidden[found[0].out.end :]
    if asks_for_things(rest, language) == 1 and not any(word in language.clause_words for word in WORD.findall(rest)):
        return False  # "I'm allergic to wool, warm blankets?"
    return "?" in hidden or any(word in language.question_words for word in WORD.findall(hidden))


def _query(text: str, hidden: str, found: list[Exclusion], language: CompiledLanguage) -> LogicalQuery | None:
    """The query of a text with exclusions, or None: it is then one term."""
    wishes = _wishes(text, hidden, found, language)
    parts = [
        _wish(text, wish, [one for one in found if wish.start <= one.out.start < wish.end], language) for wish in wishes
    ]
    made = [part for part in parts if part is not None]
    if len(made) < len(parts):
        return None
    query = made[0] if len(made) == 1 else Or(tuple(made))
    return query if len(query.terms()) < MAX_TERMS else None


def _wishes(text: str, hidden: str, found: list[Exclusion], language: CompiledLanguage) -> list[Piece]:
    """The stretches of a text that are wishes of their own: "..., or failing that ..."."""
    outer = hide(hidden, asides(hidden))
    ends, starts = [], [0]
    for match in language.alternatives.finditer(outer):
        inside = any(one.named.start < match.end() and match.start() < one.named.end for one in found)
        if match.start() and not inside and says_something(text[match.end() :], language):
            ends.append(match.start())
            starts.append(match.end())
    return [Piece(start, end) for start, end in zip(starts, [*ends, len(text)], strict=True)]


def _wish(text: str, wish: Piece, found: list[Exclusion], language: CompiledLanguage) -> LogicalQuery | None:
    named = [(one, _named(text, one, language)) for one in found]
    known = [(one, items) for one, items in named if items]
    if found and not known:
        return None
    if any(not items and not _refers_back(text, one, language) for one, items in named):
        # Half understood: the words of a cue that names nothing stay in what is wanted.
        found = [one for one, _ in known]
    wanted = statement(_wanted(text, wish, found, language), language)
    if not says_something(wanted, language):
        # "I don't like sad movies."; but not "I don't like my new haircut. What can I do?".
        asked = plain(wanted)
        asks = asks_for_things(asked, language) and not any(word in language.elsewhere for word in WORD.findall(asked))
        return _nothing_but(text, known, language) if all(one.alone for one in found) and not asks else None
    if not known:
        return Term(wanted)
    # A capital that is ours is no sign of a name: "history of Vienna".
    typed = wanted if wanted in text else wanted[:1].lower() + wanted[1:]
    subject = about(wanted, typed if typed in text else wanted, language)
    operands = tuple(
        dict.fromkeys(operand for one, items in known for operand in _negated(text, one, items, subject, language))
    )
    if any(_core(term, language) == _core(wanted, language) for operand in operands for term in operand.terms()):
        return None
    if sum(operand.size for operand in operands) >= MAX_TERMS:
        return None
    return And((Term(wanted), *operands))


def _nothing_but(
    text: str, known: list[tuple[Exclusion, list[str]]], language: CompiledLanguage
) -> LogicalQuery | None:
    """A dislike and nothing else, "I don't like sad movies": what is excluded, alone."""
    made = tuple(dict.fromkeys(term for one, items in known for term in _negated(text, one, items, About(), language)))
    return made[0] if len(made) == 1 else And(made) if made else None


def _named(text: str, found: Exclusion, language: CompiledLanguage) -> list[str]:
    """The things an exclusion names; none where something is spared and it is not clear what."""
    spared = "" if found.spared is None else found.spared.of(text).strip()
    # "excluding comedies except anything other than satire": half understood, it would lose satire.
    if spared and not excluded_items(spared, language):
        return []
    governs = text[: found.named.start].rsplit(maxsplit=1)[-1:]  # "not interested in Rome or in Naples"
    items = excluded_items(found.named.of(text), language)
    return [item.removeprefix(f"{governs[0]} ") for item in items] if governs else items


def _refers_back(text: str, found: Exclusion, language: CompiledLanguage) -> bool:
    """Whether an exclusion that names nothing says an earlier one again: "so not those"."""
    words = plain(found.named.of(text)).strip(" ,.:;").split()
    return " ".join(words) in language.empty or (len(words) == _DEMONSTRATIVE and words[0] in language.demonstratives)


def _wanted(text: str, wish: Piece, found: list[Exclusion], language: CompiledLanguage) -> str:
    kept, at = [], wish.start
    for exclusion in found:
        kept.append(text[at : max(at, exclusion.out.start)])
        if exclusion.kind is Kind.PREFIX:
            kept[-1] = kept[-1] if at or kept[-1].strip() else ""
        at = min(exclusion.out.end, wish.end)
    wanted = wanted_text([*kept, text[at : wish.end]], language)
    # "Apart from the film Fame, which films have the same title?": without its exclusion the question is about nothing.
    if found and found[0].front and not kept[0].strip() and language.refers_back.search(plain(wanted)):
        return wish.of(text)
    return wanted


def _negated(
    text: str, found: Exclusion, items: list[str], subject: About, language: CompiledLanguage
) -> list[LogicalQuery]:
    spared = [] if found.spared is None else excluded_items(found.spared.of(text), language)
    kept = tuple(Not(Term(item)) for item in spared)
    before = text[max(0, found.out.start - LOOK_BACK) : found.out.start]
    subject, terms = subject._replace(things=last_things(before, language)), []
    for at, item in enumerate(items):
        # "Emmeline Pankhurst or her daughters": hers are those of the item before.
        owner = items[at - 1] if at and items[at - 1][:1].isupper() else subject.topic
        terms.append(
            Term(language.article_before.sub("", on_its_own(item, subject._replace(topic=owner), language), count=1))
        )
    return [Not(And((term, *kept))) if kept else Not(term) for term in terms]


def _core(text: str, language: CompiledLanguage) -> str:
    words = WORD.findall(plain(text))
    return " ".join(words[1:] if words and words[0] in language.articles else words)

"""Makes terms of an excluded part: no light words, one term an item, and each term understood on its own."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.patterns import WORD
from logical_retriever.transform.rules.text import Piece, asides, hide, plain, quotations

_EDGES: Final = " \t\n,;:.?!？！。–—-=•"
_MARKS: Final = ('""', "“”", "„“", "«»", "''", "‘’", "()", "[]", "「」", "『』", "``")
_SLASH: Final = re.compile(r"\s/\s|(?<=[^\W\d_]{3})/(?=[^\W\d_]{3})")
_MOST_WORDS: Final = 5
_DEMONSTRATIVE: Final = 2
_CAPITALS: Final = re.compile(r"[A-Z0-9]+/[A-Z0-9]+")
_NAME: Final = re.compile(r"(?<![\w'’])[^\W\d_a-zß-öø-ÿ][\w-]*(?:['’][^\W\d_a-zß-öø-ÿ][\w-]*)?")
_OPENS: Final = re.compile(r"(?:^|[.?!\n]\s?)$")


def excluded_items(text: str, language: CompiledLanguage) -> list[str]:
    """The things an excluded part names: "any mention of X, Y or Z" gives X, Y and Z; empty if it names nothing."""
    if language.only.match(plain(text)):
        return []
    text = _lightened(text, language)
    hidden = hide(plain(text), quotations(text))
    hidden = hide(hidden, asides(hidden))
    items = [_named(piece.of(text), language) for piece in _items(text, hidden, language)]
    return list(dict.fromkeys(_shared(_with_noun(items, language), language)))


def _with_noun(items: list[str], language: CompiledLanguage) -> list[str]:
    """Give items that are an adjective the noun of the last: "very touristy or expensive place"."""
    degrees, last = language.language.degrees, items[-1].split() if items else []
    if len(items) < 2 or len(last) != 2 or any(word in language.function_words or word in degrees for word in last):
        return items
    bare = [len(item.split()) == 2 and plain(item).split()[0] in degrees for item in items]
    return [f"{item} {last[1]}" if alone else item for item, alone in zip(items, [*bare[:-1], False], strict=True)]


def _shared(items: list[str], language: CompiledLanguage) -> list[str]:
    """The items that name something, each with the participle that the first has: "focused on art, on trade or war"."""
    if len(items) < 2 or not items[0]:
        return [item for item in items if item]
    words = items[0].split()
    for at in range(1, min(len(words) - 1, _MOST_WORDS)):
        if words[at].lower() in language.prepositions and language.participle(words[at - 1].lower()):
            head = " ".join(words[: at + 1])
            bare = [not any(word in language.prepositions for word in plain(item).split()) for item in items]
            return [
                item if not at_ or not free else f"{head} {item}"
                for at_, (item, free) in enumerate(zip(items, bare, strict=True))
                if item
            ]
    return [item for item in items if item]


def _lightened(text: str, language: CompiledLanguage) -> str:
    """Drop edges and light words."""
    text = text.strip(_EDGES)
    while match := language.light.match(plain(text)):
        rest = text[match.end() :].strip(_EDGES)
        if not rest or match.end() == 0 or text[match.end()] == "-":  # "on-call"
            break
        text = rest
    return text


def _named(text: str, language: CompiledLanguage) -> str:
    """Drop edges, light words and enclosing marks; empty if nothing that can be searched for is left."""
    text = _lightened(text, language)
    while (match := language.light_after.search(plain(text))) and match.start() > 0:
        text = text[: match.start()].strip(_EDGES)
    if text[:1] + text[-1:] in _MARKS and len(text) > 2 and not set(text[1:-1]) & {text[0], text[-1]}:
        text = text[1:-1].strip()
    words = plain(text).split()
    if len(words) == _DEMONSTRATIVE and words[0] in language.demonstratives:
        return ""  # "those museums": said before.
    if plain(text) in language.empty or not any(char.isalnum() for char in text):
        return ""
    return text


def _items(text: str, hidden: str, language: CompiledLanguage) -> list[Piece]:
    """The items of a list; the whole when it is none."""
    marks = [
        match.span()
        for match in language.between.finditer(hidden)
        # "TVPlayer Plus", "Resort & Club": a joint inside a name is none. Of "SMUT OR SPICE" capitals say nothing.
        if text[match.start() : match.end()].islower()
        or text.isupper()
        or not (bare := match[0].strip(" ,"))
        or (not bare.isalpha() and not text[match.end() : match.end() + 1].isupper())
    ]
    marks += [match.span() for match in _SLASH.finditer(hidden) if not _CAPITALS.search(text)]
    if any(hidden[start:end].startswith(",") for start, end in marks):
        # "X, and Y and Z": what has no comma joins less than what has one.
        kinds = {hidden[start:end].strip(" ,") for start, end in marks} - {""}
        if len(kinds) > 1:
            marks = [(start, end) for start, end in marks if hidden[start:end].startswith(",")]
    marks.sort()
    apart: list[tuple[int, int]] = []
    for start, end in marks:
        if not apart or start >= apart[-1][1]:
            apart.append((start, end))
    starts, ends = [0, *(end for _, end in apart)], [*(start for start, _ in apart), len(hidden)]
    pieces = [Piece(start, end) for start, end in zip(starts, ends, strict=True)]
    words = [hidden[start:end].strip(" ,\n") for start, end in apart]
    return pieces if _is_list(words, pieces, text, hidden, language) else [Piece(0, len(hidden))]


def _is_list(words: list[str], pieces: list[Piece], text: str, hidden: str, language: CompiledLanguage) -> bool:
    """Whether the pieces are items: "X, Y, and Z", "X or Y", "X and Y", but not a name that holds "and"."""
    items = [piece.of(hidden).strip() for piece in pieces]
    if not words or not all(items) or any(language.no_item.match(item) for item in items[1:]):
        return False
    written = [piece.of(text).strip() for piece in pieces]
    joined = [word.strip(",").split()[0] if word.strip(", ") else "" for word in words]
    if all(word == "/" for word in joined):
        return all(len(item.split()) <= 3 for item in items)
    if not any(joined):
        # Commas alone: "Landover, Maryland" is one place, "the first game, Dune" one game.
        short = all(len(item.split()) <= 3 for item in items)
        return short and (len(items) > 2 or all(one.islower() and " " not in one for one in written))
    if _apposition(written) and items[-1].split()[0] not in language.articles:
        return False
    if joined[-1] in language.or_words:
        shared = len(items) == 2 and " " in items[0] and " " not in items[1] and _modified(items[0], language)
        return not shared and not any(word in language.and_words for word in joined)
    if len(items) > 2:
        return not any(joined[:-1]) or not any(_modified(item, language) for item in items)
    return _two(text, hidden, pieces, items, language)


def _apposition(items: list[str]) -> bool:
    """Whether only the last ends in a name: "writer, critic and journalist Christopher Hitchens"."""
    ends = [item.split()[-1][:1].isupper() for item in items]
    begins = items[-1].split()[0][:1].isupper()
    return ends[-1] and not begins and not any(ends[:-1])


def _modified(item: str, language: CompiledLanguage) -> bool:
    """Whether an item has a phrase of its own, "effects on trade", which another item may belong to."""
    words = item.split()
    return any(word in language.prepositions or word in language.pronoun_words for word in words) or (
        "'s" in item or words[0].endswith("ing")
    )


def _two(text: str, hidden: str, pieces: list[Piece], items: list[str], language: CompiledLanguage) -> bool:
    """Whether "X and Y" is two things: not "salt and pepper", "Pride and Prejudice" or "effects on A and B"."""
    if language.pairs.search(hidden) or any(len(item.split()) > _MOST_WORDS for item in items):
        return False
    if any(_modified(item, language) for item in items):
        return False
    if not language.language.pairs_are_names:
        return True
    first, second = (piece.of(text).strip() for piece in pieces)
    if first[:1].isupper() and second[:1].isupper():
        return " " in first and " " in second
    words = second.split()
    same = items[0].split()[0] in language.articles
    if words[0].lower() in language.articles and not same and len(words) > 1 and words[1][:1].isupper():
        return not first[:1].isupper()
    return len(items[0].split()) > 1 or len(items[1].split()) == 1 or not same


class About(NamedTuple):
    """Subject of the wanted part of a question, each "" where that is not told.

    Attributes:
        topic: A proper name or a title.
        head: The noun that names what is wanted.
        things: The last noun in the plural before what is excluded: "suppliers" of "a list of suppliers".
    """

    topic: str = ""
    head: str = ""
    things: str = ""


def on_its_own(item: str, about: About, language: CompiledLanguage) -> str:
    """Name what an excluded item leaves to its sentence: "his death" of a question about Rossini is "Rossini's death".

    A term is compared with documents alone, so a pronoun or a bare "the ..." would match any subject.

    Args:
        item: What is excluded.
        about: What the wanted part is about.
        language: Of the question.
    """
    topic, head, things = about
    if match := language.ones.search(plain(item)):
        rest = item[: match.start()].strip()
        head = head if _agree(match[0], head, language) else things
        bare = re.sub(rf"^{language.article}", "", rest, flags=re.IGNORECASE).strip()
        return f"{bare} {head}".strip() if bare else item
    first, _, rest = re.sub(rf"^{language.article}", "", item, flags=re.IGNORECASE).strip().partition(" ")
    if plain(first) in language.language.ones and rest:  # "the ones assigned to frontend"
        if _agree(plain(first), head, language):
            return f"{head} {rest}".strip()
        relative, _, clause = rest.partition(" ")
        return clause if relative in language.relatives and clause else rest
    if not topic:
        return item
    table = language.language
    pronoun = language.pronoun.match(plain(item))
    if pronoun:
        thing = item[pronoun.end() :].strip()
        owner = topic + ("'" if topic.endswith("s") and "'s" in table.owned else "")
        owned = table.owned.replace("'s", "") if owner.endswith("'") else table.owned
        return owned.format(owner=owner, thing=thing) if thing else item
    return (
        f"{item} {table.of} {topic}"
        if table.of and language.bare.match(plain(item)) and not _NAME.search(item)
        else item
    )


def _agree(ones: str, head: str, language: CompiledLanguage) -> bool:
    """Whether a head noun is of the number of what stands for it: no "ones" of "a list of suppliers"."""
    return bool(head) and (
        language.plural.fullmatch(ones) is None or language.plural.fullmatch(head.split()[-1]) is not None
    )


def last_things(text: str, language: CompiledLanguage) -> str:
    """The last noun of a text in the plural, or ""."""
    words = [word for word in WORD.findall(plain(text)) if word not in language.light_words]
    return next((word for word in reversed(words) if language.plural.fullmatch(word)), "")


def about(wanted: str, typed: str, language: CompiledLanguage) -> About:
    """The subject of a wanted part, as far as its form tells.

    Args:
        wanted: The wanted part.
        typed: The same as it was typed, whose capitals are signs of names.
        language: Of the question.
    """
    return About(_topic_of(typed, language), _head_of(wanted, language))


def _topic_of(wanted: str, language: CompiledLanguage) -> str:
    """The proper name or quoted title that a text is about, as far as its form tells; "" without one.

    The first that no preposition governs and that does not qualify a noun ("American" in "the American singer"), else
    the first that does not qualify a noun.
    """
    if not language.language.capitals_are_names or (any(map(str.isalpha, wanted)) and wanted == wanted.upper()):
        return ""
    second = ""
    for start, end in _names(wanted, language):
        name = wanted[start:end].strip('."“”„«» ')
        if not name or (language.adjective.fullmatch(name) and _noun_after(wanted, end, language)):
            continue
        owner = wanted[end : end + 2] in ("'s", "’s")
        if " " not in name and not owner and wanted[start].isalpha() and _OPENS.search(wanted, 0, start):
            continue
        before = WORD.findall(plain(wanted[max(0, start - 24) : start]))
        while before and before[-1] in language.articles:
            before.pop()
        governed = (before and before[-1] in language.prepositions) or wanted[:start].rstrip().endswith(",")
        if owner or not governed:
            return name
        second = second or name
    return second


def _noun_after(text: str, end: int, language: CompiledLanguage) -> bool:
    match = re.match(r" ([^\W\d_]+)", text[end:])
    if match is None or not match[1].islower():
        return False
    return match[1] not in language.function_words and not language.verb_form(match[1])


def _names(text: str, language: CompiledLanguage) -> list[Piece]:
    """Capitalised words and quoted titles, without the words that open a sentence."""
    titles = [Piece(start - 1, end + 1) for start, end in quotations(text)]
    quoted = {offset for title in titles for offset in range(*title)}
    found = list(titles)
    for match in language.name.finditer(text):
        start, end = match.span()
        for word in match[0].split():
            if plain(word) not in language.no_names:
                break
            start += len(word) + 1
        if start < end and start not in quoted:
            found.append(Piece(start, end))
    return sorted(found)


def _ends_noun(word: str, at: int, language: CompiledLanguage) -> bool:
    return word in language.function_words or (at > 0 and language.verb_form(word))


def _head_of(wanted: str, language: CompiledLanguage) -> str:
    """The noun that names what is wanted where its place tells: "films" of "which films made the most money"."""
    words: list[str] = WORD.findall(plain(wanted))
    for at, word in enumerate(words[:-1]):
        if word in language.question_words:
            following = [word for word in words[at + 1 : at + 3] if word not in language.language.elsewhere]
            if following and following[0] not in language.function_words and following[0] not in language.verbs:
                return following[0]
    # Without a question word, what is wanted begins with it, "side effects of metformin", or with what asks for it.
    while len(words) > 1 and (
        words[0] in language.verbs or words[0] in language.articles or words[0] in language.kinds
    ):
        words = words[1:]
    at = next((at for at, word in enumerate(words) if _ends_noun(word, at, language)), len(words))
    return words[-1] if words and at == len(words) else " ".join(words[:at]) if 0 < at <= 3 else ""

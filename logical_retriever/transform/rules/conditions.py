"""Reads conditions on metadata out of a question, where they are certain, and hands the rest to the other rules.

A phrase that says a condition ("in French", "since 1990") counts only where it is said of what is asked for: right
after a word for that ("films in French"), after another condition, or as a part of its own between commas. In "life in
Iran since 1979", and after "about", it is what the documents are to say.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from logical_retriever.query import And, Condition, LogicalQuery, Not, Or, Term
from logical_retriever.query.fields import Fields
from logical_retriever.transform.languages.conditions import CONDITION_WORDS
from logical_retriever.transform.reading import Reading
from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.condition_phrases import (
    ConditionPhrases,
    Phrase,
    skip,
    truth_of,
)
from logical_retriever.transform.rules.condition_values import Value, one_of_values, role_of
from logical_retriever.transform.rules.exclusions import exclusions
from logical_retriever.transform.rules.patterns import AFTER_WORD, BEFORE_WORD, WORD, one_of
from logical_retriever.transform.rules.read import read_by_rules
from logical_retriever.transform.rules.text import hide, normalized, plain, quotations
from logical_retriever.transform.rules.wanted import says_something, statement, wanted_text

_MODIFIERS: Final = 3
"""Most words between an article and what is asked for: "a slow black-and-white Hungarian film"."""
_PART: Final = re.compile(r"[,;:.!?()\n–—]\s*")
_SENTENCE: Final = re.compile(r"[;:.!?()\n…]\s*")
_COMPLETE: Final = r"\s*(?:$|[,;:.!?)–—\n])"


class _Said(NamedTuple):
    """A stretch of a question that says a condition.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        query: The condition.
        kept: Whether its words stay in what is wanted: "a comedy" is what is asked for.
        weak: Whether it counts only beside another condition: "horror in French", not "horror in literature".
    """

    start: int
    end: int
    query: LogicalQuery
    kept: bool = False
    weak: bool = False


class ConditionReader:
    """Reads questions of one language with their conditions on some fields.

    Args:
        fields: The fields of the collection.
        language: One of :data:`~logical_retriever.transform.languages.conditions.CONDITION_WORDS`.
    """

    def __init__(self, fields: Fields, language: CompiledLanguage) -> None:
        self._language = language
        self._phrases = ConditionPhrases(fields, CONDITION_WORDS[language.language.code], language)
        words = language.language
        self._or = re.compile(rf"\s*{one_of(words.or_words)}{AFTER_WORD}")
        self._or_before = re.compile(rf"{BEFORE_WORD}{one_of(words.or_words)}\s+$")
        self._some_or = re.compile(rf"{BEFORE_WORD}{one_of(words.or_words)}{AFTER_WORD}")
        joints = one_of((*words.and_words, *words.or_words, *words.nor_words))
        self._joint = re.compile(rf",?\s+{joints}\s+|,\s+")
        self._joined = re.compile(rf"^(?:,?\s*|,?\s+{joints}\s+)$")
        self._complete = re.compile(_COMPLETE)
        self._ends = re.compile(rf"{_COMPLETE}|\s+{one_of((*words.and_words, *words.or_words))}{AFTER_WORD}")

    def read(self, question: str) -> Reading:
        """Read a question: its conditions, and the rest by the other rules."""
        usual = read_by_rules(question, self._language)
        text = normalized(question, self._language)
        hidden = hide(plain(text), quotations(text))
        said = self._said(text, hidden)
        if not said:
            return usual
        kept, at = [], 0
        for one in said:
            if not one.kept:
                kept.append(text[at : one.start])
                at = one.end
        rest = wanted_text([*kept, text[at:]], self._language)
        conditions = tuple(dict.fromkeys(part for one in said for part in _parts(one.query)))
        named = [hidden[one.start : one.end] for one in said if one.kept]
        topic = self._topic(rest, named)
        if not self._says_more(topic, named):
            query = conditions[0] if len(conditions) == 1 else And(conditions)
            return Reading(query, (), understood=True, language=usual.language)
        apart = ", ".join(piece for part in (*kept, text[at:]) if (piece := part.strip(" ,;")))
        for left in dict.fromkeys((topic, apart)):  # what was between two parts may have told them apart
            reading = read_by_rules(left, self._language)
            if isinstance(reading.query, Or):
                return usual  # of which of the wishes?
            scored = Term(statement(left, self._language)) if reading.query is None else reading.query
            query = And((*_parts(scored), *conditions))
            if _negations(query) >= _negations(usual.query):
                return replace(reading, query=query)
        return usual

    def _said(self, text: str, hidden: str) -> list[_Said]:
        """The stretches that say conditions, in order, none inside another."""
        found: list[_Said] = []
        at = 0
        while (word := WORD.search(hidden, at)) is not None:
            at = word.start()
            one = self._excluded(text, hidden, at, found) or self._wanted(text, hidden, at, found)
            if one is not None:
                found.append(one)
            at = max(word.end(), one.end if one else 0)
        # What another rule leaves out, it leaves out whole: "no comedies by Lubitsch about war".
        negated = [one for one in found if _negative(one)]
        outs = [one.out for one in exclusions(text, self._language)]
        outs = [out for out in outs if not any(one.start < out.end and out.start < one.end for one in negated)]
        inside = [one for one in found if any(out.start < one.end and one.start < out.end for out in outs)]
        sure = [one for one in found if one not in inside]
        return sure if any(not one.weak for one in sure) else []

    def _excluded(self, text: str, hidden: str, start: int, found: list[_Said]) -> _Said | None:
        """Conditions that are negated, complete in their part of the question: "not in English", "no westerns"."""
        at = self._phrases.word("without", hidden, start)
        if at == start or not self._own_part(hidden, start, found) or self._or_before.search(hidden[:start]):
            return None
        items: list[LogicalQuery] = []
        end = at
        while True:
            item = self._item(text, hidden, at)
            if item is None or not self._complete_at(text, hidden, item.end):
                break
            items.append(item.query)
            end = item.end
            joint = self._joint.match(hidden, end)
            if joint is None:
                break
            at = joint.end()
        if not items:
            return None
        leads = self._language.leads.search(hidden[:start])
        negated = tuple(Not(item) for item in items)
        return _Said(
            leads.start() if leads else start, end, negated[0] if len(negated) == 1 else And(negated), kept=False
        )

    def _item(self, text: str, hidden: str, at: int) -> Phrase | None:
        """One thing that is excluded by its metadata."""
        phrases = self._phrases
        begun = phrases.word("those", hidden, at)
        # "Nothing by Lynch in French" excludes what is both; "not by Lynch in French" asks for the second.
        several = begun > at or self._phrases.thing_before(hidden[:at])
        chain: list[LogicalQuery] = []
        end = begun
        while (phrase := phrases.at(hidden, text, skip(hidden, end) if chain else end)) is not None:
            chain.append(phrase.query)
            end = phrase.end
            if not several:
                break
        if chain:
            return Phrase(end, chain[0] if len(chain) == 1 else And(tuple(p for one in chain for p in _parts(one))))
        named = phrases.truth_at(hidden, begun)
        if named is not None:
            return Phrase(phrases.thing_end(hidden, named[0]), truth_of(named[1]))
        value, end = phrases.value_at(hidden, text, begun, self._of_things)
        if value is not None:
            after = phrases.thing_end(hidden, end)
            article = hidden[at:begun].strip() != ""
            if value.plural or after > end or article:
                return Phrase(after, one_of_values([value]))
        value, end = phrases.demonym_at(hidden, text, begun)
        if value is not None:
            after = phrases.thing_end(hidden, end)
            if after > end or (
                not phrases.named_otherwise(hidden, begun, end) and self._demonym_ends(hidden, text, end)
            ):
                return Phrase(after, one_of_values([value]))
        value, end = phrases.value_at(hidden, text, begun, lambda one: role_of(one.field) == "maker")
        # A word in small letters, or after an article, may be no name: "no lean meat", "not the wilder parts".
        if value is not None and (
            (value.form == "own" and " " in str(value.value).strip())
            or (begun == at and text[begun:end].split()[-1][0].isupper() and not text.istitle())
        ):
            return Phrase(end, one_of_values([value]))
        return None

    def _wanted(self, text: str, hidden: str, at: int, found: list[_Said]) -> _Said | None:
        """A condition that what is asked for fulfils."""
        head = self._head(text, hidden, at, found)
        if head is not None:
            return head
        phrase = self._phrases.at(hidden, text, at)
        if phrase is None or self._or.match(hidden, phrase.end) or self._or_before.search(hidden[:at]):
            return None
        if not self._bounded(hidden, text, phrase.end):
            return None
        joined = bool(found) and self._joined.match(hidden[found[-1].end : at]) is not None
        part = self._part(hidden, at)
        alone = not self._language.leads.sub("", hidden[part:at]).strip()
        after_thing = self._phrases.thing_before(hidden[:at])
        told = self._phrases.tells(hidden[part:at])
        said_of_it = after_thing and not told
        measured = phrase.measured and not told and self._opens(hidden[part:at])
        own = alone and self._ends.match(hidden, phrase.end) is not None
        own = own and (at > 0 or hidden[phrase.end :].strip(" .?!") != "")
        if joined or said_of_it or measured or own:
            topic = _PART.match(hidden, phrase.end)
            opens_topic = topic is not None and self._phrases.says_about(hidden, topic.end())
            return _Said(at, phrase.end, phrase.query, weak=own and not (joined or measured or opens_topic))
        return None

    def _head(self, text: str, hidden: str, at: int, found: list[_Said]) -> _Said | None:
        """The thing that is asked for, by a value of its own: "a comedy", "war films", "animated films"."""
        phrases = self._phrases
        part = max((mark.end() for mark in _SENTENCE.finditer(hidden, 0, at)), default=0)
        begin = max([part, *(one.end for one in found)])
        if not self._opens(hidden[begin:at]) or (begin > part and not self._head_goes_on(hidden, found, begin)):
            return None
        joined = phrases.language_at(hidden, text, at)
        if joined is not None:
            return _Said(at, joined.end + (hidden[joined.end : joined.end + 1] == " "), joined.query)
        named = phrases.truth_at(hidden, at)
        if named is not None and phrases.thing_end(hidden, named[0]) > named[0]:
            return _Said(at, named[0] + 1, truth_of(named[1]))
        country, end = phrases.demonym_at(hidden, text, at)
        if country is not None and not self._or_before.search(hidden[:at]) and self._qualifies(hidden, text, end):
            return _Said(at, end + 1, one_of_values([country]))
        value, end = phrases.value_at(hidden, text, at, self._of_things)
        if value is None or self._or.match(hidden, end) or self._or_before.search(hidden[:at]):
            return None
        if hidden[at:end] in phrases.events and phrases.demonym_ends(hidden, at):
            return None
        query = one_of_values([value])
        if phrases.thing_end(hidden, end) > end:
            return _Said(at, end + 1, query)
        kind, _ = phrases.value_at(hidden, text, end + 1, self._of_things)
        if kind is not None and kind.field is not value.field and self._qualifies(hidden, text, end):
            return _Said(at, end + 1, query)  # "red shoes"
        about = phrases.says_about(hidden, end + 1)
        complete = self._complete.match(hidden, end) is not None
        if not (about or complete or self._bounded(hidden, text, end)):
            return None
        article = any(word in self._language.articles for word in WORD.findall(hidden[part:at]))
        several = value.plural or any(word in self._language.kinds for word in WORD.findall(hidden[part:at]))
        return _Said(at, end, query, kept=True, weak=not (several or (article and (about or complete))))

    def _qualifies(self, hidden: str, text: str, end: int) -> bool:
        """Whether what is asked for follows what says where it is from: "Iranian films", "American comedies"."""
        after = self._phrases.thing_end(hidden, end)
        if after == end and hidden[end : end + 1] == " ":
            value, named = self._phrases.value_at(hidden, text, end + 1, self._of_things)
            # Wars have such names, and are what a film is about.
            after = end if value is None or hidden[end + 1 : named] in self._phrases.events else named
        # "An American film and television actress"
        return after > end and self._joint.match(hidden, after) is None and self._bounded(hidden, text, after)

    def _demonym_ends(self, hidden: str, text: str, end: int) -> bool:
        """Whether nothing follows that a demonym may belong to: "not American", no "British and American writers"."""
        joint = self._joint.match(hidden, end)
        if joint is None:
            return True
        value, after = self._phrases.demonym_at(hidden, text, joint.end())
        if value is not None:
            return self._demonym_ends(hidden, text, after) and self._ends.match(hidden, after) is not None
        if self._phrases.word("without", hidden, joint.end()) > joint.end():
            return True
        stop = _SENTENCE.search(hidden, joint.end())
        return hidden[end] == "," and self._some_or.search(hidden, end, stop.start() if stop else len(hidden)) is None

    def _head_goes_on(self, hidden: str, found: list[_Said], begin: int) -> bool:
        """Whether what stands before is a part of the same noun phrase: "a French-language | drama"."""
        return bool(found) and found[-1].end == begin and not _negative(found[-1]) and hidden[begin - 1 : begin] == " "

    def _opens(self, before: str) -> bool:
        """Whether a text may stand between the beginning of a part and what is asked for."""
        language = self._language
        if any(word in language.maybe for word in WORD.findall(before)):
            return False
        courtesy = language.first_lead.match(before)
        before = before[courtesy.end() :] if courtesy else before
        for opening in (language.requests.match(before), language.things.match(before.lstrip())):
            if opening is not None and opening.end():
                before = before[opening.end() :]
                break
        words = WORD.findall(before)
        if words and words[0] in language.question_words:
            if _asks_of(words, language) or any(language.participle(word) for word in words):
                return False
            words = words[1 + (words[1:2] != [] and words[1] in language.copulas) :]
        known = language.articles | language.kinds
        others = [word for word in words if word not in known]
        return len(others) <= _MODIFIERS and not any(
            word in language.function_words or word in language.verbs or language.signs.fullmatch(word)
            for word in others
        )

    def _of_things(self, value: Value) -> bool:
        """Whether a value alone may say what a thing is: a genre; a language only where no field is a nation."""
        role = role_of(value.field)
        if value.form == "demonym":
            return False
        return role != "maker" and (role != "language" or not self._phrases.fields["origin"])

    def _bounded(self, hidden: str, text: str, end: int) -> bool:
        """Whether no noun follows, of which the phrase would be a part: "in French schools"."""
        if self._complete.match(hidden, end):
            return True
        word = WORD.match(hidden, end + 1)
        if word is None:
            return True
        known = word[0] in self._language.function_words or word[0] in self._language.relatives
        return known or self._phrases.at(hidden, text, end + 1) is not None or self._phrases.opens(hidden, end + 1)

    def _complete_at(self, text: str, hidden: str, end: int) -> bool:
        """Whether an excluded item ends here: with its part of the question, at "and", or before another condition."""
        return bool(self._ends.match(hidden, end)) or self._phrases.at(hidden, text, skip(hidden, end)) is not None

    def _own_part(self, hidden: str, start: int, found: list[_Said]) -> bool:
        """Whether a negation stands where a part of the question begins, or after what is asked for."""
        before = hidden[:start]
        part = self._part(hidden, start)
        sentence = max((mark.end() for mark in _SENTENCE.finditer(hidden, 0, start)), default=0)
        if _asks_of(WORD.findall(hidden[sentence:start]), self._language):
            return False
        if not self._language.leads.sub("", before[part:]).strip():
            return True
        if self._language.leads.search(before) or self._phrases.thing_before(before):
            return True
        return bool(found) and not before[found[-1].end :].strip()

    def _part(self, hidden: str, at: int) -> int:
        """Where the part of the question begins that holds a place."""
        return max((mark.end() for mark in _PART.finditer(hidden, 0, at)), default=0)

    def _topic(self, rest: str, named: list[str]) -> str:
        """The topic without the thing that it is to be found in: "a comedy about thieves"."""
        begun = self._phrases.before_topic(plain(rest), named)
        return wanted_text([rest[begun:]], self._language) if begun else rest

    def _says_more(self, topic: str, named: list[str]) -> bool:
        """Whether more is left than words for what is asked for; a negation always is more."""
        left = self._phrases.without_things(plain(statement(topic, self._language)), named)
        if self._language.signs.search(left):
            return True
        words = [word for word in WORD.findall(left) if word not in self._language.kinds]
        return says_something(" ".join(words), self._language) if words else False


def _asks_of(words: list[str], language: CompiledLanguage) -> bool:
    """Whether a sentence asks something of what it names, and not for it: "why is the film", "what is a western"."""
    if len(words) < 2 or words[0] not in language.question_words or words[0] in language.choosing:
        return False
    return words[1] in language.auxiliaries and not any(word in language.kinds for word in words)


def _negations(query: LogicalQuery | None) -> int:
    """How many things a query excludes, each value of a list among them."""
    nots = [] if query is None else [node for node in query.walk() if isinstance(node, Not)]
    return sum(_values(node.operand) for node in nots)


def _values(query: LogicalQuery) -> int:
    return len(query.value) if isinstance(query, Condition) and isinstance(query.value, tuple) else 1


def _negative(one: _Said) -> bool:
    return all(isinstance(part, Not) for part in _parts(one.query))


def _parts(query: LogicalQuery) -> tuple[LogicalQuery, ...]:
    return query.operands if isinstance(query, And) else (query,)

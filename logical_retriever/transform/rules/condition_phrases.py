"""Phrases of a question that say something of metadata: a value of a field, a time, a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields as fields_of
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple

from logical_retriever.query import And, Field, LogicalQuery
from logical_retriever.query.fields import FieldInfo, Fields
from logical_retriever.transform.languages.conditions import ConditionWords
from logical_retriever.transform.languages.demonyms import DEMONYMS, DIVIDING, EVENTS, EVERYDAY
from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.condition_values import (
    ROLES,
    Value,
    name_of,
    names_of_values,
    one_of_values,
    role_of,
)
from logical_retriever.transform.rules.patterns import AFTER_WORD, BEFORE_WORD, WORD, one_of, phrases_expression

_YEAR: Final = re.compile(r"(?:1[0-9]|20)\d\d(?![\d']|[.,]\d|\w)")
_NUMBER: Final = re.compile(r"(\d{1,9}(?:\.\d{1,2}|,\d{1,2})?)(?![\d.,]*\d)\+?")
_PER: Final = {("minutes", "hours"): 60.0, ("hours", "minutes"): 1 / 60}
_NO_PATTERNS: Final = ("decade", "decades", "between", "numbers", "units", "plurals", "participles", "capitals")
_ORDERED: Final = ("integer", "number")


class Phrase(NamedTuple):
    """A phrase that says a condition.

    Attributes:
        end: Where it ends.
        query: The condition, or several joined by AND.
        measured: Whether it names its field, or the field's unit.
    """

    end: int
    query: LogicalQuery
    measured: bool = False


class ConditionPhrases:
    """The phrases of one language that say conditions on some fields.

    Texts are plain ones, see :func:`~logical_retriever.transform.rules.text.plain`, beside the same text as written.

    Args:
        fields: The fields of the collection.
        said: The words of the language for conditions.
        language: All others.
    """

    def __init__(self, fields: Fields, said: ConditionWords, language: CompiledLanguage) -> None:
        self.said, self.language = said, language
        code = language.language.code
        self.values = names_of_values(fields, said.plurals, code)
        self._everyday, self._dividing = EVERYDAY.get(code, ()), DIVIDING.get(code, frozenset())
        self.events = EVENTS.get(code, frozenset())
        self._demonyms = {word for name in DEMONYMS.get(code, {}) for word in name.split()}
        self._value = re.compile(one_of(tuple(self.values)) + AFTER_WORD) if self.values else re.compile(r"(?!)")
        joints = one_of((*language.language.or_words, *language.language.nor_words, *language.language.and_words))
        self._joint = re.compile(rf",?\s+{joints}\s+|,\s+")
        self.fields = {role: [one for one in fields.values() if role_of(one) == role] for role in ROLES}
        self.booleans = {name_of(one): one for one in fields.values() if one.type == "boolean"}
        own = {name_of(one): one for one in fields.values() if one.type != "boolean"}
        ordered = [info for info in fields.values() if info.type in _ORDERED]
        named = [(name_of(one), one, *ends) for one in ordered for ends in said.participles]
        verbs = {name.removesuffix(end) + verb: one for name, one, end, verb in named if name.endswith(end)}
        self.named = {**verbs, **own}
        self._name = re.compile(one_of(tuple(self.named)) + AFTER_WORD) if self.named else re.compile(r"(?!)")
        patterns = {one.name: getattr(said, one.name) for one in fields_of(said) if one.name not in _NO_PATTERNS}
        self._said = {name: self._words(each) for name, each in patterns.items()}
        self._during = {word for phrase in said.during for word in re.findall(r"\w+", phrase)}
        self._between = [(self._words((left,)), self._words((right,))) for left, right in said.between]
        digits = said.decade.replace("{d}", r"(?P<d>(?:1[0-9]|20)?\d0)")
        self._decade = re.compile(digits.replace("{w}", rf"(?P<w>{one_of(said.decades)})") + r"(?![\w'])")
        self._truth = re.compile(one_of(tuple(self.booleans)) + AFTER_WORD) if self.booleans else re.compile(r"(?!)")
        self._things = phrases_expression(said.things, {})
        self._thing_last = re.compile(rf"{BEFORE_WORD}{self._things}\s+$")
        self._small = one_of((*language.language.articles, *language.language.kinds))
        about = phrases_expression(said.about, {})
        inside = phrases_expression(said.inside, {})
        self._telling = re.compile(rf"{BEFORE_WORD}(?:{about}|{inside}){AFTER_WORD}")
        self._said_number = re.compile(one_of(said.numbers) + AFTER_WORD)
        self._units = [(info, unit) for info in ordered for unit in self._units_of(info)]

    def at(self, text: str, written: str, start: int) -> Phrase | None:
        """The phrase that begins here, as far as it goes, or None."""
        for reader in (self._by_name, self._of_number):
            found = reader(text, written, start)
            if found is not None:
                return found._replace(measured=True)
        return self._by_word_before(text, written, start) or self._of_time(text, start)

    def thing_end(self, text: str, at: int) -> int:
        """Where a word for what collections hold ends, if one follows; else ``at``."""
        match = self._said["things"].match(text, skip(text, at))
        return at if match is None else len(text[: match.end()].rstrip())

    def thing_before(self, text: str) -> bool:
        """Whether a text ends with a word for what collections hold."""
        return self._thing_last.search(text) is not None

    def truth_at(self, text: str, at: int) -> tuple[int, FieldInfo] | None:
        """A field that is true or false, by its name, and where that ends."""
        match = self._truth.match(text, at)
        return None if match is None else (match.end(), self.booleans[match[0]])

    def opens(self, text: str, at: int) -> bool:
        """Whether a word stands here after which meaning is said, or a condition negated."""
        return any(self._said[name].match(text, at) for name in ("about", "inside", "without"))

    def says_about(self, text: str, at: int) -> bool:
        """Whether a word stands here after which a topic is named."""
        return self._said["about"].match(text, at) is not None

    def tells(self, text: str) -> bool:
        """Whether a text has such a word."""
        return self._telling.search(text) is not None

    def before_topic(self, text: str, named: Sequence[str]) -> int:
        """Where the topic begins after "a comedy about"; 0 where it does not begin so.

        Args:
            text: What is wanted.
            named: Values in it that say what is asked for.
        """
        thing = rf"(?:{self._small}\s+)*{self._asked_for(named)}\s+"
        match = re.match(rf"(?:{thing})?{self._said['about'].pattern}", text)
        return 0 if match is None else match.end()

    def without_things(self, text: str, named: Sequence[str]) -> str:
        """A text without words for what is asked for, those of ``named`` among them."""
        return re.sub(BEFORE_WORD + self._asked_for(named) + AFTER_WORD, " ", text)

    def _asked_for(self, named: Sequence[str]) -> str:
        return rf"(?:{self._things}|{one_of(tuple(named))})" if named else self._things

    def word(self, name: str, text: str, at: int) -> int:
        """Where words of the language that stand here end, white space included; ``at`` where there are none."""
        match = self._said[name].match(text, at)
        return at if match is None else match.end()

    def values_at(
        self, text: str, written: str, at: int, allowed: Callable[[Value], bool] = lambda _: True
    ) -> tuple[int, list[Value]]:
        """The values that stand here, a list of them taken together: all of one field, which is certain."""
        found: list[Value] = []
        end = at
        while True:
            value, after = self.value_at(text, written, at, allowed)
            if value is None or (found and value.field is not found[0].field):
                return end, found
            found.append(value)
            end = after
            joint = self._joint.match(text, end)
            if joint is None:
                return end, found
            at = joint.end()

    def value_at(
        self, text: str, written: str, at: int, allowed: Callable[[Value], bool] = lambda _: True
    ) -> tuple[Value | None, int]:
        """The one value that the words here name, and where they end."""
        match = self._value.match(text, at)
        if match is None:
            return None, at
        shouting = written.islower()
        known = [value for value in self.values[match[0]] if allowed(value)]
        capital = self.said.capitals and not shouting
        # "Nothing by del Toro": the last word of a surname is its name.
        letter = max(at, match[0].rfind(" ") + 1 + at)
        known = [
            one
            for one in known
            if not (capital and str(one.value)[:1].isupper())
            or written[letter if one.form == "surname" else at].isupper()
        ]
        return (known[0], match.end()) if len(known) == 1 else (None, at)

    def demonym_at(self, text: str, written: str, at: int) -> tuple[Value | None, int]:
        """A word for what is from a country, where one field alone is of countries: "Iranian", not "Iranian-born"."""
        value, end = self.value_at(text, written, at, lambda one: one.form == "demonym")
        other = text[at - 1 : at] in ("-", "–") or text[end : end + 1] in ("-", "–")
        other = other or self._word_before(text, at) in self._dividing | self._demonyms
        everyday = text[at:end] in self._everyday and written[at].islower()
        return (None, at) if value is None or other or everyday else (value, end)

    def demonym_ends(self, text: str, at: int) -> bool:
        """Whether one stands before a place."""
        return self._word_before(text, at) in self._demonyms

    @staticmethod
    def _word_before(text: str, at: int) -> str:
        """The word directly before a place; "" after a comma."""
        before = text[max(0, at - 40) : at]
        words = WORD.findall(before) if before.endswith(" ") else []
        return words[-1] if words and before[:-1].endswith(words[-1]) else ""

    def named_otherwise(self, text: str, start: int, end: int) -> bool:
        """Whether a value of another field has the same name: "French" of languages as well."""
        return len(self.values[text[start:end]]) > 1

    def _by_name(self, text: str, written: str, start: int) -> Phrase | None:
        """The field's own name and a value, or a comparison: "language French", "a rating over 8"."""
        at = self.word("has", text, start)
        match = self._name.match(text, at)
        if match is None:
            return None
        info = self.named[match[0]]
        at = self.word("equals", text, skip(text, match.end()))
        if info.type in _ORDERED:
            return self._compared(info, text, at)
        end, values = self.values_at(text, written, at, partial(_is_of, info))
        return Phrase(end, one_of_values(values)) if values else None

    def _by_word_before(self, text: str, written: str, start: int) -> Phrase | None:
        """A value after the word that belongs to its field: "by Agnès Varda", "by Varda", "in French", "from Iran"."""
        for name, role in (("by", "maker"), ("spoken", "language"), ("origin", "origin"), ("origin", "maker")):
            at = self.word(name, text, start)
            if at > start and len(self.fields[role]) == 1:
                info = self.fields[role][0]
                whose = _made_by if role == "maker" else _is_of
                end, values = self.values_at(text, written, at, partial(whose, info))
                if values:
                    return Phrase(end, one_of_values(values))
        return None

    def language_at(self, text: str, written: str, start: int) -> Phrase | None:
        """A language's name before the word for languages: "French-language"."""
        if len(self.fields["language"]) != 1:
            return None
        info = self.fields["language"][0]
        end, values = self.values_at(text, written, start, partial(_is_of, info))
        after = self.word("language", text, end + (text[end : end + 1] in ("-", " "))) if values else end
        return Phrase(after - (text[after - 1] == " "), one_of_values(values)) if after > end + 1 else None

    def _of_time(self, text: str, start: int) -> Phrase | None:
        """A time after a word that says which: "since 1990", "from the nineties"."""
        if len(self.fields["time"]) != 1:
            return None
        info = self.fields["time"][0]
        for at in sorted({start, self.word("said_of_time", text, start)}, reverse=True):
            both = self._two(text, at, self._year)
            if both is not None:
                return Phrase(both[0], _in_time(info, "during", both[1], both[2] + 1))
            for name in ("after", "before", "until", "since", "during"):
                said = self.word(name, text, at)
                found = self._when(text, said) if said > at else None
                if found is None:
                    continue
                end, first, last, decade = found
                if name == "since" and text[at:said].strip() in self._during:
                    continue  # "from 1994" is that year, "from 1994 on" is not read
                if name == "during":
                    joint = self._joint.match(text, end)
                    more = self._when(text, joint.end()) if joint and decade else None
                    if more is not None and more[3] and more[1] == last:
                        end, last = more[0], more[2]
                return Phrase(end, _in_time(info, name, first, last))
        return None

    def _when(self, text: str, at: int) -> tuple[int, int, int, bool] | None:
        """A year or a decade: where it ends, its first year, the first after it, whether it is a decade."""
        match = self._decade.match(text, at)
        if match is not None:
            if match["w"]:
                year = 1920 + 10 * self.said.decades.index(match["w"])
            else:
                year = int(match["d"])
                if year < 100:
                    if year < 30:  # of which century?
                        return None
                    year += 1900
            return match.end(), year, year + 10, True
        year_at = self._year(text, at)
        return None if year_at is None else (year_at[0], int(year_at[1]), int(year_at[1]) + 1, False)

    def _year(self, text: str, at: int) -> tuple[int, int] | None:
        match = _YEAR.match(text, at)
        return None if match is None else (match.end(), int(match[0]))

    def _of_number(self, text: str, written: str, start: int) -> Phrase | None:  # noqa: ARG002 - as the other
        """A comparison with a field's unit: "under 90 minutes"."""
        at = self.word("said_of_number", text, start)
        for operator, begun in self._comparisons(text, at):
            found = self._number(text, begun)
            unit = None if found is None else self._unit(text, skip(text, found[0]))
            if found is not None and unit is not None:
                end, info, factor = unit
                after = self.word("long", text, skip(text, end))
                end = after if after > skip(text, end) else end
                return Phrase(len(text[:end].rstrip()), _ordered(info, operator, found[1] * factor))
        return None

    def _compared(self, info: FieldInfo, text: str, at: int) -> Phrase | None:
        """A comparison after the name of its field."""
        for operator, begun in self._comparisons(text, at):
            found = self._number(text, begun)
            if found is not None:
                return Phrase(found[0], _ordered(info, operator, found[1]))
        both = self._two(text, at, self._number)
        return both and Phrase(both[0], And((_ordered(info, ">=", both[1]), _ordered(info, "<=", both[2]))))

    def _comparisons(self, text: str, at: int) -> Iterable[tuple[str, int]]:
        for name, operator in (("least", ">="), ("most", "<="), ("more", ">"), ("less", "<")):
            end = self.word(name, text, at)
            if end > at:
                yield operator, end

    def _number(self, text: str, at: int) -> tuple[int, float] | None:
        match = _NUMBER.match(text, at)
        if match is not None:
            return match.end(), float(match[1].replace(",", "."))
        word = self._said_number.match(text, at)
        return None if word is None else (word.end(), float(self.said.numbers.index(word[0])))

    def _two(self, text: str, at: int, read: Callable[[str, int], Any]) -> tuple[int, Any, Any] | None:
        """Two values, "between 1950 and 1960"."""
        for left, right in self._between:
            opened = left.match(text, at)
            first = read(text, opened.end()) if opened else None
            joint = right.match(text, skip(text, first[0])) if first else None
            second = read(text, joint.end()) if joint else None
            if first and second and first[1] <= second[1]:
                return second[0], first[1], second[1]
        return None

    def _unit(self, text: str, at: int) -> tuple[int, FieldInfo, float] | None:
        """The unit that is named here, if one field alone is in it."""
        found = []
        for info, unit in self._units:
            others = [(said, self.said.units[said]) for own, said in _PER if own == unit and said in self.said.units]
            for said, names in ((unit, self.said.units.get(unit, (unit,))), *others):
                match = re.compile(one_of(names) + AFTER_WORD).match(text, at)
                if match is not None:
                    found.append((match.end(), info, _PER.get((unit, said), 1.0)))
        return found[0] if len(found) == 1 else None

    def _units_of(self, info: FieldInfo) -> list[str]:
        words = [*name_of(info).split(), *re.findall(r"\bin ([a-z]+)", info.description.lower())]
        known = [unit for unit, names in self.said.units.items() if any(w == unit or w in names for w in words)]
        return known or ([name_of(info)] if role_of(info) != "time" else [])

    def _words(self, patterns: Sequence[str]) -> re.Pattern[str]:
        return re.compile(phrases_expression(patterns, {}) + AFTER_WORD + r"\s*")


def _is_of(info: FieldInfo, value: Value) -> bool:
    return value.field is info and value.form in ("own", "several")


def _made_by(info: FieldInfo, value: Value) -> bool:
    return value.field is info and value.form in ("own", "surname")


def truth_of(info: FieldInfo) -> LogicalQuery:
    """The condition that a field is true."""
    return Field(info.name) == True  # noqa: E712 - an operator of the language of queries


def _ordered(info: FieldInfo, operator: str, number: float) -> LogicalQuery:
    field, value = Field(info.name), int(number) if number == int(number) else number
    made = {">": field > value, ">=": field >= value, "<": field < value, "<=": field <= value}
    return made[operator]


def _in_time(info: FieldInfo, name: str, first: int, last: int) -> LogicalQuery:
    """The times that stand so to those from the beginning of one year to that of another."""
    field = Field(info.name)
    start, end = (date(first, 1, 1), date(last, 1, 1)) if info.type != "integer" else (first, last)
    if name == "during":
        return (field == first) if end == first + 1 else And((field >= start, field < end))
    made = {"since": field >= start, "after": field >= end, "before": field < start, "until": field < end}
    return made[name]


def skip(text: str, at: int) -> int:
    """The place after a space, if one stands here."""
    return at + (text[at : at + 1] == " ")

"""A language as the engine reads it: its cues by their first words, its phrases as regular expressions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from logical_retriever.transform.languages.table import Language
from logical_retriever.transform.rules.compiled_cue import CompiledCue
from logical_retriever.transform.rules.patterns import AFTER_WORD, BEFORE_WORD, fold, one_of, phrases_expression

_SHORTEST_TYPO: Final = 5


def _folded(language: Language) -> Language:
    """The language without accents, as :func:`~logical_retriever.transform.rules.text.plain` makes texts."""
    changed: dict[str, Any] = {}
    for part in fields(language):
        value = getattr(language, part.name)
        if isinstance(value, str):
            changed[part.name] = fold(value)
        elif isinstance(value, tuple) and part.name != "cues":  # Cues are patterns, which are read without accents.
            changed[part.name] = tuple(fold(word) for word in value)
    return replace(language, **changed)


class CompiledLanguage:
    """A language, ready to be looked up word by word."""

    def __init__(self, language: Language) -> None:
        self.language = language = _folded(language)
        self._by_word: dict[str, list[CompiledCue]] = {}
        for cue in (CompiledCue(row, language) for row in language.cues):
            for key in cue.keys:
                self._by_word.setdefault(key, []).append(cue)
        self._stems = sorted({len(key) - 1 for key in self._by_word if key.endswith("*")})
        self.auxiliaries = frozenset(language.auxiliaries)
        self.verbs = frozenset(language.verbs) | self.auxiliaries
        self.question_words = frozenset(language.question_words)
        self.choosing = frozenset(language.choosing)
        self.relatives = frozenset(language.relatives)
        self.subjects = frozenset(language.subjects)
        self.prepositions = frozenset(language.prepositions)
        self.articles = frozenset(language.articles)
        self.resumes = frozenset(language.resumes)
        self.states = frozenset(language.states)
        self.joins = frozenset(language.and_words + language.or_words + language.nor_words)
        self.function_words = frozenset(
            self.auxiliaries | self.question_words | self.relatives | self.subjects | self.prepositions | self.articles
            | self.resumes | self.joins | frozenset(language.leads) | frozenset(language.elsewhere)
        )  # fmt: skip

        self.particles = frozenset(language.particles)
        self.inner_prepositions = frozenset(language.inner_prepositions)
        self.empty_subjects = frozenset(language.empty_subjects)
        self.copulas = frozenset(language.copulas)
        self.leads_words = frozenset(word for lead in language.leads for word in lead.split())
        self.demonstratives = frozenset(language.empty) & self.articles - frozenset(language.pronouns)
        self.maybe = frozenset(language.maybe)
        self.light_words = self.function_words | self.leads_words
        self.elsewhere = frozenset(language.elsewhere)
        # An article makes a short term less like what it names.
        self.article_before = re.compile(rf"^{language.article_before}(?=\S)")
        self.own = frozenset(language.own)
        self.objects = frozenset(language.objects)
        self.kinds = frozenset(language.kinds)
        self.plural = re.compile(language.plural_ending)
        self.clause_words = self.question_words | self.relatives | self.subjects | self.auxiliaries
        self.pronoun_words = frozenset(language.pronouns)
        self.empty = frozenset(language.empty)
        self.and_words = frozenset(language.and_words)
        self.or_words = frozenset(language.or_words + language.nor_words)
        self.resuming = self.question_words | self.joins | frozenset(language.leads) | frozenset(language.resumes)
        self.no_names = frozenset(language.opens_sentence + language.no_names) | self.function_words
        self.article = rf"{one_of(language.articles)}\s+" if language.articles else r"(?!)"
        self._verb = re.compile(language.verb_ending)
        self._participle = re.compile(language.participle_ending)

    def verb_form(self, word: str) -> bool:
        """Whether a word's ending says that it is a finite verb."""
        return self._verb.fullmatch(word) is not None

    def participle(self, word: str) -> bool:
        """Whether a word's ending says that it may be a participle."""
        return self._participle.fullmatch(word) is not None

    def only_courtesies(self, text: str) -> bool:
        """Whether a text is courtesies and nothing else."""
        return self._courtesies_alone.fullmatch(text) is not None

    @cached_property
    def _courtesies_alone(self) -> re.Pattern[str]:
        said = phrases_expression(self.language.courtesies, self.language.lists)
        return re.compile(rf"(?:[\s,.!;:-]*{said}(?![\w']))+[\s,.!;:?-]*")

    @cached_property
    def first_lead(self) -> re.Pattern[str]:
        """Words that only connect, at the beginning of a clause."""
        said = phrases_expression((*self.language.leads, *self.language.courtesies), self.language.lists)
        return re.compile(rf"(?:[\s,;:–—•-]*{said}{AFTER_WORD})*[\s,;:–—•-]*")

    @cached_property
    def first_courtesy(self) -> re.Pattern[str]:
        """Courtesies at the beginning of a text."""
        said = phrases_expression(self.language.courtesies, self.language.lists)
        return re.compile(rf"(?:{said}(?:[\s,.!;:–—-]+|$))+")

    @cached_property
    def only(self) -> re.Pattern[str]:
        """Phrases that ask for what they name alone."""
        return re.compile(rf"\W*{phrases_expression(self.language.only, self.language.lists)}{AFTER_WORD}")

    @cached_property
    def refers_back(self) -> re.Pattern[str]:
        """Phrases that mean nothing without what stood before them."""
        return self._anywhere(self.language.refers_back)

    @cached_property
    def things(self) -> re.Pattern[str]:
        """Phrases that ask for things of a kind, to choose from."""
        return self._anywhere(self.language.things)

    @cached_property
    def choices(self) -> re.Pattern[str]:
        """Phrases that ask for several of what they name: "cake ideas", not "any ideas"."""
        helps = one_of(self.language.kinds) if self.language.kinds else "(?!)"
        return re.compile(
            rf"{BEFORE_WORD}(?!{helps} ){phrases_expression(self.language.choices, self.language.lists)}{AFTER_WORD}"
        )

    @cached_property
    def approving(self) -> re.Pattern[str]:
        """Words by which a statement says what is welcome."""
        return self._anywhere(self.language.approving)

    @cached_property
    def between(self) -> re.Pattern[str]:
        """The joint between two items of a list."""
        joins = (*self.language.and_words, *self.language.or_words, *self.language.nor_words)
        return re.compile(rf",?\s+{one_of(joins)}{AFTER_WORD}\s*|(?<!\d),\s*|,\s+" if joins else r"(?<!\d),\s*|,\s+")

    @cached_property
    def pairs(self) -> re.Pattern[str]:
        """Fixed pairs, which are one item."""
        return self._anywhere(self.language.pairs)

    @cached_property
    def no_item(self) -> re.Pattern[str]:
        """The beginning of an apposition, a relative clause or a date after a comma: no new item."""
        relatives = one_of(self.language.relatives) if self.language.relatives else "(?!)"
        return re.compile(rf"(?:{relatives}|{self.language.participle_ending}|\d+){AFTER_WORD}")

    @cached_property
    def pronoun(self) -> re.Pattern[str]:
        """A possessive pronoun."""
        return re.compile(one_of(self.language.pronouns) + AFTER_WORD if self.language.pronouns else "(?!)")

    @cached_property
    def bare(self) -> re.Pattern[str]:
        """A definite noun phrase that does not say of what: "the ending"."""
        return re.compile(self.language.bare)

    @cached_property
    def adjective(self) -> re.Pattern[str]:
        """A capitalised word that rather qualifies a noun than names a topic."""
        return re.compile(self.language.adjective_ending)

    @cached_property
    def name(self) -> re.Pattern[str]:
        """Capitalised words in a row, with the small words that names have inside."""
        capital = r"[^\W\d_a-zß-öø-ÿ][\w-]*(?:['’][^\W\d_a-zß-öø-ÿ][\w-]*)?"
        inner = rf"(?: {one_of(self.language.particles)}){{0,2}}" if self.language.particles else ""
        return re.compile(rf"(?<![\w'’]){capital}(?:\.?{inner} [^\W_a-zß-öø-ÿ][\w-]*)*")

    @cached_property
    def wishes(self) -> re.Pattern[str]:
        """Phrases that make a clause a wish of its own."""
        return self._anywhere(self.language.wishes)

    def cues_at(self, word: str) -> list[CompiledCue]:
        """The cues that can begin with a word."""
        found = list(self._by_word.get(word, ()))
        for length in self._stems:
            found += self._by_word.get(word[:length] + "*", ())
        if "'" in word and not word.endswith("'"):
            found += self._by_word.get(word[: word.index("'") + 1], ())
        return found

    @cached_property
    def shields(self) -> re.Pattern[str]:
        """Phrases that look like a cue and are none."""
        return self._anywhere(self.language.shields)

    @cached_property
    def facts(self) -> re.Pattern[str]:
        """Phrases that explain a sign which no cue has read."""
        return self._anywhere(self.language.facts)

    @cached_property
    def signs(self) -> re.Pattern[str]:
        """Words of negation."""
        return self._anywhere(self.language.signs)

    @cached_property
    def light(self) -> re.Pattern[str]:
        """Words that say "content" at the beginning of an excluded item."""
        return self._beginning(self.language.light)

    @cached_property
    def light_after(self) -> re.Pattern[str]:
        """Words that say nothing at its end."""
        return re.compile(
            rf"(?:[\s,]+{phrases_expression(self.language.light_after, self.language.lists)}{AFTER_WORD})+\W*$"
        )

    @cached_property
    def requests(self) -> re.Pattern[str]:
        """Phrases that only ask, at the beginning of what is wanted."""
        return self._beginning(self.language.requests)

    @cached_property
    def polite(self) -> re.Pattern[str]:
        """A courtesy anywhere."""
        return self._anywhere(self.language.courtesies)

    @cached_property
    def courtesies(self) -> re.Pattern[str]:
        """A clause that says nothing."""
        return self._beginning(self.language.courtesies)

    @cached_property
    def last_courtesies(self) -> re.Pattern[str]:
        """The same at the end of a text, with the mark before it and the marks after it in groups."""
        said = phrases_expression(self.language.courtesies, self.language.lists)
        return re.compile(rf"(?<=\w)([.!]?)[ \n,;–—-]{{1,3}}{said}[.!]{{0,3}}(\??)$")

    @cached_property
    def alternatives(self) -> re.Pattern[str]:
        """Phrases that open another wish."""
        said = phrases_expression(self.language.alternatives, self.language.lists)
        joint = rf"|\s(?={one_of(self.language.or_words)}\b)" if self.language.or_words else ""
        return re.compile(rf"(?:^\s*|[,;.:?!\n–—-]\s*{joint}){said}{AFTER_WORD}[\s,:]*")

    @cached_property
    def leads(self) -> re.Pattern[str]:
        """Words that only connect a cue to the text before it, and begin a clause."""
        return self._connecting(self.language.leads)

    @cached_property
    def links(self) -> re.Pattern[str]:
        """Words that only connect a cue to the text before it."""
        return self._connecting((*self.language.leads, *self.language.links))

    def _connecting(self, patterns: Sequence[str]) -> re.Pattern[str]:
        said, polite = (phrases_expression(some, self.language.lists) for some in (patterns, self.language.courtesies))
        # After a copula it says something: "fantasy is okay, but not if it's too long".
        stated = "".join(rf"(?<!\b{re.escape(word)} )" for word in self.language.copulas)
        words = rf"(?:^|(?<=[\s,;:—–(]))(?:{said}|{stated}{polite})(?![\w'])"
        return re.compile(rf"(?:[,;:—–\s•]|(?<=\s)-(?=\s)|{words})+$")

    @cached_property
    def asked(self) -> re.Pattern[str]:
        """A sentence that asks for something."""
        return re.compile(rf"\W*{phrases_expression(self.language.asked, self.language.lists)}{AFTER_WORD}")

    @cached_property
    def opens(self) -> re.Pattern[str]:
        """The beginning of a main clause after a comma."""
        return self._beginning(self.language.opens_clause)

    @cached_property
    def reasons(self) -> re.Pattern[str]:
        """The beginning of a clause that only gives a reason."""
        return self._beginning(self.language.reasons)

    @cached_property
    def ones(self) -> re.Pattern[str]:
        """A head that stands for what is wanted."""
        return re.compile(rf"{BEFORE_WORD}{one_of(self.language.ones) if self.language.ones else '(?!)'}$")

    def corrected(self, word: str) -> str | None:
        """The cue word that a word is one slip away from, or None."""
        return self._slips.get(word)

    @cached_property
    def _slips(self) -> dict[str, str]:
        """Words with one letter dropped, doubled or changed places, and the words meant."""
        known = set(self.language.real_words) | {word for row in self.language.spelling for word in row}
        made: dict[str, str] = {}
        for word in self.language.spelling:
            slips = {word[:at] + word[at + 1 :] for at in range(len(word))} if len(word) >= _SHORTEST_TYPO else set()
            slips |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
            slips |= {word[:at] + word[at] + word[at:] for at in range(len(word))} if len(word) > 3 else set()
            for slip in slips - known - {word}:
                made.setdefault(slip, word)
        return {slip: word for slip, word in made.items() if slip not in self.language.spelling}

    def _anywhere(self, patterns: Sequence[str]) -> re.Pattern[str]:
        return re.compile(BEFORE_WORD + phrases_expression(patterns, self.language.lists) + AFTER_WORD)

    def _beginning(self, patterns: Sequence[str]) -> re.Pattern[str]:
        return re.compile(rf"\s*{phrases_expression(patterns, self.language.lists)}{AFTER_WORD}")


@lru_cache(maxsize=32)
def compiled(code: str) -> CompiledLanguage:
    """The language of a code, made once.

    Raises:
        KeyError: The rules know no such language.
    """
    from logical_retriever.transform.languages import LANGUAGES

    return CompiledLanguage(LANGUAGES[code]())

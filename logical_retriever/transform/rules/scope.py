"""Where what a cue excludes ends, and the question goes on."""

from __future__ import annotations

import re
from typing import Final

from logical_retriever.transform.languages.table import Kind
from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.hits import LOOK_BACK, Hit, Sentence, asks_for_things, opens_sentence
from logical_retriever.transform.rules.patterns import WORD

_TOKEN: Final = re.compile(
    r"(?P<word>[^\W_]+(?:['./-][^\W_]+)*'?)|(?P<comma>,(?!\d)|(?<!\d),)|(?P<stop>[;:](?=\s|$)|[–—]|\s-+\s)"
)
_SHORT_ITEM: Final = 6
_SMALL_CLAUSE: Final = 2
_NOUN_AND_VERB: Final = 2


class Scope:
    """Finds the end of one cue's scope by walking over its words.

    Args:
        sentence: Where it stands.
        language: Of the sentence.
        hit: The cue.
        begin: Where the cue, with what connects it, begins.
    """

    def __init__(self, sentence: Sentence, language: CompiledLanguage, hit: Hit, begin: int) -> None:
        self.plain = sentence.plain
        self.sentence = sentence
        self.language = language
        self.kind = hit.cue.kind
        self.tight = hit.cue.cue.tight
        before = self.plain[max(0, begin - LOOK_BACK) : begin]
        self.front = opens_sentence(self.plain, begin)
        self.bracketed = self.plain[begin : begin + 1] == ","
        closed = self.kind is Kind.PHRASE or (self.kind is Kind.LIST and self.bracketed)
        self.waiting = closed and waiting(before, language)
        # "I hate olives, any tapas ideas?": a statement is no question; what follows it is.
        self.asks = self.front and "?" in self.plain[self.sentence.body :]
        words = WORD.findall(before[:LOOK_BACK])
        # "Are there insects other than bees that make honey?": those that are asked for make it.
        self.exists = (
            self.tight and len(words) > 2 and words[0] in language.auxiliaries and words[1] in language.empty_subjects
        )
        self.small = self.kind is Kind.PHRASE and not self.front and len(before.split()) <= _SMALL_CLAUSE

    def end(self, start: int, limit: int) -> int:
        """Offset at which the scope that begins at ``start`` ends, ``limit`` at the latest."""
        if self.front and self.kind in (Kind.PHRASE, Kind.LIST):
            return self._after_front(start, limit)
        end = self._walk(start, limit)
        words = [] if not self.waiting or end < limit else list(WORD.finditer(self.plain, start, limit))
        verb = len(words) == _NOUN_AND_VERB and words[0][0] not in self.language.prepositions
        if verb and self.tight and limit == self.sentence.body:
            return words[1].start()  # "Which metals except iron rust?"
        return end

    def _after_front(self, start: int, limit: int) -> int:
        """The exclusion opens the sentence: it ends where the main clause begins."""
        commas = [match.start() for match in _COMMA.finditer(self.plain, start, limit)]
        stop = _STRONG.search(self.plain, start, limit)
        if stop and (not commas or not any(self._opens(comma + 1) for comma in commas if comma < stop.start())):
            return stop.start()
        for comma in commas:
            if self._opens(comma + 1):
                return comma
        may_open = [comma for comma in commas if self._question_word(comma + 1)]
        for comma in may_open:
            if not self._relative(comma + 1):
                return comma
        if self.kind is not Kind.PHRASE:
            return self._walk(start, limit)
        if may_open:
            return may_open[-1]
        if not commas:
            return self._before_question(start, limit)
        after = [comma for comma in commas if not self._headless(comma + 1)]
        return after[-1] if after else self._before_question(start, limit)

    def _before_question(self, start: int, limit: int) -> int:
        """Where a question begins without a comma: "besides milk what foods contain calcium"."""
        words = list(WORD.finditer(self.plain, start, limit))
        for word in words[1:]:
            if word[0] in self.language.question_words and (
                word[0] not in self.language.relatives or self._elsewhere(word.end())
            ):
                return word.start()
            if self.language.opens.match(self.plain, word.start()):
                return word.start()
        for word in words[1:] if self.tight and not self.sentence.inside else ():
            # "Anything but jazz for a dinner party": nothing but a phrase of what is wanted is left to resume.
            if word[0] in self.language.prepositions and word[0] not in self.language.inner_prepositions:
                return word.start()
        return limit

    def _walk(self, start: int, limit: int) -> int:
        """Go over the words until the clause, the list or the sentence ends."""
        words_in_item, name, joined, relative, chosen, bare = 0, False, False, False, False, True
        last_comma = -1
        for token in _TOKEN.finditer(self.plain, start, limit):
            at = token.start()
            if token.lastgroup == "stop":
                if words_in_item:
                    return at
                continue
            if token.lastgroup == "comma":
                if words_in_item and self._ends_at_comma(at, limit, joined=joined and (last_comma >= 0 or chosen)):
                    return at
                words_in_item, last_comma, joined, relative = 0, at, False, False
                continue
            word = token[0]
            if word in self.language.joins:
                if words_in_item and word not in self.language.or_words and self._opens_after_join(token.end(), limit):
                    return at
                words_in_item, joined, relative = 0, True, False
                chosen = self.kind is Kind.LIST and word in self.language.or_words  # "no cats or dogs, a quiet one"
                continue
            if words_in_item and not relative and self._ends_before(word, at, name=name, bare=bare):
                return at
            relative = relative or (words_in_item > 0 and word in self.language.relatives)
            if not words_in_item:
                opens = word in self.language.articles or word in self.language.prepositions
                name, bare = opens or self.sentence.name_at(at), bare and not opens
                words_in_item += not opens
                continue
            words_in_item += 1
            name = name and (self.sentence.name_at(at) or word in self.language.particles)
        return limit

    def _ends_before(self, word: str, at: int, *, name: bool, bare: bool) -> bool:
        """Whether the scope ends before a word that is not the first of its item."""
        language = self.language
        if word in language.resumes and at + len(word) < self.sentence.body:
            return True
        if self.kind is Kind.LIST and not name and word in language.states:
            return True
        if self.kind is Kind.LIST and word in language.prepositions and language.reasons.match(self.plain, at):
            return True  # "no coconut oil as it brings me out in spots"
        if self.kind is Kind.LIST and bare and word in language.subjects and not self._after_preposition(at):
            return True  # "not spain we went there last year", but "not the one we saw"
        if self._asks_again(word, at) or (self.exists and word in language.relatives):
            return True
        if self.waiting and (word in language.verbs or language.verb_form(word)) and not self._after_preposition(at):
            return True
        if self._closing_courtesy(at):
            return True
        if (
            (self.tight or self.waiting or self.small)
            and name
            and not self.sentence.name_at(at)
            and word not in language.particles
        ):
            if self.waiting and word not in language.prepositions:
                return True
            return (
                word in language.verbs
                or language.participle(word)
                or (word in language.prepositions and (self.small or word not in language.inner_prepositions))
            )
        return self.small and word in language.prepositions and word not in language.inner_prepositions

    def _asks_again(self, word: str, at: int) -> bool:
        """Whether a request begins without a mark: "rather than tea give me", "apart from a restart what can I do"."""
        following = _word_at(self.plain, at + len(word))
        if word in self.language.question_words and following in self.language.auxiliaries:
            # "Forget netflix where can i watch": no relative clause has its verb before its subject.
            inverted = any(word in self.language.subjects for word in self._words(at, 3)[2:])
            return word not in self.language.relatives or inverted
        if word in self.language.question_words and following in self.language.elsewhere:
            return True
        return following in self.language.objects and self.language.opens.match(self.plain, at) is not None

    def _closing_courtesy(self, at: int) -> bool:
        """Whether a courtesy at an offset ends the sentence."""
        match = self.language.courtesies.match(self.plain, at)
        return match is not None and match.end() >= self.sentence.body

    def _after_preposition(self, at: int) -> bool:
        before = self.plain[max(0, at - 40) : at].split()
        return bool(before) and before[-1] in self.language.prepositions

    def _ends_at_comma(self, comma: int, limit: int, *, joined: bool) -> bool:
        """Whether a comma ends the scope, rather than divide its items or its own clauses."""
        after = comma + 1
        language = self.language
        word = _word_at(self.plain, after)
        if word is None or joined:
            return word is None or not self._list_goes_on(after, limit)
        if word in language.joins:
            following = WORD.search(self.plain, after, limit)
            return following is not None and (
                self._opens_after_join(following.end(), limit) or self._negates(following.end())
            )
        if self._negates(after) or self._chooses(after, limit) or word in language.maybe:
            return True
        if self._opens(after) or language.reasons.match(self.plain, after) or word in language.resumes:
            return True
        if language.courtesies.match(self.plain, after):
            return True
        if self._question_word(after) and not self._relative(after):
            return True
        if self.waiting and (word in language.verbs or language.verb_form(word)):
            return True
        if self.kind is Kind.LIST and (
            self.tight or self._clause_follows(after, limit) or self._wish_follows(after, limit)
        ):
            return not self._list_goes_on(after, limit)
        if self.kind is Kind.CLAUSE and (
            self.asks or self._clause_follows(after, limit) or self._wish_follows(after, limit)
        ):
            return not self._list_goes_on(after, limit)
        if self.waiting and (self.bracketed or self.tight) and not self._list_goes_on(after, limit):
            return True
        if self.kind is Kind.CLAUSE:
            return False
        return word in language.prepositions and not self._list_goes_on(after, limit)

    def _list_goes_on(self, start: int, limit: int) -> bool:
        """Whether short items and a last "and" or "or" follow."""
        end = limit
        for token in _TOKEN.finditer(self.plain, start, limit):
            if token.lastgroup == "stop":
                end = token.start()
                break
        for piece in self.plain[start:end].split(","):
            words = piece.split()
            item = words[1:] if words and words[0] in self.language.joins else words
            if item and (item[0] in self.language.resumes or self._states(item)):
                return False  # "no horror, kids are three and five"
            if any(word in self.language.joins for word in words[:_SHORT_ITEM]):
                return True
            if len(words) > _SHORT_ITEM or any(word in self.language.auxiliaries for word in words):
                return False
        return False

    def _states(self, words: list[str]) -> bool:
        """Whether words begin with a subject and its verb: "vacuum is fine"."""
        return len(words) > 1 and words[1] in self.language.auxiliaries

    def _chooses(self, start: int, limit: int) -> bool:
        """Whether what is wanted is told from what is not: "not Boots, the little one"."""
        words = WORD.findall(self.plain, start, limit)
        ones = self.language.language.ones
        return 2 < len(words) <= _SHORT_ITEM and words[0] in self.language.articles and words[-1] in ones

    def _negates(self, at: int) -> bool:
        """Whether a word of negation follows, which what is excluded before does not reach: "no nuts, not fried"."""
        word = WORD.search(self.plain, at)
        return word is not None and self.language.signs.match(self.plain, word.start()) is not None

    def _wish_follows(self, start: int, limit: int) -> bool:
        """Whether things are named for which nothing else in the text asks: "bored of chicken, quick dinners"."""
        rest = self.plain[start:limit]
        opens = self.front and self.sentence.first and not self.sentence.wish
        return opens and len(rest.split()) > 1 and asks_for_things(rest, self.language) > 0

    def _clause_follows(self, start: int, limit: int) -> bool:
        """Whether a clause with a verb of its own stands after a comma: "your father's knees won't take it"."""
        words = [match[0] for match in WORD.finditer(self.plain, start, min(limit, start + 60))][:_SHORT_ITEM]
        if any(word in self.language.relatives for word in words[:2]):
            return False
        return any(word in self.language.auxiliaries for word in words[1:])

    def _opens_after_join(self, at: int, limit: int) -> bool:
        """Whether what follows "and", "or" or "but" is a clause and no item."""
        word = _word_at(self.plain, at)
        if word is None or at >= limit:
            return False
        if word in self.language.question_words and word not in self.language.relatives:
            return True
        if word in self.language.auxiliaries or word in self.language.maybe or word in self.language.resumes:
            return True
        return (
            self._opens(at)
            or (self.kind is Kind.CLAUSE and self._states(self._words(at, 2)))
            or self.language.reasons.match(self.plain, at) is not None
            or (word in self.language.question_words and not self._relative(at))
        )

    def _opens(self, at: int) -> bool:
        if self.language.opens.match(self.plain, at):
            return True
        words = list(WORD.finditer(self.plain, at, min(len(self.plain), at + 60)))[:2]
        return len(words) > 1 and words[0][0] in self.language.auxiliaries and self.sentence.name_at(words[1].start())

    def _question_word(self, at: int) -> bool:
        words = self._words(at, 3)
        while words and (words[0] in self.language.joins or words[0] in self.language.leads_words):
            words = words[1:]
        if words and words[0] in self.language.prepositions:
            words = words[1:]
        return bool(words) and words[0] in self.language.question_words

    def _relative(self, at: int) -> bool:
        """Whether a relative clause may begin here: "who was born in 1950"."""
        words = self._words(at, 2)
        return len(words) > 1 and words[0] in self.language.relatives and words[1] in self.language.verbs

    def _headless(self, at: int) -> bool:
        words = self._words(at, 1)
        return (
            not words
            or words[0] in self.language.joins
            or words[0] in self.language.auxiliaries
            or (self.language.participle(words[0]))
        )

    def _elsewhere(self, at: int) -> bool:
        words = self._words(at, 1)
        return bool(words) and words[0] in self.language.language.elsewhere

    def _words(self, at: int, most: int) -> list[str]:
        found: list[str] = []
        for match in WORD.finditer(self.plain, at, min(len(self.plain), at + 80)):
            found.append(match[0])
            if len(found) == most:
                break
        return found


_COMMA: Final = re.compile(r"(?<!\d),|,(?!\d)")
_STRONG: Final = re.compile(r":(?=\s|$)|\s[–—-]+\s|—|\.{3}|…")


def _word_at(plain: str, at: int) -> str | None:
    match = WORD.search(plain, at, min(len(plain), at + 60))
    return match[0] if match else None


def waiting(before: str, language: CompiledLanguage) -> bool:
    """Whether what stands before an exclusion is a subject that waits for its verb.

    "Who else ..." and "Which countries ..." do, "Do any animals ..." and "In what year did all powers ..." too.
    """
    words = WORD.findall(before[-160:])
    starts = [at for at, word in enumerate(words[:3]) if word in language.question_words]
    if starts and _no_verb(words[starts[0] + 1 :], language):
        return True
    for at in range(len(words)):
        if words[at] in language.auxiliaries:
            subject = words[at + 1 :]
            asks = at == 0 or any(word in language.question_words for word in words[:at])
            empty = not subject or subject[0] in language.empty_subjects
            return asks and not empty and words[at] not in language.copulas and _no_verb(subject, language)
    return False


def _no_verb(words: list[str], language: CompiledLanguage) -> bool:
    return len(words) <= 5 and not any(
        word in language.verbs or language.verb_form(word) or word in language.subjects for word in words
    )

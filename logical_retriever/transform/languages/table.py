"""The shape of a language: everything that the rules know of it, as one readable table.

The engine in ``transform/rules`` knows no word of any language. A language is one file beside this one that makes one
:class:`Language`, and a line in ``LANGUAGES`` of ``languages/__init__.py``.

**Patterns.** Cues, contexts and phrases are written in a small language of their own, in small letters:

- words, separated by one space; the apostrophe is ``'`` and stays inside its word (``don't``, ``l'alcool``);
- ``(a|b c|d)`` is one of these, ``[a|b c]`` one of these or nothing; they do not nest;
- ``<name>`` is one item of the word list ``name`` in :attr:`Language.lists`, whose items may be of several words (and
  may name other lists);
- ``{x}`` is what is excluded: at the end (``other than {x}``), at the beginning (``{x} aside``) or between
  (``leaving {x} out of it``). ``{name}`` is the same, but begins with a capital letter or a quotation mark;
- ``...`` is any words of the same clause, for contexts only (``only_after="(not|never) ..."``);
- ``^`` is the beginning of a clause and ``$`` its end, for contexts only;
- a trailing ``*`` completes a word (``film*``): any letters; alone it is any word;
- the apostrophe of ``n't`` may be left out by who types (``cant``).

A word that ends in an apostrophe is followed by the next without a space: ``l' {x}``.

A misspelt cue word is read as the cue word (``excpet``): one letter dropped, doubled or changed places with its
neighbour, where the result is no word of :attr:`Language.real_words`. Only words of :attr:`Language.spelling` are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final


class Kind(Enum):
    """The part that a cue plays in its sentence, which says where it may stand and where what it excludes ends."""

    PHRASE = auto()
    """A preposition or participle inside a clause, which goes on after it: ``besides {x}``, ``{x} aside``,
    ``leaving {x} out``. It names a list of noun phrases, which ends at the clause's verb or at what resumes it."""

    LIST = auto()
    """A negated coordination, ``not {x}``, ``but no {x}``, ``nothing about {x}``, ``neither {x}``: it begins a clause
    (after a comma, a dash, a bracket, a full stop, "but", "and"), and names a list of noun phrases."""

    CLAUSE = auto()
    """An instruction or a statement, ``don't mention {x}``, ``i already know about {x}``, ``{x} is not what i'm
    after``: a clause of its own, which is no part of what is wanted. A reason or a courtesy after it goes with it."""

    RELATIVE = auto()
    """A relative clause, ``that aren't {x}``, ``which doesn't involve {x}``: it names a list of noun phrases."""

    PREFIX = auto()
    """A word joined to its noun, ``non-{x}``: the noun that it qualifies stays wanted ("non-Marvel comics")."""


ANYWHERE: Final = "anywhere"
"""For :attr:`Cue.at`: wherever its words stand."""
CLAUSE_START: Final = "clause"
"""For :attr:`Cue.at`: where a clause begins, after courtesies and links ("but please", "and also")."""


@dataclass(frozen=True)
class Cue:
    """One row: the words by which an exclusion is seen.

    Attributes:
        kind: What it is in its sentence.
        pattern: Its words, with one ``{x}``.
        example: A question that it reads; a test reads it, and an exclusion must be found.
        at: Where it may stand, :data:`ANYWHERE` or :data:`CLAUSE_START`; "" is by kind: a PHRASE that begins with its
            own words, a RELATIVE and a PREFIX anywhere, all others at the start of a clause.
        only_after: Patterns of which one must stand before it, directly.
        never_after: Patterns of which none may stand before it, directly.
        only_before: Patterns of which one must follow its words, directly.
        never_before: Patterns of which none may follow its words, directly.
        asked: Whether it counts only in a sentence that asks for something ("Tell me about ...").
        fragment: Whether it counts only after a noun phrase without a verb, or a request for one: "laptops but not Dell".
        elsewhere: Whether it counts only in a question that asks for others: "I tried a restart. What else helps?"
        asking: Whether it counts only after what asks for things, a question, a wish or a kind of things: "bars, no clubs",
            not "laptop dead, no lights"; where that is unclear, the question is not understood.
        dictated: Whether it counts only inside a request without marks, after its noun: "find me a bar no clubs".
        alone: Whether it says something even where nothing is wanted beside: "I don't like sad movies".
        tight: Whether it names the next noun phrase alone, after which its clause goes on: "other than Italy in Europe".
        spares: Whether, after another exclusion, it takes something out of that ("excluding sports except curling").
        personal: Whether it says something of who asks. Where a text begins with it, it is an exclusion only if others, or
            things to choose from, are asked for: "I hate coriander. What dishes can I make?", not "I hate my nose. What
            does a new one cost?"
    """

    kind: Kind
    pattern: str
    example: str = ""
    at: str = ""
    only_after: tuple[str, ...] = ()
    never_after: tuple[str, ...] = ()
    only_before: tuple[str, ...] = ()
    never_before: tuple[str, ...] = ()
    asked: bool = False
    fragment: bool = False
    elsewhere: bool = False
    asking: bool = False
    dictated: bool = False
    alone: bool = False
    tight: bool = False
    spares: bool = False
    personal: bool = False


def words(text: str) -> tuple[str, ...]:
    """Words of a line, for tables of single words: ``words("and plus")``."""
    return tuple(text.split())


def phrases(text: str) -> tuple[str, ...]:
    """Phrases of a line, divided by commas: ``phrases("as well as, and also")``."""
    return tuple(phrase.strip() for phrase in text.split(","))


def cues(kind: Kind, *rows: str, **conditions: object) -> tuple[Cue, ...]:
    """Several rows of one kind under the same conditions, each written ``pattern :: example``.

    Example:
        >>> cues(Kind.PHRASE, "other than {x} :: tea other than green tea")[0].pattern
        'other than {x}'
    """
    return tuple(
        Cue(kind, pattern.strip(), example.strip(), **conditions)  # type: ignore[arg-type]  # checked by Cue's tests
        for pattern, _, example in (row.partition("::") for row in rows)
    )


@dataclass(frozen=True)
class Language:
    """Everything that the rules know of one language. All words are in small letters.

    Attributes:
        code: ISO 639-1, "en".
        cues: By which exclusions are seen.
        signs: Words of negation. A sign that neither a cue nor a shield explains makes a question "not understood".
        shields: Phrases that hold words of a cue and are no exclusion ("not only", "why don't we", "no longer"): they
            are hidden from the cues, and explain the signs in them.
        facts: Phrases that explain a sign which no cue has read: a fact about the answer ("without a car", "isn't it",
            "can't"). They hide nothing.
        lists: Word lists for ``<name>`` in patterns.
        and_words: "and"; joins items of a list.
        or_words: "or"; joins items of a list.
        nor_words: "nor"; joins items of a list and repeats the negation.
        light: Patterns at the beginning of an excluded item that say "content", not which: "any mention of", "the".
        light_after: Patterns at its end that say nothing: "stuff", "please", "and so on".
        maybe: Words after which "and" adds a wish to what is wanted, not an item to what is excluded: "possibly".
        ones: Head nouns that stand for the wanted thing: "the superhero *ones*". They are replaced by its head noun
            where that is certain, else left out.
        pronouns: Possessive pronouns, of whose owner the topic of the question takes the place: "its", "their".
        owned: How an owner is written: ``"{owner}'s {thing}"``.
        empty: Items that name nothing ("that", "those", "anything", "it"): they stand for what the clause or the
            sentence before named, or the question stays whole.
        articles: Determiners, with which a noun phrase begins.
        prepositions: They may continue a noun phrase ("of the"), and never begin one.
        resumes: Prepositions and conjunctions that, after a complete excluded item, go on with the main clause:
            "because", "since", "so", "when", "for".
        auxiliaries: Finite auxiliary verbs. An excluded list ends at one where its clause still waits for its verb.
        verbs: Other finite verb forms at which it then ends.
        question_words: "what", "which", "how"; with an auxiliary or a request they open a main clause.
        subjects: Pronouns that, with a verb, open a clause: "i", "we", "you", "it's".
        requests: Patterns at the beginning of what is wanted that only ask: "can you recommend [me]", "tell me about".
        courtesies: Patterns that say nothing wherever they stand as a clause of their own: "please", "thanks", "hi".
        elsewhere: Words that refer to the exclusion and mean nothing without it: "else", "other", "remaining".
        leads: Patterns before a cue that only connect it and begin a clause: "but", "and", "also", "preferably".
        links: Patterns that connect it as well, and begin none: "that", "with".
        alternatives: Patterns that open another wish: "or failing that", "or else".
        opens_sentence: Words that begin a new sentence even after an abbreviation's full stop.
        abbreviations: Words whose full stop ends no sentence: "vs", "mr".
        real_words: Words one slip away from a cue word that are words themselves: "expect", "ton".
        relatives: Question words and others that also begin relative clauses: "who", "which", "that".
        choosing: Question words that ask to choose among things: "which", "who".
        copulas: Auxiliaries that need no other verb: "is", "are".
        verb_ending: A regular expression of words that are most likely verbs: ``[a-z]+ed``.
        participle_ending: One of words that may follow a complete name as a participle: ``[a-z]+(?:ed|ing)``.
        plural_ending: One of nouns that name things of a kind: ``[a-z]+s``.
        kinds: Words with which a phrase begins that asks for one of a kind: "any", "some", "good".
        so: Words that draw a conclusion from a statement: "so".
        article_before: A regular expression of the article that an excluded item can do without: "the ".
        objects: Pronouns that make of a verb before them a request: "give me".
        own: Words by which people speak of their own things, which they do not ask for: "my".
        no_names: Further words that are capitalised where they open a sentence, and are no names: "describe".
        particles: Small words inside names: "of", "the", "de".
        inner_prepositions: Those of ``prepositions`` that rather continue a noun phrase than resume a clause: "of".
        states: Subjects joined to a verb, which begin a clause after a bare noun: "no nuts *she's* allergic".
        empty_subjects: Subjects after which no verb is waited for: "there".
        opens_clause: Patterns with which a main clause begins: "what", "can you", "tell me", "i want".
        asked: Patterns with which a sentence that asks for something begins: "tell", "can you".
        reasons: Patterns with which a clause that only gives a reason begins: "we've", "because", "that's".
        wishes: Patterns that make a clause a wish of its own: "i want", "i'm looking for".
        spelling: Cue words that are recognised when misspelt.
        adjective_ending: A regular expression of capitalised words that rather qualify a noun than name a topic.
        pairs: Fixed pairs that are one item of a list: "salt and pepper".
        only: Patterns of an excluded part that asks for what it names alone: "anything other than".
        refers_back: Patterns that mean nothing without the exclusion before them: "the same".
        things: Patterns that ask for things of a kind, some of which a dislike leaves out: "what dishes can", "suggest".
        degrees: Adverbs before an adjective: "*very* touristy".
        choices: Patterns that ask for several of what they name: "cake ideas".
        approving: Words by which a statement says what is welcome: "anything is *fine*".
        bare: A regular expression of a definite noun phrase that does not say of what: "the ending".
        of: The preposition that says it: "the ending *of* Dune"; "" leaves such items alone.
        capitals_are_names: Whether a capital letter inside a sentence is the sign of a name; not in German.
        pairs_are_names: Whether two capitalised words with "and" between them are rather one name ("Pride and Prejudice").
        restate: Turns what is wanted into a statement, or None: "How did A affect B?" into "A affected B".
    """

    code: str
    cues: tuple[Cue, ...]
    signs: tuple[str, ...]
    shields: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    and_words: tuple[str, ...] = ()
    or_words: tuple[str, ...] = ()
    nor_words: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    light_after: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()
    ones: tuple[str, ...] = ()
    pronouns: tuple[str, ...] = ()
    owned: str = "{thing} {owner}"
    empty: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    prepositions: tuple[str, ...] = ()
    resumes: tuple[str, ...] = ()
    auxiliaries: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    question_words: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    courtesies: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    opens_sentence: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    real_words: tuple[str, ...] = ()
    relatives: tuple[str, ...] = ()
    choosing: tuple[str, ...] = ()
    copulas: tuple[str, ...] = ()
    verb_ending: str = r"(?!)"
    participle_ending: str = r"(?!)"
    plural_ending: str = r"(?!)"
    kinds: tuple[str, ...] = ()
    so: tuple[str, ...] = ()
    article_before: str = r"(?!)"
    objects: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    no_names: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    inner_prepositions: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    empty_subjects: tuple[str, ...] = ()
    opens_clause: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    spelling: tuple[str, ...] = ()
    adjective_ending: str = r"(?!)"
    pairs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    refers_back: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    degrees: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    approving: tuple[str, ...] = ()
    bare: str = r"(?!)"
    of: str = ""
    capitals_are_names: bool = True
    pairs_are_names: bool = True
    restate: Callable[[str], str] | None = None

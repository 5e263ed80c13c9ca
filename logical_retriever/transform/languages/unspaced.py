"""The shape of a language whose words have no spaces between them: its rules match signs, not words.

**Patterns** are written as they stand in a question, with ``{x}`` for what is excluded, ``(a|b)`` for one of these,
``[a|b]`` for one of these or nothing, ``^`` for the beginning of a clause and ``$`` for its end. Lists of phrases are
written with ``|`` between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from importlib import import_module
from typing import Final

NEVER: Final = "(?!)"
"""Matches nothing: the list that a table leaves out."""


class Needs(Enum):
    """A condition on the rest of a question, without which a cue is no exclusion."""

    ASKING = auto()
    """It asks for something anywhere, or is a noun phrase before the cue."""

    NOUN_BEFORE = auto()
    """It has wished for things before the cue, or is a noun phrase that the cue follows."""

    ASKED_BEFORE = auto()
    """It has wished for things before the cue: "recommend a dish, no coriander", and not "no children, what then"."""


@dataclass(frozen=True)
class UnspacedCue:
    """One row: the signs by which an exclusion is seen.

    Attributes:
        pattern: With one ``{x}``.
        example: A question that it reads; a test reads it.
        needs: What else the question must have.
        only_before: Phrases of which one must follow, where there are any.
        never_before: Phrases of which none may follow.
        unnamed: Phrases with which what it excludes does not begin: "サビを除く" is no exclusion of rust.
        resumes: Whether its clause goes on with the head of what is wanted: "寿司以外の日本食".
        excepts: Whether what follows may make an addition of it, "除了 X，也 ...".
    """

    pattern: str
    example: str
    needs: Needs = Needs.ASKING
    only_before: str = ""
    never_before: str = NEVER
    unnamed: str = NEVER
    resumes: bool = False
    excepts: bool = False


@dataclass(frozen=True)
class Unspaced:
    """Everything that the rules know of one language without spaces. Lists have ``|`` between their phrases.

    Attributes:
        code: ISO 639-1, "zh".
        cues: By which exclusions are seen.
        marks: Signs that end a clause, without the space and the brackets, which always do.
        asks: Phrases that ask.
        wishes: Those of them that ask for things to choose from.
        questions: Question words; what is excluded has none.
        states: A regular expression of what a noun phrase does not have: verbs, people.
        shields: Phrases that hold signs of a cue and are no exclusion ("意料之外").
        unnamed: Phrases with which what is excluded does not begin: verbs, degrees.
        unclear: A regular expression of what makes it unclear where what is excluded begins, or makes a clause of it.
        modified: The same where the clause goes on after it.
        bare: A regular expression of a clause that may be the first item of a list: nouns alone.
        empty: What names nothing: "这个".
        joins: Joints of a list, as a regular expression.
        light: Phrases at the beginning of what is excluded that say nothing.
        light_after: Phrases at its end that say nothing.
        leads: Phrases before a cue that only connect it: "但是".
        requests: Phrases at the beginning of what is wanted that only ask.
        requests_after: Phrases at its end that only ask.
        says_nothing: Phrases of which alone nothing wanted is made.
        adds: A regular expression of what follows an exception and makes it an addition or a fact: "也", "没有".
        more: The same where no question word follows: "还".
        cuts: A regular expression of places inside a clause at which what is excluded begins.
    """

    code: str
    cues: tuple[UnspacedCue, ...]
    marks: str
    asks: str
    wishes: str
    questions: str
    states: str
    shields: str = NEVER
    unnamed: str = NEVER
    unclear: str = NEVER
    modified: str = NEVER
    bare: str = NEVER
    empty: str = NEVER
    joins: str = NEVER
    light: str = NEVER
    light_after: str = NEVER
    leads: str = NEVER
    requests: str = NEVER
    requests_after: str = NEVER
    says_nothing: str = NEVER
    adds: str = NEVER
    more: str = NEVER
    cuts: str = NEVER


def _table(code: str, name: str) -> Callable[[], Unspaced]:
    def made() -> Unspaced:
        table: Unspaced = getattr(import_module(f"logical_retriever.transform.languages.{code}"), name)()
        return table

    return made


UNSPACED: Final[dict[str, Callable[[], Unspaced]]] = {"zh": _table("zh", "chinese"), "ja": _table("ja", "japanese")}
"""The function that makes the table of each language, by its ISO 639-1 code; its file is read when the language first is."""

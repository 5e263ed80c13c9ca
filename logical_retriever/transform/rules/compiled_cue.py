"""One cue as the engine reads it: its words and its conditions as regular expressions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from logical_retriever.transform.languages.table import ANYWHERE, CLAUSE_START, Cue, Kind, Language
from logical_retriever.transform.rules.patterns import (
    AFTER_WORD,
    BEFORE_WORD,
    GAP,
    WITHIN,
    Node,
    expression,
    first_words,
    parts_of,
    phrases_expression,
    places,
)

_WORDY: Final = re.compile(r"[(\[]*[\w<*]")


class CompiledCue:
    """A cue whose regular expressions are made when its first word is first met.

    Attributes:
        cue: The row.
        side: Where what it excludes stands: "after" its words, "before" them, or "between" them.
        keys: The words with which it can begin.
        anywhere: Whether it may stand anywhere in a clause.
        named: Whether what it excludes must begin with a capital letter or a quotation mark.
    """

    def __init__(self, cue: Cue, language: Language) -> None:
        self.cue = cue
        self._lists = language.lists
        parts = parts_of(cue.pattern, language.lists)
        found = places(parts)
        if len(found) != 1:
            raise ValueError(f"The cue {cue.pattern!r} needs one {{x}}.")
        at = found[0]
        self._left, self._right = parts[:at], parts[at + 1 :]
        self.named = parts[at].text == "{name}"
        self.side = "between" if self._left and self._right else "after" if self._left else "before"
        self.keys = first_words(self._left or self._right)
        self.kind = cue.kind
        where = cue.at or (
            ANYWHERE
            if cue.kind in (Kind.RELATIVE, Kind.PREFIX) or (cue.kind is Kind.PHRASE and self._left)
            else CLAUSE_START
        )
        self.anywhere = where == ANYWHERE

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Its words; a group ``x`` holds what it excludes where that stands between them."""
        if self.side == "before":
            return re.compile(BEFORE_WORD + expression(self._right) + AFTER_WORD)
        # What is glued to its word has no space: "non-{x}", "l' {x}".
        glued = not self._left[-1].spaced or _elided(self._left[-1])
        left = BEFORE_WORD + expression(self._left)
        if self.side == "after":
            return re.compile(left + (r"(?=\w)" if glued else r"(?=:? ?(?!\. )[^\s:])" + AFTER_WORD))
        x = rf"{'' if glued else GAP}(?P<x>\S[^;?!\n]{{0,{WITHIN}}}?),? "
        return re.compile(left + x + expression(self._right) + AFTER_WORD)

    @cached_property
    def only_after(self) -> re.Pattern[str] | None:
        """The text before it must end so."""
        return self._ending(self.cue.only_after, r"\W*$")

    @cached_property
    def never_after(self) -> re.Pattern[str] | None:
        """The text before it must not end so."""
        return self._ending(self.cue.never_after, r"\s*$")

    @cached_property
    def only_before(self) -> re.Pattern[str] | None:
        """The text after its words must begin so."""
        return self._beginning(self.cue.only_before)

    @cached_property
    def never_before(self) -> re.Pattern[str] | None:
        """The text after its words must not begin so."""
        return self._beginning(self.cue.never_before)

    def _ending(self, patterns: Sequence[str], gap: str) -> re.Pattern[str] | None:
        if not patterns:
            return None
        whole = (
            (BEFORE_WORD if _WORDY.match(pattern) else "") + expression(parts_of(pattern, self._lists))
            for pattern in patterns
        )
        return re.compile("(?:" + "|".join(whole) + ")" + gap)

    def _beginning(self, patterns: Sequence[str]) -> re.Pattern[str] | None:
        return re.compile(r"\s*" + phrases_expression(patterns, self._lists) + AFTER_WORD) if patterns else None


def _elided(part: Node) -> bool:
    if part.choices:
        return all(choice and _elided(choice[-1]) for choice in part.choices)
    return part.text.endswith("'")

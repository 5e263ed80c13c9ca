"""Words as engines can look for them: of word characters alone, so that nothing of an engine's language is in them."""

from __future__ import annotations

from dataclasses import dataclass

from logical_retriever.lexical.tokens import WORD, stemmed
from logical_retriever.stores.base import WordQuery

MOST_WORDS = 8
"""The rarest words of a text that engines are asked for: what the others say, the rarest have said."""
LEAST_WEIGHT = 0.35
"""Words that say less than this share of what the rarest says are not asked for: one text in twenty may have them."""
LONGEST = 100
"""Characters of the longest word that engines are asked for: some know no longer ones."""
ENDINGS = ("", "e", "s", "es", "ed", "ing")
"""Of English words of one stem."""
PREFIX_FROM = 5
"""Letters of a stem from which every word that begins with it counts as a form of it: "hoodi", but not "car"."""


@dataclass(frozen=True)
class Spelling:
    """A word in the forms that count as the same.

    Attributes:
        forms: Case-folded; words that begin with one, or are one.
        prefix: Whether words that begin with a form count as well.
        weight: How much it says, above 0.
        words: For engines that compare whole words alone: the word, its stem and what English endings make of it.
    """

    forms: tuple[str, ...]
    prefix: bool
    weight: float
    words: tuple[str, ...]

    def found_in(self, text: str) -> bool:
        """Whether a text has the word."""
        words = WORD.findall(text.casefold())
        return any(word.startswith(self.forms) if self.prefix else word in self.forms for word in words)

    @property
    def pattern(self) -> str:
        """The same as a regular expression of RE2 and of Rust, whatever the case of the text."""
        end = "" if self.prefix else r"(?:$|[^\pL\pN_])"
        return rf"(?i)(?:^|[^\pL\pN_])(?:{'|'.join(self.forms)}){end}"


def spellings(query: WordQuery) -> list[Spelling]:
    r"""The words of a query, the rarest first; none where no text of an engine can have one.

    Examples:
        >>> import numpy as np
        >>> [word.pattern for word in spellings(WordQuery(("hoodies", "cars"), np.zeros(3)))]
        ['(?i)(?:^|[^\\pL\\pN_])(?:hoodi)', '(?i)(?:^|[^\\pL\\pN_])(?:cars|car)(?:$|[^\\pL\\pN_])']
        >>> spellings(WordQuery(("%", "'"), np.zeros(3)))
        []
    """
    weights = query.weights if query.weights else [1.0 / place for place in range(1, len(query.words) + 1)]
    found: dict[tuple[str, ...], Spelling] = {}
    least = LEAST_WEIGHT * max(weights, default=0.0) if query.weights else 0.0
    for given, weight in zip(query.words, weights, strict=True):
        if weight < least:
            continue
        for word in WORD.findall(given.casefold()):
            stem = stemmed(word)
            if stem is None or len(word) > LONGEST:
                continue
            shared = next(stem[:size] for size in range(len(stem), -1, -1) if word.startswith(stem[:size]))
            prefix = len(shared) >= PREFIX_FROM
            forms = (shared,) if prefix else tuple(dict.fromkeys((word, stem)))
            found.setdefault(forms, Spelling(forms, prefix, float(weight), _inflected(word, stem)))
    return list(found.values())[:MOST_WORDS]


def _inflected(word: str, stem: str) -> tuple[str, ...]:
    """The word, its stem, and other words of the same stem."""
    roots = (stem, stem[:-1] + "y") if stem.endswith("i") else (stem,)
    others = (root + ending for root in roots for ending in ENDINGS)
    return tuple(dict.fromkeys((word, stem, *(other for other in others if stemmed(other) == stem))))

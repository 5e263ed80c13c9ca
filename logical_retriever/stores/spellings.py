"""Words as engines can look for them: of word characters alone, so that nothing of an engine's language is in them."""

from __future__ import annotations

from dataclasses import dataclass

from logical_retriever.lexical import Analyser, analyser
from logical_retriever.stores.base import WordQuery

MOST_WORDS = 8
"""The rarest words of a text that engines are asked for: what the others say, the rarest have said."""
LEAST_WEIGHT = 0.35
"""Words that say less than this share of what the rarest says are not asked for: one text in twenty may have them."""
LONGEST = 100
"""Characters of the longest word that engines are asked for: some know no longer ones."""
ENDINGS = ("", "e", "s", "es", "ed", "ing")
"""Of English words of one stem."""
OTHER_ENDINGS = ("", "e", "en", "er", "es", "em", "n", "s", "x", "o", "a", "os", "as", "i")
"""Of words of other languages."""
PREFIX_FROM = 5
"""Letters of a stem from which every word that begins with it counts as a form of it: "hoodi", but not "car"."""


@dataclass(frozen=True)
class Spelling:
    """A word in the forms that count as the same.

    Attributes:
        forms: Case-folded; words that begin with one, or are one.
        prefix: Whether words that begin with a form count as well.
        weight: How much it says, above 0.
        words: For engines that compare whole words alone: the word, its stem and what endings make of it.
        language: Of the word.
        inside: Whether it may stand anywhere in a run of letters: a pair of characters of a script without spaces.
    """

    forms: tuple[str, ...]
    prefix: bool
    weight: float
    words: tuple[str, ...]
    language: str = "en"
    inside: bool = False

    def found_in(self, text: str) -> bool:
        """Whether a text has the word."""
        words = analyser(self.language).spellings(text)
        return any(word.startswith(self.forms) if self.prefix else word in self.forms for word in words)

    @property
    def pattern(self) -> str:
        """The same as a regular expression of RE2 and of Rust, whatever the case of the text."""
        if self.inside:
            return rf"(?i)(?:{'|'.join(self.forms)})"
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
    read = analyser(query.language)
    weights = query.weights if query.weights else [1.0 / place for place in range(1, len(query.words) + 1)]
    found: dict[tuple[str, ...], Spelling] = {}
    least = LEAST_WEIGHT * max(weights, default=0.0) if query.weights else 0.0
    for given, weight in zip(query.words, weights, strict=True):
        if weight < least:
            continue
        for word in read.spellings(given):
            stem = read.stem(word)
            if stem is None or len(word) > LONGEST:
                continue
            shared = next(stem[:size] for size in range(len(stem), -1, -1) if word.startswith(stem[:size]))
            inside = read.is_pair(word)
            prefix = len(shared) >= PREFIX_FROM and not inside
            forms = (shared,) if prefix else tuple(dict.fromkeys((word, stem)))
            if query.language == "de":  # texts are not case-folded, which "ß" is
                forms = tuple(dict.fromkeys((*forms, *(form.replace("ss", "ß") for form in forms))))
            words = (word,) if inside else _inflected(word, stem, read)
            found.setdefault(forms, Spelling(forms, prefix, float(weight), words, query.language, inside))
    return list(found.values())[:MOST_WORDS]


def _inflected(word: str, stem: str, read: Analyser) -> tuple[str, ...]:
    """The word, its stem, and other words of the same stem."""
    endings = ENDINGS if read.language == "en" else OTHER_ENDINGS
    roots = (stem, stem[:-1] + "y") if stem.endswith("i") else (stem,)
    others = (root + ending for root in roots for ending in endings)
    return tuple(dict.fromkeys((word, stem, *(other for other in others if read.stem(other) == stem))))

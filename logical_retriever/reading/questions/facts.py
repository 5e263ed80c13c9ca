"""Negations of a question that the tagger reads as facts ("why do penguins not fly")."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final

from logical_retriever.lexical import language_of

_AFTER: Final = 3
"""Words after the negation that are quoted."""
_LONGEST: Final = 60
"""Most characters that are quoted."""
_ENGLISH: Final = r"\w+n['’ʼ´`]t|(?:do|does|did|is|are|was|were|has|have|had|wo|ca)nt|cannot|without|not"
"""Words of English alone: few words do not tell a question's language."""


def negation_in(question: str) -> str | None:
    """Return the first negation of a question with the words after it; None without one.

    Examples:
        >>> negation_in("Why do penguins not fly so far?")
        'not fly so far'
        >>> negation_in("a guide to knots")
    """
    pattern = _patterns().get(language_of([question]))
    found = None if pattern is None else pattern.search(question)
    return None if found is None else found[0][:_LONGEST].strip(" ?!.,;:")


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Build the pattern of each language of ``negations.txt``."""
    text = resources.files("logical_retriever.reading").joinpath("questions/negations.txt").read_text(encoding="utf-8")
    patterns = {}
    for language, *negations in (line.split() for line in text.splitlines() if not line.startswith("#")):
        words = "|".join(map(re.escape, negations))
        if language in ("ja", "zh"):
            patterns[language] = re.compile(rf"(?:{words}).{{0,6}}")
        else:
            pattern = rf"(?<![\w-])(?:{_ENGLISH}|{words})(?![\w-])(?:\s+\S+){{0,{_AFTER}}}"
            patterns[language] = re.compile(pattern, re.IGNORECASE)
    return patterns

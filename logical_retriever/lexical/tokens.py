"""Texts to words."""

from __future__ import annotations

import re
from collections.abc import Sequence

WORD = re.compile(r"(?u)\b\w\w+\b")
"""Runs of two or more word characters, in any script: scikit-learn's and bm25s's pattern."""

STOP_WORDS = frozenset(
    {
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "if",
        "in",
        "into",
        "is",
        "it",
        "no",
        "not",
        "of",
        "on",
        "or",
        "such",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "will",
        "with",
    }
)
"""English function words: the list of Lucene's and bm25s's English analysers."""


def tokenize(text: str) -> list[str]:
    """Words of a text, case-folded, without English stop words.

    Examples:
        >>> tokenize("The health benefits of Vitamin D2")
        ['health', 'benefits', 'vitamin', 'd2']
    """
    return [word for word in WORD.findall(text.casefold()) if word not in STOP_WORDS]


def distinct_words(text: str, without: Sequence[str] = ()) -> list[str]:
    """Words of a text that none of the other texts has.

    What sets an excluded term apart from the wanted ones is evidence of it; what they share is not.

    Examples:
        >>> distinct_words("Miles Davis on the trumpet", without=["great jazz trumpet players"])
        ['miles', 'davis']
    """
    shared = {word for other in without for word in tokenize(other)}
    return [word for word in tokenize(text) if word not in shared]

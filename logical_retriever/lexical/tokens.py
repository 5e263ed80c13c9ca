"""Texts to words."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Collection, Sequence

import snowballstemmer

from logical_retriever.bounded import BoundedCache

STEMS_MEMORY = 16_000_000
"""Bytes that stems of words take at most, in the whole process: those of about 40,000 words."""
WORD = re.compile(r"\w\w+")
"""Runs of two or more word characters, in any script: what scikit-learn and bm25s take."""

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
        "this to was will with",
    )
)
"""English function words: the list of Lucene's and bm25s's English analysers."""


def tokenize(text: str) -> list[str]:
    """Words of a text: case-folded, without English stop words, stemmed by Snowball's English rules.

    Words of other languages pass through nearly unchanged.

    Examples:
        >>> tokenize("The health benefits of Vitamin D2")
        ['health', 'benefit', 'vitamin', 'd2']
    """
    return [_stems.made(word, _stem) for word in WORD.findall(text.casefold()) if word not in STOP_WORDS]


def stemmed(word: str) -> str | None:
    """The word that a run of :data:`WORD` in a case-folded text counts as in :func:`tokenize`; None for stop words."""
    return None if word in STOP_WORDS else _stems.made(word, _stem)


_local = threading.local()
_stems: BoundedCache[str, str] = BoundedCache(
    STEMS_MEMORY, weigh=lambda word, stem: sys.getsizeof(word) + sys.getsizeof(stem) + 300
)


def _stem(word: str) -> str:
    # A stemmer keeps its word in attributes: one per thread.
    if not hasattr(_local, "stemmer"):
        _local.stemmer = snowballstemmer.stemmer("english")
    return str(_local.stemmer.stemWord(word))


def matched_words(text: str, words: Collection[str]) -> tuple[str, ...]:
    """Words of a text as they stand in it that count as one of some words, each spelling once, in their order.

    Examples:
        >>> matched_words("Two teapots, tea, Tea and teas", ["tea"])
        ('tea', 'Tea', 'teas')
    """
    return tuple(word for word in dict.fromkeys(WORD.findall(text)) if stemmed(word.casefold()) in words)


def distinct_words(text: str, without: Sequence[str] = (), keeping: Sequence[str] = ()) -> list[str]:
    """Words of a text that none of the other texts has, and those that a text to keep has.

    What sets an excluded term apart from the wanted ones is evidence of it; what they share is not.

    Examples:
        >>> distinct_words("Miles Davis on the trumpet", without=["great jazz trumpet players"])
        ['mile', 'davi']
    """
    shared = {word for other in without for word in tokenize(other)}
    shared -= {word for other in keeping for word in tokenize(other)}
    return [word for word in tokenize(text) if word not in shared]

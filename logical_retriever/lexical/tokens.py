"""Texts to words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from logical_retriever.lexical.analysis import analyser


def tokenize(text: str, language: str = "en") -> list[str]:
    """Words of a text: case-folded, without stop words, stemmed by Snowball's rules.

    Args:
        text: Any.
        language: ISO 639-1 code, one of :data:`~logical_retriever.lexical.LANGUAGES`.

    Raises:
        InvalidArgumentError: The language is none of these.

    Examples:
        >>> tokenize("The health benefits of Vitamin D2")
        ['health', 'benefit', 'vitamin', 'd2']
        >>> tokenize("Die schönsten Häuser am See", "de"), tokenize("东京大学", "zh")
        (['schon', 'haus', 'see'], ['东京', '京大', '大学'])
    """
    return analyser(language).words(text)


def matched_words(text: str, words: Collection[str], language: str = "en") -> tuple[str, ...]:
    """Words of a text as they stand in it that count as one of some words, each spelling once, in their order.

    Examples:
        >>> matched_words("Two teapots, tea, Tea and teas", ["tea"])
        ('tea', 'Tea', 'teas')
        >>> matched_words("他在东京大学读书", ["东京", "大学"], "zh")
        ('东京', '大学')
    """
    read = analyser(language)
    return tuple([piece for piece in dict.fromkeys(read.pieces(text)) if not set(words).isdisjoint(read.words(piece))])


def distinct_words(
    text: str, without: Sequence[str] = (), keeping: Sequence[str] = (), language: str = "en"
) -> list[str]:
    """Words of a text that none of the other texts has, and those that a text to keep has.

    What sets an excluded term apart from the wanted ones is evidence of it; what they share is not.

    Examples:
        >>> distinct_words("Miles Davis on the trumpet", without=["great jazz trumpet players"])
        ['mile', 'davi']
    """
    shared = {word for other in without for word in tokenize(other, language)}
    shared -= {word for other in keeping for word in tokenize(other, language)}
    return [word for word in tokenize(text, language) if word not in shared]

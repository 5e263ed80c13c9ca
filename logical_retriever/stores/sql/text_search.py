"""Words in the language of Postgres' ``to_tsquery``."""

from __future__ import annotations

from logical_retriever.lexical import analyser
from logical_retriever.stores.base import WordQuery

PREFIX_FROM = 5
"""Letters of a stem from which, where text search knows no stems, every word that begins with it counts."""


def lexemes(query: WordQuery, configuration: str) -> dict[str, float]:
    """Words of word characters alone, in quotes, with their weights.

    Where the configuration is "simple", which knows no forms of words, those count that begin with a word's stem.
    """
    read = analyser(query.language)
    weights = query.weights if query.weights else [1.0 / place for place in range(1, len(query.words) + 1)]
    found: dict[str, float] = {}
    for given, weight in zip(query.words, weights, strict=True):
        for word in read.spellings(given):
            if (stem := read.stem(word)) is None:
                continue
            shared = next(stem[:size] for size in range(len(stem), -1, -1) if word.startswith(stem[:size]))
            prefix = configuration == "simple" and len(shared) >= PREFIX_FROM
            found.setdefault(f"'{shared}':*" if prefix else f"'{word}' | '{stem}'", float(weight))
    return found

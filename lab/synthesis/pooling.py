"""The documents that are judged for a question: the best of BM25's rankings of it and its terms, and a random part.

Judging every document for every question is what the paper did (ITLR, appendix I); pooling, as TREC does it, makes
the calls bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from random import Random

import numpy as np
import numpy.typing as npt

from logical_retriever.evaluation import bm25_of

Ranker = Callable[[str, int], Sequence[int]]
"""From a text and n to the positions of at most n documents, best first."""


def bm25_ranker(texts: Sequence[str]) -> Ranker:
    """Make a ranking by BM25 (bm25s); documents that share no word with the query are not ranked.

    Args:
        texts: N documents.

    Raises:
        MissingPackageError: bm25s is not installed.
    """
    scores = bm25_of(texts)
    return lambda query, count: _best(scores(query), count, above=0.0)


def pool(ranker: Ranker, queries: Sequence[str], *, source: int, size: int, corpus_size: int, rng: Random) -> list[int]:
    """Choose the positions of the documents to judge.

    A fifth of the pool is drawn at random, since a query of negations alone is satisfied by documents that no
    ranking of its terms finds; the rest is taken from the rankings of all texts in turn.

    Args:
        ranker: Ranks the documents for a text.
        queries: Texts to rank for: the question and its terms.
        source: The document the terms came from; always in the pool.
        size: Most documents in the pool.
        corpus_size: N, the number of documents.
        rng: Source of the random part.

    Returns:
        Distinct positions, in increasing order, so that the order tells the judge nothing.
    """
    drawn = rng.sample(range(corpus_size), min(corpus_size, size // 5))
    chosen = dict.fromkeys([source, *drawn][:size])
    lists = [ranker(query, size) for query in queries]
    for position in (position for turn in zip_longest(*lists) for position in turn):
        if position is not None and len(chosen) < size:
            chosen.setdefault(position)
    return sorted(chosen)


def _best(scores: npt.NDArray[np.float64], count: int, *, above: float) -> list[int]:
    """Return the positions of the best scores, ties by position."""
    order = np.argsort(-scores, kind="stable")[:count]
    return [int(position) for position in order if scores[position] > above]

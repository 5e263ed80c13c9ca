"""Which documents are judged for a question: the best of several rankings, and some at random.

Judging every document for every question is what the paper did (ITLR, appendix I); pooling, as TREC does it, makes
the calls bounded. A pool from one ranking alone would favour that method, so several can be given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from logical_retriever.embedding import Embedder
from logical_retriever.errors import EmbeddingError
from logical_retriever.evaluation.lexical import LexicalIndex
from logical_retriever.interleave import interleaved

Ranker = Callable[[str, int], Sequence[int]]
"""From a text and n to the positions of at most n documents, best first."""


def bm25_ranker(texts: Sequence[str]) -> Ranker:
    """Ranking by BM25 (bm25s); documents that share no word with the query are not ranked.

    Args:
        texts: N documents.

    Raises:
        MissingPackageError: bm25s is not installed.
    """
    index = LexicalIndex(texts)
    return lambda query, count: _best(index.scores(query), count, above=0.0)


def dense_ranker(embedder: Embedder, texts: Sequence[str]) -> Ranker:
    """Ranking by the cosine of the embedder's vectors; documents are encoded once, here.

    Args:
        embedder: The encoder.
        texts: N documents.

    Raises:
        EmbeddingError: The document vectors are not N rows of finite numbers.
    """
    vectors = np.asarray(embedder.embed_documents(texts), dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise EmbeddingError(
            f"Vectors of shape {vectors.shape} for {len(texts)} documents cannot be ranked.",
            hint="The embedder must return one row of finite numbers for each document.",
        )
    documents = _unit(vectors)

    def rank(query: str, count: int) -> list[int]:
        vector = _unit(np.asarray(embedder.embed_queries([query]), dtype=np.float64))[0]
        return _best(documents @ vector, count, above=-np.inf)

    return rank


def pool(
    rankers: Sequence[Ranker], queries: Sequence[str], *, source: int, size: int, corpus_size: int, rng: Random
) -> list[int]:
    """Positions of the documents to judge.

    A fifth of the pool is drawn at random, since a query of negations alone is satisfied by documents that no
    ranking of its terms finds; the rest is taken from all rankings in turn.

    Args:
        rankers: The rankings.
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
    lists = [ranker(query, size) for ranker in rankers for query in queries]
    for position in interleaved(lists):
        if len(chosen) >= size:
            break
        chosen.setdefault(position)
    return sorted(chosen)


def _best(scores: npt.NDArray[np.float64], count: int, *, above: float) -> list[int]:
    """Positions of the best scores, ties by position."""
    order = np.argsort(-scores, kind="stable")[:count]
    return [int(position) for position in order if scores[position] > above]


def _unit(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    # A zero vector has no direction; it stays zero and its cosine is 0.
    unit: npt.NDArray[np.float64] = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    return unit

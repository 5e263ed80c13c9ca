"""Candidates of a single search, with a vector that was optimised for the query."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from logical_retriever.query import LogicalQuery
from logical_retriever.results import Convergence, Plan
from logical_retriever.search.deo import Decomposition, moved_vector
from logical_retriever.search.reader import Pool, Reader
from logical_retriever.search.sphere import Array
from logical_retriever.search.sqo import spherical_optimum
from logical_retriever.search.threshold import Reading
from logical_retriever.semantics import NullDistributions, Semantics
from logical_retriever.vectors import Vectors


def read_nearest(
    query: LogicalQuery,
    plan: Plan,
    vectors: Vectors,
    reader: Reader,
    *,
    semantics: Semantics,
    nulls: NullDistributions | None,
    k: int,
) -> tuple[Reading, Array]:
    """Optimise a vector as planned, ask the store once, and read what it gives.

    Args:
        query: The query.
        plan: With the strategy "sqo" or "deo", and ``fetch_k``.
        vectors: Shape (T, d), one per text of ``plan.texts``.
        reader: The store.
        semantics: What the vector is optimised for where the strategy is "sqo".
        nulls: Null distributions of the texts where the semantics is calibrated.
        k: Documents wanted.

    Returns:
        What was read, nearest first as the store has it; and the cosines of these N candidates with the vector, shape
        (N,), in [-1, 1].
    """
    if plan.strategy == "sqo":
        optimum, convergence = spherical_optimum(
            query, plan.texts, vectors, semantics=semantics, nulls=nulls, question=plan.question
        )
    else:
        optimum, convergence = _moved(query, plan, vectors)
    vector = optimum.astype(np.float32)[None, :]
    length = k if plan.fetch_k is None else plan.fetch_k
    length = length if plan.max_candidates is None else min(length, plan.max_candidates)
    (ids,) = reader.search(vector, length)
    pool = Pool(reader, np.concatenate([vectors, vector]))
    pool.read(ids)
    found = pool.candidates()
    candidates = replace(found, cosines=found.cosines[:-1])
    complete = reader.filter is None and plan.count is not None and len(pool.asked) >= plan.count
    reading = Reading(candidates, proved=False, complete=complete, reason="", rounds=1, convergence=convergence)
    return _judged(reading, plan, semantics), found.cosines[-1]


def _moved(query: LogicalQuery, plan: Plan, vectors: Vectors) -> tuple[Array, Convergence]:
    parts = Decomposition.of(query, plan.question)

    def rows(texts: tuple[str, ...]) -> Vectors:
        return vectors[[plan.texts.index(text) for text in texts]]

    anchor = rows(parts.texts[:1])[0]
    return moved_vector(anchor, rows(parts.positives if parts.negatives else parts.texts), rows(parts.negatives))


def _judged(reading: Reading, plan: Plan, semantics: Semantics) -> Reading:
    """What the candidates prove: all of the store's documents, if these are all that it has."""
    if plan.strategy == "deo":
        return replace(
            reading, complete=False, reason=f"documents are ranked by one optimised vector, not by {semantics.name}"
        )
    if reading.complete:
        return replace(reading, proved=True, reason="every document was read")
    count = len(reading.candidates.ids)
    return replace(reading, reason=f"only the {count} documents nearest to the optimised vector were scored")

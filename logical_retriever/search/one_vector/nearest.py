"""Candidates of a single search, with a vector that was optimised for the query."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from logical_retriever.results import Convergence, Plan
from logical_retriever.search.access import Pool, Reader
from logical_retriever.search.one_vector.deo import Decomposition, moved_vector
from logical_retriever.search.one_vector.sqo import spherical_optimum
from logical_retriever.search.problem import Array, Problem
from logical_retriever.search.reading import Reading
from logical_retriever.vectors import Vectors


def read_nearest(problem: Problem, plan: Plan, reader: Reader) -> Reading:
    """Optimise a vector as planned, ask the store once, and read its answer, nearest first as the store has it.

    Args:
        problem: Its texts encoded; where the strategy is "sqo", its semantics is what the vector is optimised for.
        plan: With the strategy "sqo" or "deo", and ``fetch_k``.
        reader: The store.
    """
    moved = plan.strategy == "deo"
    optimum, convergence = _moved(problem) if moved else spherical_optimum(problem)
    vector = optimum.astype(np.float32)[None, :]
    length = plan.k if plan.fetch_k is None else plan.fetch_k
    length = length if plan.max_candidates is None else min(length, plan.max_candidates)
    (ids,) = reader.search(vector, length)
    pool = Pool(reader, np.concatenate([problem.vectors, vector]))
    pool.read(ids)
    found = pool.candidates()
    candidates = replace(found, cosines=found.cosines[:-1])
    if moved:
        reason = f"documents are ranked by one optimised vector, not by {problem.semantics.name}"
        return Reading(candidates, reason, rounds=1, convergence=convergence, scores=found.cosines[-1])
    complete = reader.filter is None and plan.count is not None and len(pool.asked) >= plan.count
    reason = f"only the {len(candidates.ids)} documents nearest to the optimised vector were scored"
    reason = "every document was read" if complete else reason
    return Reading(candidates, reason, proved=complete, complete=complete, rounds=1, convergence=convergence)


def _moved(problem: Problem) -> tuple[Array, Convergence]:
    parts = Decomposition.of(problem.query, problem.question)

    def rows(texts: tuple[str, ...]) -> Vectors:
        return problem.vectors[list(problem.rows(texts))]

    anchor = rows(parts.texts[:1])[0]
    return moved_vector(anchor, rows(parts.positives if parts.negatives else parts.texts), rows(parts.negatives))

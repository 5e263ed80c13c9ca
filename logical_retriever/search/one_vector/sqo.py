"""Spherical query optimisation: the one unit vector that a semantics would score highest."""

from __future__ import annotations

import numpy as np

from logical_retriever.query import negative_terms
from logical_retriever.results import Convergence
from logical_retriever.search.one_vector.sphere import Array, ascend
from logical_retriever.search.problem import Problem
from logical_retriever.vectors import unit

STARTS = 4
"""Points that are climbed from at least; one for each text that pulls, if these are more."""
MAX_STARTS = 8
"""Points that are climbed from at most, however many texts there are."""
SEED = 0
PULL_BACK = 0.5
"""Weight of the negated terms in the start that begins away from them."""
SPREAD = 0.5
"""Length of the random part of a random start, beside a centroid of length 1."""


def spherical_optimum(problem: Problem) -> tuple[Array, Convergence]:
    """Maximise the composed score over the unit sphere.

    The cosines of a unit vector ``u`` with the T texts stand for a document's; under a calibrated semantics they are
    standardised by each text's null distribution like a document's. Lexical evidence has no vector, and is left to the
    rescoring of what ``u`` finds. The score is a function of ``Vu`` alone, so that its gradient is ``Vᵀ`` times the
    derivative with respect to the cosines.

    The first start is the centroid of the texts that pull (:meth:`Semantics.wanted_texts`), the second lies away from
    the negated terms, then come the texts themselves, which alternatives need, then random points around the centroid
    with a fixed seed.

    Source: NSFL (arXiv 2604.10604), section 7 and algorithm 1, which starts at random.

    Args:
        problem: Its texts encoded, of any length, a row of zeros pulling nowhere; its semantics differentiable.

    Returns:
        The optimum, shape (d,), of length 1; and how it was found. The objective is the semantics' score.

    Raises:
        SemanticsError: The semantics has no gradients.
    """
    rows = unit(problem.vectors).astype(np.float64)

    def objective(points: Array) -> tuple[Array, Array]:
        scores, slopes = problem.gradients(rows @ points.T)
        return scores, slopes.T @ rows

    pulling = rows[list(problem.wanted)]
    pushing = rows[list(problem.rows(negative_terms(problem.query)))]
    return ascend(objective, _starts(pulling, pushing, rows.shape[1]))


def _starts(pulling: Array, pushing: Array, dimension: int) -> Array:
    """Between :data:`STARTS` and :data:`MAX_STARTS` points of the sphere, the same ones for the same vectors."""
    rng = np.random.default_rng(SEED)
    centroid = _usable(pulling.sum(axis=0, keepdims=True))
    away = centroid - PULL_BACK * _usable(pushing.mean(axis=0, keepdims=True)) if len(pushing) else centroid[:0]
    alternatives = _usable(pulling) if len(pulling) > 1 else centroid[:0]
    chosen = np.concatenate([centroid, _usable(away), alternatives])[: max(STARTS, min(MAX_STARTS, 2 + len(pulling)))]
    missing = max(0, STARTS - len(chosen))
    noise = _usable(rng.normal(size=(missing, dimension)))
    random = _usable(SPREAD * noise + centroid) if len(centroid) else noise
    return np.concatenate([chosen, random])


def _usable(rows: Array) -> Array:
    """Rows scaled to length 1, without those that have none."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    kept = lengths[:, 0] > 1e-9
    scaled: Array = rows[kept] / lengths[kept]
    return scaled

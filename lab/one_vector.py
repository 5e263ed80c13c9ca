"""One vector that stands for a logical query, optimised on the unit sphere: SQO and DEO."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logical_retriever import LogicalQuery, Semantics
from logical_retriever.query import negative_terms, positive_terms, refuse_conditions
from logical_retriever.scoring import Evidence, NullDistributions

Array = npt.NDArray[np.float64]
Objective = Callable[[Array], tuple[Array, Array]]
"""Values, shape (S,), and Euclidean gradients, shape (S, d), at S points of the sphere, shape (S, d)."""

TEMPERATURE = 0.5
ANCHOR = 0.25
"""Of DEO; chosen once, together with :data:`TEMPERATURE`, across all development sets of exclusion questions."""

MAX_ITERATIONS = 100
"""Evaluations of the objective at most; SQO's paper needs fewer as well."""
TOLERANCE = 1e-3
"""Length of the projected gradient, relative to 1 + |value|, at which a start has converged: the optimum is then some
hundredths of a degree away, far below what tells documents apart."""
SUFFICIENT = 1e-4
"""Share of the rise that the gradient promises which a step must bring (Armijo's condition)."""
FIRST_ANGLE, LONGEST_ANGLE = 0.3, 0.6
"""Length of the first step tried, and of the longest step, in radians."""
LEAST_ANGLE = 1e-4
"""Steps that would have to be shorter than this are not taken: the point is at a corner of a minimum or maximum."""
STARTS, MAX_STARTS = 4, 8
"""Points that SQO climbs from: one for each text that pulls, within these bounds."""
PULL_BACK, SPREAD = 0.5, 0.5
"""Weight of the negated terms in the start that begins away from them; length of the random part of a random start."""
STEP = 1e-5
"""Of the central differences, in units of the cosine."""


@dataclass(frozen=True)
class Optimum:
    """The highest point that was reached.

    Attributes:
        vector: Shape (d,), of length 1.
        objective: Value there.
        gradient_norm: Length of the projected gradient there.
        converged: Whether the gradient is level, or the point lies at a corner.
    """

    vector: Array
    objective: float
    gradient_norm: float = 0.0
    converged: bool = True


def unit(vectors: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Scale the rows of shape (N, d) to length 1; rows of zeros stay zeros."""
    rows = np.array(vectors, dtype=np.float64, ndmin=2)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Array = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled.astype(np.float32)


def most_possible(texts: Sequence[str], nulls: NullDistributions) -> dict[str, float]:
    """Return the evidence of a document at each text itself: shares of it do not depend on the other points."""
    return dict(zip(texts, ((1.0 - nulls.means) / nulls.deviations).tolist(), strict=True))


def spherical_optimum(
    query: LogicalQuery,
    semantics: Semantics,
    vectors: npt.ArrayLike,
    *,
    nulls: NullDistributions | None = None,
    asked: str | None = None,
) -> Optimum:
    """Maximise the composed score over the unit sphere: NSFL's spherical query optimisation, its algorithm 1.

    The cosines of a unit vector ``u`` with the T texts V stand for a document's. The score is a function of ``Vu``
    alone, so that its gradient is ``Vᵀ`` times the derivative with respect to the cosines, which central differences
    give. Scores that are relative to the best of a pool are relative to 1 here, the most there is: the paper's
    "pre-computed upper bound".

    The first start is the centroid of the wanted texts, the second lies away from the negated terms, then come the
    texts themselves, which alternatives need, then random points around the centroid with a fixed seed; the paper
    starts at random.

    Args:
        query: The query, without conditions.
        semantics: Scores it.
        vectors: Shape (T, d), of ``semantics.texts(query, asked)``; a row of zeros pulls nowhere.
        nulls: Null distributions of the texts, for calibrated semantics.
        asked: The question that the query was made of, for semantics that look at it.

    Raises:
        InvalidArgumentError: The query has conditions.
    """
    refuse_conditions(query, "SQO")
    texts, rows = semantics.texts(query, asked), unit(vectors).astype(np.float64)

    strongest = {} if nulls is None else most_possible(texts, nulls)

    def scores(cosines: Array) -> Array:
        return semantics.compose(query, Evidence(texts, cosines, nulls, asked=asked, strongest=strongest))

    def objective(points: Array) -> tuple[Array, Array]:
        values, slopes = _differences(scores, rows @ points.T)
        return values, slopes.T @ rows

    pulling = rows[[texts.index(text) for text in semantics.wanted_texts(query, asked)]]
    pushing = rows[[texts.index(text) for text in negative_terms(query)]]
    return ascend(objective, _starts(pulling, pushing, rows.shape[1]))


def decomposed(query: LogicalQuery, asked: str | None = None) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return DEO's parts of a query: the anchor, the texts that pull it, and those that push it away.

    Raises:
        InvalidArgumentError: The query has conditions.
    """
    refuse_conditions(query, "DEO")
    wanted, unwanted = positive_terms(query), negative_terms(query)
    anchor = " and ".join(wanted) if asked is None else asked
    return anchor, wanted or (anchor,), unwanted


def moved_vector(
    anchor: npt.ArrayLike,
    positives: npt.ArrayLike,
    negatives: npt.ArrayLike,
    *,
    temperature: float = TEMPERATURE,
    weight: float = ANCHOR,
) -> Optimum:
    """Minimise DEO's contrastive loss (arXiv 2603.09185) over the unit sphere, starting at the anchor.

    Loss ``-log(Σ exp(u·p/τ) / (Σ exp(u·p/τ) + Σ exp(u·n/τ))) + w·|u - q|²`` over the positives ``p`` and the negatives
    ``n``, with ``q`` the anchor; the objective is the negative loss. Without negatives there is nothing to contrast,
    and the anchor is returned as it is. The paper's own constants belong to its larger encoder.

    Args:
        anchor: q, shape (d,), of any length but 0.
        positives: Shape (P, d), P of at least 1.
        negatives: Shape (M, d).
        temperature: τ, above 0.
        weight: w of staying near the anchor, at least 0.
    """
    origin = unit(anchor)[0].astype(np.float64)
    wanted, unwanted = unit(positives).astype(np.float64), np.asarray(negatives)
    if not len(unwanted):
        return Optimum(origin, 0.0)
    both = np.concatenate([wanted, unit(unwanted).astype(np.float64)])

    def objective(points: Array) -> tuple[Array, Array]:
        own, own_weights = _log_sum(points @ wanted.T / temperature)
        total, weights = _log_sum(points @ both.T / temperature)
        away = points - origin
        values = own - total - weight * np.einsum("sd,sd->s", away, away)
        return values, (own_weights @ wanted - weights @ both) / temperature - 2.0 * weight * away

    return ascend(objective, origin[None, :])


def ascend(objective: Objective, starts: Array, *, max_iterations: int = MAX_ITERATIONS) -> Optimum:
    """Climb on the unit sphere from every start at once, by Riemannian gradient ascent.

    The gradient is projected on the tangent space, the step is taken and the point scaled back to length 1 (the
    retraction of Absil, Mahony and Sepulchre, "Optimization Algorithms on Matrix Manifolds", 2008, section 4.1). Every
    start has its own step length: halved where the step does not rise enough, by Barzilai and Borwein's rule where it
    does.

    Args:
        objective: The function to maximise.
        starts: Shape (S, d), S of at least 1, rows of length 1.
        max_iterations: At least 1.

    Returns:
        The highest point; of equal ones, that of the first start.
    """
    points = np.array(starts, dtype=np.float64)
    values, gradients = objective(points)
    gradients = _projected(gradients, points)
    norms = np.linalg.norm(gradients, axis=1)
    angles = np.full(len(points), FIRST_ANGLE)
    iterations = 1
    while iterations < max_iterations:
        climbing = np.flatnonzero((norms > TOLERANCE * (1.0 + np.abs(values))) & (angles > LEAST_ANGLE))
        if not len(climbing):
            break
        steps = angles[climbing] / norms[climbing]
        tried = points[climbing] + steps[:, None] * gradients[climbing]
        tried /= np.linalg.norm(tried, axis=1, keepdims=True)
        heights, slopes = objective(tried)
        iterations += 1
        enough = heights >= values[climbing] + SUFFICIENT * steps * norms[climbing] ** 2
        angles[climbing[~enough]] *= 0.5
        moved = climbing[enough]
        turned = _projected(slopes[enough], tried[enough])
        lengths = _step_lengths(tried[enough] - points[moved], gradients[moved] - turned, steps[enough])
        points[moved], values[moved], gradients[moved] = tried[enough], heights[enough], turned
        norms[moved] = np.linalg.norm(turned, axis=1)
        angles[moved] = np.minimum(lengths * norms[moved], LONGEST_ANGLE)
    best = int(np.argmax(values))
    level = bool(norms[best] <= TOLERANCE * (1.0 + abs(values[best])) or angles[best] <= LEAST_ANGLE)
    return Optimum(points[best], float(values[best]), float(norms[best]), level)


def _differences(scores: Callable[[Array], Array], cosines: Array) -> tuple[Array, Array]:
    """Return scores, shape (S,), at cosines of shape (T, S), and their derivatives, shape (T, S)."""
    texts, points = cosines.shape
    probes = np.repeat(cosines[None], 2 * texts + 1, axis=0)
    probes[np.arange(texts), np.arange(texts)] += STEP
    probes[np.arange(texts) + texts, np.arange(texts)] -= STEP
    # A last document about everything: what is relative to the best of the pool is the same for all points.
    columns = np.concatenate([probes.transpose(1, 0, 2).reshape(texts, -1), np.ones((texts, 1))], axis=1)
    values = np.asarray(scores(columns), dtype=np.float64)[:-1].reshape(-1, points)
    return values[-1], (values[:texts] - values[texts:-1]) / (2.0 * STEP)


def _starts(pulling: Array, pushing: Array, dimension: int) -> Array:
    """Choose :data:`STARTS` to :data:`MAX_STARTS` points of the sphere, the same ones for the same vectors."""
    rng = np.random.default_rng(0)
    centroid = _usable(pulling.sum(axis=0, keepdims=True))
    away = centroid - PULL_BACK * _usable(pushing.mean(axis=0, keepdims=True)) if len(pushing) else centroid[:0]
    alternatives = _usable(pulling) if len(pulling) > 1 else centroid[:0]
    chosen = np.concatenate([centroid, _usable(away), alternatives])[: max(STARTS, min(MAX_STARTS, 2 + len(pulling)))]
    noise = _usable(rng.normal(size=(max(0, STARTS - len(chosen)), dimension)))
    return np.concatenate([chosen, _usable(SPREAD * noise + centroid) if len(centroid) else noise])


def _usable(rows: Array) -> Array:
    """Scale rows to length 1, and leave out those of length 0."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    long = lengths[:, 0] > 1e-9
    scaled: Array = rows[long] / lengths[long]
    return scaled


def _log_sum(x: Array) -> tuple[Array, Array]:
    """Return, for each row, the logarithm of the summed exponentials and each one's share of the sum."""
    most = x.max(axis=1, keepdims=True)
    exponentials = np.exp(x - most)
    sums = exponentials.sum(axis=1, keepdims=True)
    return (most + np.log(sums))[:, 0], exponentials / sums


def _step_lengths(steps: Array, falls: Array, lengths: Array) -> Array:
    """Return the lengths of the next steps, shape (S,), from the last ones and the fall of the gradient."""
    curvatures = np.einsum("sd,sd->s", steps, falls)
    squares = np.einsum("sd,sd->s", steps, steps)
    # Where the gradient grew, the function bends upwards, and says nothing about how far to go.
    bent = curvatures > squares / (8.0 * lengths)
    return np.where(bent, squares / np.where(bent, curvatures, 1.0), 2.0 * lengths)


def _projected(gradients: Array, points: Array) -> Array:
    """Project gradients onto the tangent spaces of the points."""
    tangent: Array = gradients - np.einsum("sd,sd->s", gradients, points)[:, None] * points
    return tangent

"""The highest point of a smooth function on the unit sphere, by Riemannian gradient ascent from several starts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from logical_retriever.results import Convergence

Array = npt.NDArray[np.float64]
Objective = Callable[[Array], tuple[Array, Array]]
"""Values, shape (S,), and Euclidean gradients, shape (S, d), at S points of the sphere, shape (S, d)."""

MAX_ITERATIONS = 100
"""Evaluations of the objective at most; the paper needs fewer as well."""
TOLERANCE = 1e-3
"""Length of the projected gradient, relative to 1 + |value|, at which a start has converged: the optimum is then some
hundredths of a degree away, far below what tells documents apart."""
SUFFICIENT = 1e-4
"""Share of the rise that the gradient promises which a step must bring (Armijo's condition)."""
FIRST_ANGLE = 0.3
"""Length of the first step tried, in radians."""
LONGEST_ANGLE = 0.6
"""No step is longer, in radians."""
LEAST_ANGLE = 1e-4
"""Steps that would have to be shorter than this are not taken: the point is at a corner of a minimum or maximum."""


def ascend(objective: Objective, starts: Array, *, max_iterations: int = MAX_ITERATIONS) -> tuple[Array, Convergence]:
    """Climb from every start at once.

    The gradient is projected on the tangent space, the step is taken and the point scaled back to length 1 (the
    retraction of Absil, Mahony and Sepulchre, "Optimization Algorithms on Matrix Manifolds", 2008, section 4.1). Every
    start has its own step length: halved where the step does not rise enough, doubled where it does (backtracking). All
    starts are evaluated together, once an iteration.

    Args:
        objective: What is to be as high as possible.
        starts: Shape (S, d), S of at least 1, rows of length 1.
        max_iterations: At least 1.

    Returns:
        The highest point found, shape (d,), length 1; and how it was found. Of equal ones, that of the first start.
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
        found, slopes = objective(tried)
        iterations += 1
        enough = found >= values[climbing] + SUFFICIENT * steps * norms[climbing] ** 2
        angles[climbing[~enough]] *= 0.5
        moved = climbing[enough]
        turned = _projected(slopes[enough], tried[enough])
        lengths = _step_lengths(tried[enough] - points[moved], gradients[moved] - turned, steps[enough])
        points[moved], values[moved], gradients[moved] = tried[enough], found[enough], turned
        norms[moved] = np.linalg.norm(turned, axis=1)
        angles[moved] = np.minimum(lengths * norms[moved], LONGEST_ANGLE)
    best = int(np.argmax(values))
    return points[best], Convergence(
        objective=float(values[best]),
        gradient_norm=float(norms[best]),
        iterations=iterations,
        starts=len(points),
        converged=bool(norms[best] <= TOLERANCE * (1.0 + abs(values[best])) or angles[best] <= LEAST_ANGLE),
    )


def _step_lengths(steps: Array, falls: Array, lengths: Array) -> Array:
    """Lengths of the next steps, shape (S,); ``falls`` are by how much the gradients fell on the last ones."""
    curvatures = np.einsum("sd,sd->s", steps, falls)
    squares = np.einsum("sd,sd->s", steps, steps)
    # Where the gradient grew, the function bends upwards, and says nothing about how far to go.
    bent = curvatures > squares / (8.0 * lengths)
    return np.where(bent, squares / np.where(bent, curvatures, 1.0), 2.0 * lengths)


def _projected(gradients: Array, points: Array) -> Array:
    """The part of the gradients that lies in the tangent spaces of the points."""
    along = np.einsum("sd,sd->s", gradients, points)
    tangent: Array = gradients - along[:, None] * points
    return tangent

"""The vectors a store is asked with: the texts, their opposites, and directions in which the score rises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logical_retriever.search.problem import Array, Problem
from logical_retriever.vectors import Vectors

STEP = 1e-5
"""Half the distance over which slopes are measured where they cannot be computed."""
NEGLIGIBLE = 0.02
"""Weights below this share of the greatest are left out of a direction."""
CANCELLED = 0.05
"""A combination shorter than this share of its parts' lengths is mostly rounding, and no direction."""
ALIKE = 0.9998
"""Cosine of two directions above which the second list would repeat the first."""
SHOWN = 40
"""Characters of a text in the name of a direction."""


@dataclass(frozen=True, eq=False)
class Direction:
    """A linear function of the cosines that a store can rank by.

    Attributes:
        weights: Shape (T,): the cosine with the direction is ``weights @ cosines``.
        vector: Shape (d,), what the store is asked for: of any length.
        name: In words: the text, "NOT text" for its opposite, or a weighted sum of texts.
        row: Of the one text that it looks at; None where there are several.
    """

    weights: Array
    vector: Vectors
    name: str
    row: int | None = None

    @property
    def opposite(self) -> bool:
        """Whether the documents least like a text come first."""
        return self.row is not None and self.weights[self.row] < 0


class Directions:
    """Directions made of the texts of one problem.

    Args:
        problem: Its texts encoded; in the directions its scores rise.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        # In float64, as the cosines of what is read: rounding would grow where texts nearly cancel.
        rows = problem.vectors.astype(np.float64)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        usable = np.isfinite(lengths) & (lengths > 0)
        self._units = np.divide(rows, lengths, out=np.zeros_like(rows), where=usable)
        self._gram = self._units @ self._units.T

    def of_text(self, text: str, sign: int = 1) -> Direction:
        """Towards the documents most like a text, or, with sign -1, least like it."""
        row = self._problem.texts.index(text)
        weights = np.zeros(len(self._problem.texts))
        weights[row] = sign
        return Direction(weights, sign * self._problem.vectors[row], text if sign > 0 else f"NOT {text}", row)

    def uphill(self, cosines: Array) -> Direction | None:
        """The direction in which the scores of some documents rise, on average.

        Args:
            cosines: Shape (T, N).

        Returns:
            None where scores do not change, or with one text alone, or where that cannot be told.
        """
        slopes = self._slopes(cosines)
        weights = slopes[:, np.isfinite(slopes).all(axis=0)].sum(axis=1)
        largest = np.abs(weights).max(initial=0.0)
        if not np.isfinite(largest) or largest <= 0.0:
            return None
        weights = np.where(np.abs(weights) < NEGLIGIBLE * largest, 0.0, weights / largest)
        if np.count_nonzero(weights) < 2:
            return None
        vector = weights @ self._units
        length = float(np.linalg.norm(vector))
        if length < CANCELLED * np.abs(weights).sum():
            return None
        weights = weights / length
        return Direction(weights, (vector / length).astype(np.float32), self._name(weights))

    def towards_wanted(self, direction: Direction) -> bool:
        """Whether a direction points at documents of the kind that is wanted, rather than away from any.

        Approximate indexes find neighbours of what they hold; far from all of it they miss most.
        """
        return bool((direction.weights @ self._gram[:, list(self._problem.wanted)]).sum() > 0.0)

    def alike(self, one: Direction, other: Direction) -> bool:
        """Whether two directions rank documents nearly alike."""
        return bool(one.weights @ self._gram @ other.weights > ALIKE)

    def _slopes(self, cosines: Array) -> Array:
        """How scores change with each cosine: shape (T, N)."""
        if self._problem.semantics.differentiable:
            return self._problem.gradients(cosines)[1]
        count, n = cosines.shape
        shifts = STEP * np.repeat(np.eye(count), n, axis=1)
        around = np.concatenate([np.tile(cosines, count) + shifts, np.tile(cosines, count) - shifts], axis=1)
        scores = self._problem.scores(around)
        found: Array = (scores[: count * n] - scores[count * n :]).reshape(count, n) / (2.0 * STEP)
        return found

    def _name(self, weights: Array) -> str:
        """As a sum: ``0.81 "a" - 0.55 "b"``."""
        parts = [
            f'{"-" if weight < 0 else "+"} {abs(weight):.2f} "{_shortened(text)}"'
            for weight, text in zip(weights, self._problem.texts, strict=True)
            if weight
        ]
        return " ".join(parts).removeprefix("+ ")


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1].rstrip()}…"


def stacked(directions: Sequence[Direction]) -> Vectors:
    """The vectors of directions, shape (L, d)."""
    return np.stack([direction.vector for direction in directions])

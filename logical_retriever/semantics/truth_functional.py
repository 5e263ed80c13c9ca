"""Semantics whose operators see nothing but the values of their operands, and maps from cosines to such values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import reduce

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.semantics.base import Composition, Semantics
from logical_retriever.semantics.evidence import Array, Evidence

TruthMap = Callable[[Array], Array]
"""Maps cosines, shape (T, N) in [-1, 1], to values of the same shape, non-decreasing in each."""


def raw(cosines: Array) -> Array:
    """Cosines as they are, in [-1, 1]: what the ITLR paper composes."""
    return cosines


def clipped(cosines: Array) -> Array:
    """Cosines below 0 count as 0: ``max(0, s)``, in [0, 1]. An unrelated text is false, not half true."""
    return np.clip(cosines, 0.0, 1.0)


def rescaled(cosines: Array) -> Array:
    """Cosines moved linearly to [0, 1]: ``(1 + s) / 2``."""
    return (1.0 + np.clip(cosines, -1.0, 1.0)) * 0.5


class TruthFunctional(Semantics):
    """Maps every cosine to a truth value and folds the operators over the tree.

    Subclasses give the three operators on arrays of shape (N,). Conjunction and disjunction are binary and folded
    from the left over the operands as written.

    Args:
        truth: From cosines to truth values; by default :func:`clipped`.
    """

    def __init__(self, truth: TruthMap = clipped) -> None:
        self.truth = truth

    @abstractmethod
    def conjunction(self, x: Array, y: Array) -> Array:
        """Value of "x and y"."""

    @abstractmethod
    def disjunction(self, x: Array, y: Array) -> Array:
        """Value of "x or y"."""

    def negation(self, x: Array) -> Array:
        """Value of "not x": the standard negation ``1 - x``."""
        return 1.0 - x

    def compose(self, query: LogicalQuery, evidence: Evidence) -> Composition:
        """Score N documents; the score is the value of the whole query."""
        truth = self.truth(evidence.cosines)
        values: dict[LogicalQuery, Array] = {}

        def visit(node: LogicalQuery, operands: tuple[Array, ...]) -> Array:
            value: Array
            if isinstance(node, Term):
                value = truth[evidence.row(node.text)]
            elif isinstance(node, Not):
                value = self.negation(operands[0])
            elif isinstance(node, And):
                value = reduce(self.conjunction, operands)
            elif isinstance(node, Or):
                value = reduce(self.disjunction, operands)
            else:
                raise SemanticsError(
                    f"{type(self).__name__} has no operator for {type(node).__name__}.",
                    hint="A query is made of Term, Not, And and Or.",
                )
            values[node] = value
            return value

        return Composition(scores=query.fold(visit), values=values)

"""Semantics whose operators see nothing but the values of their operands."""

from __future__ import annotations

from abc import abstractmethod
from functools import reduce

from logical_retriever.errors import SemanticsError
from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.semantics.base import Composition, Semantics
from logical_retriever.semantics.evidence import Array, Evidence
from logical_retriever.semantics.truth import TruthMap, clipped


class TruthFunctional(Semantics):
    """Maps every cosine to a truth value and folds the operators over the tree.

    Subclasses give the three operators on arrays of shape (N,). Conjunction and disjunction are binary and folded
    from the left over the operands as written. Scores are differentiable as long as operators and truth map are
    elementwise arithmetic in NumPy.

    Args:
        truth: From cosines to truth values; by default :func:`~logical_retriever.semantics.truth.clipped`.
    """

    differentiable = True

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

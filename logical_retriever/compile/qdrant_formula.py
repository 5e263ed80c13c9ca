"""Expressions as Qdrant's formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from logical_retriever.compile.expression import (
    Add,
    Divide,
    Exp,
    Log,
    Log1p,
    Maximum,
    Minimum,
    Multiply,
    Negate,
    Node,
    Sqrt,
)
from logical_retriever.compile.interval import COSINE, Interval

MAX_NESTING: Final = 96
"""Levels of JSON in a formula. Servers read 128 in a body (serde_json's limit), and 100 over gRPC (prost's)."""
MAX_SIZE: Final = 5_000
"""Operations in a formula, evaluated for every candidate."""

NEGLIGIBLE: Final = 1e-20
"""A floor this low keeps a divisor from being 0; nothing else can tell whether it is a maximum or a sum."""


@dataclass(frozen=True)
class Piece:
    """A part of a formula.

    Attributes:
        data: JSON.
        values: Interval of its values.
        size: Operations in it, constants and scores among them.
        depth: Levels of JSON.
        constant: Whether it is a number.
    """

    data: Any
    values: Interval
    size: int = 1
    depth: int = 0
    constant: bool = False


def _operator(name: str, node: Node) -> Callable[..., Piece]:
    """A method that writes an operator of one operand."""
    return lambda _, operand: _written({name: operand.data}, node, operand)


def _chain(name: str, node: Node) -> Callable[..., Piece]:
    """A method that writes an operator of any number of operands; from the left they are computed as pairs would be."""

    def written(_: object, left: Piece, right: Piece) -> Piece:
        longer = isinstance(left.data, dict) and name in left.data
        first = left.data[name] if longer else [left.data]
        depth = max(left.depth, right.depth + 2) if longer else 2 + max(left.depth, right.depth)
        values = node.interval(left.values, right.values)
        return Piece({name: [*first, right.data]}, values, left.size + right.size + (not longer), depth)

    return written


class FormulaPrinter:
    """One method per node, for :class:`~logical_retriever.compile.Compiler`.

    A formula that fails for one point fails the request: nothing here divides by 0 or takes a logarithm of it. Servers
    compute in double precision from scores of 32 bits.

    Attributes:
        has_extremes: Whether the server's formulas are known to have ``min`` and ``max``.
    """

    has_extremes: bool

    def cosine(self, index: int) -> Piece:
        """The score of a prefetch; servers give 0 for vectors of zeros."""
        return Piece(f"$score[{index}]", COSINE)

    def constant(self, value: float) -> Piece:
        """A number."""
        return Piece(value, Interval(value, value), constant=True)

    negate, exp, log = _operator("neg", Negate), _operator("exp", Exp), _operator("ln", Log)
    add, multiply = _chain("sum", Add), _chain("mult", Multiply)
    _smallest, _largest = _chain("min", Minimum), _chain("max", Maximum)

    def subtract(self, left: Piece, right: Piece) -> Piece:
        """``sum`` and ``neg``."""
        return self.add(left, self.constant(-right.data) if right.constant else self.negate(right))

    def divide(self, left: Piece, right: Piece) -> Piece:
        """``div``."""
        piece = _written({"div": {"left": left.data, "right": right.data}}, Divide, left, right)
        return replace(piece, depth=piece.depth + 1)

    def maximum(self, left: Piece, right: Piece) -> Piece:
        """``max``; or ``(x + y + |x - y|) / 2``; or ``c + (d + |d|) / 2`` with ``d = x - c``, exactly c below c."""
        if self.has_extremes:
            return self._largest(left, right)
        values = Maximum.interval(left.values, right.values)
        if left.constant or right.constant:
            fixed, other = (left, right) if left.constant else (right, left)
            if 0.0 < fixed.data <= NEGLIGIBLE and other.values.low >= 0.0:
                return self.add(fixed, self._magnitude(other))
            above = self._ramp(self._plus(other, self.constant(-fixed.data)))
            return replace(self._plus(fixed, above), values=values)
        apart = self._magnitude(self.subtract(left, right))
        return replace(self._half(self.add(self.add(left, right), apart)), values=values)

    def minimum(self, left: Piece, right: Piece) -> Piece:
        """``min``, or as :meth:`maximum`; of positive numbers ``x / max(x, y) * y``."""
        if right.data == {"neg": left.data}:
            return self.negate(self._magnitude(left))
        if self.has_extremes:
            return self._smallest(left, right)
        values = Minimum.interval(left.values, right.values)
        if left.constant or right.constant:
            fixed, other = (left, right) if left.constant else (right, left)
            return replace(self.subtract(fixed, self._ramp(self.subtract(fixed, other))), values=values)
        if left.values.low > 0.0 and right.values.low > 0.0:
            # The difference of a large and a small number would lose the small one, whose logarithm is taken.
            return replace(self.multiply(self.divide(left, self.maximum(left, right)), right), values=values)
        apart = self._magnitude(self.subtract(left, right))
        return replace(self._half(self.subtract(self.add(left, right), apart)), values=values)

    def sqrt(self, operand: Piece) -> Piece:
        """``sqrt`` of the magnitude: rounding may have taken x below 0, where servers fail."""
        return _written({"sqrt": {"abs": operand.data}}, Sqrt, operand)

    def log1p(self, operand: Piece) -> Piece:
        """Kahan's ``x log(u) / (u - 1)``, as ``x (1 + (log(u) - d) / d)`` with ``d = u - 1``.

        Where d is 0, so is what it divides, and servers answer 0 without dividing.
        """
        one = self.constant(1.0)
        raised = self.add(one, operand)
        difference = self.subtract(raised, one)
        numerator = self.subtract(self.log(raised), difference)
        ratio = self.divide(numerator, difference)
        guarded = {"div": {**ratio.data["div"], "by_zero_default": 0.0}}
        correction = replace(ratio, data=guarded, values=Interval(-0.5, 0.0))
        return replace(self.multiply(operand, self.add(one, correction)), values=Log1p.interval(operand.values))

    def _ramp(self, operand: Piece) -> Piece:
        """``max(x, 0)`` as ``(x + |x|) / 2``, which loses nothing."""
        return self._half(self.add(operand, self._magnitude(operand)))

    def _magnitude(self, operand: Piece) -> Piece:
        """``abs``."""
        return _written({"abs": operand.data}, Maximum, operand, self.negate(operand), copies=1)

    def _half(self, operand: Piece) -> Piece:
        return self.multiply(self.constant(0.5), operand)

    def _plus(self, left: Piece, right: Piece) -> Piece:
        """A sum that leaves zeros out."""
        if right.data == 0.0:
            return left
        return right if left.data == 0.0 else self.add(left, right)


def _written(data: Any, node: Node, *operands: Piece, copies: int | None = None) -> Piece:
    """A piece around its operands; of these, the first ``copies`` stand in it, or all."""
    inner = operands[:copies]
    return Piece(
        data,
        node.interval(*(operand.values for operand in operands)),
        1 + sum(operand.size for operand in inner),
        1 + max(operand.depth for operand in inner),
    )

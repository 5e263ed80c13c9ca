"""Expressions as Qdrant's formulas."""

from __future__ import annotations

from dataclasses import dataclass
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


class FormulaPrinter:
    """One method per node, for :class:`~logical_retriever.compile.Compiler`.

    A formula that fails for one point fails the request: nothing here divides by 0 or takes a logarithm of it. Servers
    compute in double precision from scores of 32 bits.
    """

    @property
    def has_extremes(self) -> bool:
        """Whether formulas have ``min`` and ``max``."""
        raise NotImplementedError

    def cosine(self, index: int) -> Piece:
        """The score of a prefetch; servers give 0 for vectors of zeros."""
        return Piece(f"$score[{index}]", COSINE)

    def constant(self, value: float) -> Piece:
        """A number."""
        return Piece(value, Interval(value, value), constant=True)

    def negate(self, operand: Piece) -> Piece:
        """``neg``."""
        return _written({"neg": operand.data}, Negate, operand)

    def add(self, left: Piece, right: Piece) -> Piece:
        """``sum``."""
        return _flat("sum", Add, left, right)

    def subtract(self, left: Piece, right: Piece) -> Piece:
        """``sum`` and ``neg``."""
        negated = self.constant(-right.data) if right.constant else self.negate(right)
        return _flat("sum", Add, left, negated)

    def multiply(self, left: Piece, right: Piece) -> Piece:
        """``mult``."""
        return _flat("mult", Multiply, left, right)

    def divide(self, left: Piece, right: Piece) -> Piece:
        """``div``."""
        piece = _written({"div": {"left": left.data, "right": right.data}}, Divide, left, right)
        return Piece(piece.data, piece.values, piece.size, piece.depth + 1)

    def maximum(self, left: Piece, right: Piece) -> Piece:
        """``max``; or ``(x + y + |x - y|) / 2``; or ``c + (d + |d|) / 2`` with ``d = x - c``, exactly c below c."""
        if self.has_extremes:
            return _flat("max", Maximum, left, right)
        values = Maximum.interval(left.values, right.values)
        if left.constant or right.constant:
            fixed, other = (left, right) if left.constant else (right, left)
            if 0.0 < fixed.data <= NEGLIGIBLE and other.values.low >= 0.0:
                return self.add(fixed, self._magnitude(other))
            return _within(self._plus(fixed, self._ramp(self._plus(other, self._minus(fixed)))), values)
        apart = self._magnitude(self.subtract(left, right))
        return _within(self._half(self.add(self.add(left, right), apart)), values)

    def minimum(self, left: Piece, right: Piece) -> Piece:
        """``min``, or as :meth:`maximum`; of positive numbers ``x / max(x, y) * y``."""
        if right.data == {"neg": left.data}:
            return self.negate(self._magnitude(left))
        if self.has_extremes:
            return _flat("min", Minimum, left, right)
        values = Minimum.interval(left.values, right.values)
        if left.constant or right.constant:
            fixed, other = (left, right) if left.constant else (right, left)
            return _within(self.subtract(fixed, self._ramp(self.subtract(fixed, other))), values)
        if left.values.low > 0.0 and right.values.low > 0.0:
            # The difference of a large and a small number would lose the small one, whose logarithm is taken.
            return _within(self.multiply(self.divide(left, self.maximum(left, right)), right), values)
        apart = self._magnitude(self.subtract(left, right))
        return _within(self._half(self.subtract(self.add(left, right), apart)), values)

    def exp(self, operand: Piece) -> Piece:
        """``exp``."""
        return _written({"exp": operand.data}, Exp, operand)

    def log(self, operand: Piece) -> Piece:
        """``ln``."""
        return _written({"ln": operand.data}, Log, operand)

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
        numerator = self.subtract(_written({"ln": raised.data}, Log, raised), difference)
        ratio = self.divide(numerator, difference)
        guarded = {"div": {**ratio.data["div"], "by_zero_default": 0.0}}
        correction = Piece(guarded, Interval(-0.5, 0.0), ratio.size, ratio.depth)
        return _within(self.multiply(operand, self.add(one, correction)), Log1p.interval(operand.values))

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
        return next((x for x, zero in ((left, right), (right, left)) if zero.data == 0.0), None) or self.add(
            left, right
        )

    def _minus(self, number: Piece) -> Piece:
        return self.constant(-number.data)


def _written(data: Any, node: Node, *operands: Piece, copies: int | None = None) -> Piece:
    """A piece around its operands; of these, the first ``copies`` stand in it, or all."""
    inner = operands[:copies]
    return Piece(
        data,
        node.interval(*(operand.values for operand in operands)),
        1 + sum(operand.size for operand in inner),
        1 + max(operand.depth for operand in inner),
    )


def _flat(name: str, node: Node, left: Piece, right: Piece) -> Piece:
    """An operator of any number of operands; from the left they are computed as pairs would be."""
    chain = isinstance(left.data, dict) and name in left.data
    values = node.interval(left.values, right.values)
    first = left.data[name] if chain else [left.data]
    depth = max(left.depth, right.depth + 2) if chain else 2 + max(left.depth, right.depth)
    return Piece({name: [*first, right.data]}, values, left.size + right.size + (not chain), depth)


def _within(piece: Piece, values: Interval) -> Piece:
    """A piece whose interval is known better than its operators tell."""
    return Piece(piece.data, values, piece.size, piece.depth)

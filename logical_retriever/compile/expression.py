"""Arithmetic over cosines: what a query and its semantics come down to, in no engine's language."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, final

import numpy as np
import numpy.typing as npt

from logical_retriever.compile.interval import COSINE, EVERYTHING, Interval, corners
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.trees import Tree

Array = npt.NDArray[np.float64]


class Expression(Tree["Expression"]):
    """Base of the nodes; immutable, compared by structure. ``+ - * /`` with expressions and numbers build larger ones.

    Attributes:
        size: Cosines and constants in it, repetitions counted.
        values: Interval of its values over all cosines. Operands that rise and fall together make it wider than need
            be: ``x - x`` is not known to be 0.
        ufunc: Its operator, of arrays.
        scalar: Its operator, of numbers; infinite or NaN where a number has no value.

    Examples:
        >>> expression = 1.0 - Cosine(0) * 2.0
        >>> expression
        Subtract(left=Constant(value=1.0), right=Multiply(left=Cosine(index=0), right=Constant(value=2.0)))
        >>> expression.values
        Interval(low=-1.0, high=3.0)
    """

    __slots__ = ("size", "values")

    size: int
    values: Interval
    ufunc: ClassVar[np.ufunc]
    scalar: ClassVar[Callable[..., float]]

    def __post_init__(self) -> None:
        children = self.children
        self._know(sum(child.size for child in children), self.interval(*(child.values for child in children)))

    def _know(self, size: int, values: Interval) -> None:
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "values", values)

    @classmethod
    def interval(cls, *operands: Interval) -> Interval:
        """Interval of the operator over intervals of its operands, each taken on its own.

        Examples:
            >>> Multiply.interval(Interval(-1.0, 2.0), Interval(-3.0, 1.0))
            Interval(low=-6.0, high=3.0)
        """
        return corners(cls.scalar, operands)

    @classmethod
    def of(cls, *operands: Expression | float) -> Expression:
        """The operator on expressions and numbers; a constant where it is one, an operand where it is always that one.

        Examples:
            >>> Minimum.of(Maximum.of(Cosine(0), 0.0), 1.0) == Maximum.of(Cosine(0), 0.0)
            True
        """
        nodes = [as_node(operand) for operand in operands]
        if cls is Minimum or cls is Maximum:
            left, right = nodes
            if left.values.low >= right.values.high:
                return nodes[cls is Minimum]
            if right.values.low >= left.values.high:
                return nodes[cls is Maximum]
        made = cls(*nodes)
        return Constant(made.values.low) if all(isinstance(node, Constant) for node in nodes) else made

    def __add__(self, other: Expression | float) -> Expression:
        return Add.of(self, other)

    def __radd__(self, other: float) -> Expression:
        return Add.of(other, self)

    def __sub__(self, other: Expression | float) -> Expression:
        return Subtract.of(self, other)

    def __rsub__(self, other: float) -> Expression:
        return Subtract.of(other, self)

    def __mul__(self, other: Expression | float) -> Expression:
        return Multiply.of(self, other)

    def __rmul__(self, other: float) -> Expression:
        return Multiply.of(other, self)

    def __truediv__(self, other: Expression | float) -> Expression:
        return Divide.of(self, other)

    def __rtruediv__(self, other: float) -> Expression:
        return Divide.of(other, self)

    def __neg__(self) -> Expression:
        return Negate.of(self)


@final
@dataclass(frozen=True, slots=True)
class Cosine(Expression):
    """Cosine of a document with one of the texts.

    In [-1, 1], and 0 where a vector is all zeros or not finite: every engine owes that, see
    :func:`logical_retriever.vectors.cosines`.

    Attributes:
        index: Position of the text.
    """

    index: int

    def __post_init__(self) -> None:
        self._know(1, COSINE)


@final
@dataclass(frozen=True, slots=True)
class Constant(Expression):
    """A finite number, printed so that double precision loses nothing.

    Raises:
        InvalidArgumentError: It is not finite.
    """

    value: float

    def __post_init__(self) -> None:
        self._know(1, Interval(self.value, self.value))
        if not math.isfinite(self.value):
            raise InvalidArgumentError(
                f"A score cannot have the constant {self.value}.",
                hint="Check the constants of the semantics and the null distributions: each is a finite number.",
            )


@dataclass(frozen=True, slots=True)
class _Unary(Expression):
    child_names: ClassVar[tuple[str, ...]] = ("operand",)

    operand: Expression


@dataclass(frozen=True, slots=True)
class _Binary(Expression):
    child_names: ClassVar[tuple[str, ...]] = ("left", "right")

    left: Expression
    right: Expression


@final
@dataclass(frozen=True, slots=True)
class Negate(_Unary):
    """``-x``."""

    ufunc, scalar = np.negative, staticmethod(lambda x: -x)


@final
@dataclass(frozen=True, slots=True)
class Add(_Binary):
    """``x + y``."""

    ufunc, scalar = np.add, staticmethod(lambda x, y: x + y)


@final
@dataclass(frozen=True, slots=True)
class Subtract(_Binary):
    """``x - y``."""

    ufunc, scalar = np.subtract, staticmethod(lambda x, y: x - y)


@final
@dataclass(frozen=True, slots=True)
class Multiply(_Binary):
    """``x * y``."""

    ufunc, scalar = np.multiply, staticmethod(lambda x, y: x * y)


@final
@dataclass(frozen=True, slots=True)
class Divide(_Binary):
    """``x / y``; the divisor is never 0."""

    ufunc, scalar = np.divide, staticmethod(lambda x, y: x / y)

    @classmethod
    def interval(cls, *operands: Interval) -> Interval:
        """Nothing is known where the divisor can be 0."""
        return EVERYTHING if operands[1].low <= 0.0 <= operands[1].high else corners(cls.scalar, operands)


@final
@dataclass(frozen=True, slots=True)
class Minimum(_Binary):
    """The smaller of two."""

    ufunc, scalar = np.minimum, staticmethod(min)


@final
@dataclass(frozen=True, slots=True)
class Maximum(_Binary):
    """The greater of two."""

    ufunc, scalar = np.maximum, staticmethod(max)


@final
@dataclass(frozen=True, slots=True)
class Exp(_Unary):
    """``e`` to the power of x, with x in [-600, 600]: no engine overflows or underflows."""

    ufunc, scalar = np.exp, staticmethod(lambda x: math.exp(x) if x < 700.0 else math.inf)


@final
@dataclass(frozen=True, slots=True)
class Log(_Unary):
    """Natural logarithm of x, with x above 0."""

    ufunc, scalar = np.log, staticmethod(lambda x: math.log(x) if x > 0.0 else -math.inf)


@final
@dataclass(frozen=True, slots=True)
class Sqrt(_Unary):
    """Square root of x, with x of 0 or more, to within rounding."""

    ufunc, scalar = np.sqrt, staticmethod(lambda x: math.sqrt(x) if x >= 0.0 else -math.inf)


@final
@dataclass(frozen=True, slots=True)
class Log1p(_Unary):
    """``log(1 + x)`` with x in (0, 1], to full relative precision however small x is.

    An engine without the function has ``2 * atanh(x / (2 + x))``, or Kahan's ``x * log(u) / (u - 1)`` with
    ``u = 1 + x``, and x itself where u is 1 ("Branch cuts for complex elementary functions", 1987).
    """

    ufunc, scalar = np.log1p, staticmethod(lambda x: math.log1p(x) if x > -1.0 else -math.inf)


Node = type[Expression]
NODES: Final[tuple[Node, ...]] = (
    *(Cosine, Constant, Negate, Add, Subtract, Multiply, Divide),
    *(Minimum, Maximum, Exp, Log, Sqrt, Log1p),
)
"""Every node there is."""


def evaluate(expression: Expression, cosines: npt.ArrayLike) -> Array:
    """Compute an expression with numpy: what every engine's answer is compared with.

    Args:
        expression: The expression.
        cosines: Shape (T, N), in [-1, 1]: row i is what ``Cosine(i)`` stands for.

    Returns:
        Shape (N,), float64.

    Examples:
        >>> evaluate(Cosine(0) * (1.0 - Cosine(1)), [[0.5, 1.0], [0.0, 0.25]]).tolist()
        [0.5, 0.75]
    """
    rows = np.asarray(cosines, dtype=np.float64)

    def visit(node: Expression, operands: Sequence[Array]) -> Array:
        if isinstance(node, Cosine):
            row: Array = rows[node.index]
            return row
        if isinstance(node, Constant):
            return np.full(rows.shape[1], node.value)
        value: Array = node.ufunc(*operands)
        return value

    return expression.fold(visit)


def used_cosines(expression: Expression) -> tuple[int, ...]:
    """Indices of the cosines that an expression reads, ascending."""
    return tuple(sorted({node.index for node in expression.walk() if isinstance(node, Cosine)}))


def as_node(value: Expression | float) -> Expression:
    """An expression as it is, a number as a constant."""
    return value if isinstance(value, Expression) else Constant(float(value))

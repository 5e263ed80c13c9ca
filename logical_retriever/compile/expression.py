"""Arithmetic over cosines: what a query and its semantics come down to, in no engine's language."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, final

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError

Array = npt.NDArray[np.float64]
R = TypeVar("R")


class Expression:
    """Base of the nodes; immutable, compared by structure. ``+ - * /`` with expressions and numbers build larger ones.

    Examples:
        >>> 1.0 - Cosine(0) * 2.0
        Subtract(left=Constant(value=1.0), right=Multiply(left=Cosine(index=0), right=Constant(value=2.0)))
    """

    __slots__ = ()

    @property
    def children(self) -> tuple[Expression, ...]:
        """Direct operands, left to right."""
        return ()

    def walk(self) -> Iterator[Expression]:
        """Yield every node, operands before what they are operands of, left to right."""
        stack: list[tuple[Expression, bool]] = [(self, False)]
        while stack:
            node, expanded = stack.pop()
            if expanded or not node.children:
                yield node
            else:
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))

    def fold(self, visit: Callable[[Expression, tuple[R, ...]], R]) -> R:
        """Compute a value bottom-up.

        Args:
            visit: Called once per node with the node and its operands' values.

        Returns:
            The value of the root.
        """
        values: list[R] = []
        for node in self.walk():
            split = len(values) - len(node.children)
            values[split:] = [visit(node, tuple(values[split:]))]
        return values[0]

    def __add__(self, other: Expression | float) -> Expression:
        return Add(self, _node(other))

    def __radd__(self, other: float) -> Expression:
        return Add(_node(other), self)

    def __sub__(self, other: Expression | float) -> Expression:
        return Subtract(self, _node(other))

    def __rsub__(self, other: float) -> Expression:
        return Subtract(_node(other), self)

    def __mul__(self, other: Expression | float) -> Expression:
        return Multiply(self, _node(other))

    def __rmul__(self, other: float) -> Expression:
        return Multiply(_node(other), self)

    def __truediv__(self, other: Expression | float) -> Expression:
        return Divide(self, _node(other))

    def __rtruediv__(self, other: float) -> Expression:
        return Divide(_node(other), self)

    def __neg__(self) -> Expression:
        return Negate(self)


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


@final
@dataclass(frozen=True, slots=True)
class Constant(Expression):
    """A finite number, printed so that double precision loses nothing.

    Raises:
        InvalidArgumentError: It is not finite.
    """

    value: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise InvalidArgumentError(
                f"A score cannot have the constant {self.value}.",
                hint="Check the constants of the semantics and the null distributions: each is a finite number.",
            )


@dataclass(frozen=True, slots=True)
class _Unary(Expression):
    operand: Expression

    @property
    def children(self) -> tuple[Expression, ...]:
        """The operand, alone."""
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class _Binary(Expression):
    left: Expression
    right: Expression

    @property
    def children(self) -> tuple[Expression, ...]:
        """Both operands."""
        return (self.left, self.right)


@final
@dataclass(frozen=True, slots=True)
class Negate(_Unary):
    """``-x``."""


@final
@dataclass(frozen=True, slots=True)
class Add(_Binary):
    """``x + y``."""


@final
@dataclass(frozen=True, slots=True)
class Subtract(_Binary):
    """``x - y``."""


@final
@dataclass(frozen=True, slots=True)
class Multiply(_Binary):
    """``x * y``."""


@final
@dataclass(frozen=True, slots=True)
class Divide(_Binary):
    """``x / y``; the divisor is never 0."""


@final
@dataclass(frozen=True, slots=True)
class Minimum(_Binary):
    """The smaller of two."""


@final
@dataclass(frozen=True, slots=True)
class Maximum(_Binary):
    """The greater of two."""


@final
@dataclass(frozen=True, slots=True)
class Exp(_Unary):
    """``e`` to the power of x, with x in [-600, 600]: no engine overflows or underflows."""


@final
@dataclass(frozen=True, slots=True)
class Log(_Unary):
    """Natural logarithm of x, with x above 0."""


@final
@dataclass(frozen=True, slots=True)
class Log1p(_Unary):
    """``log(1 + x)`` with x in (0, 1], to full relative precision however small x is.

    An engine without the function has ``2 * atanh(x / (2 + x))``, or Kahan's ``x * log(u) / (u - 1)`` with
    ``u = 1 + x``, and x itself where u is 1 ("Branch cuts for complex elementary functions", 1987).
    """


Node = type[Expression]
NODES: Final[tuple[Node, ...]] = (
    *(Cosine, Constant, Negate, Add, Subtract, Multiply, Divide),
    *(Minimum, Maximum, Exp, Log, Log1p),
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
        value: Array = _FUNCTIONS[type(node)](*operands)
        return value

    return expression.fold(visit)


def used_cosines(expression: Expression) -> tuple[int, ...]:
    """Indices of the cosines that an expression reads, ascending.

    Examples:
        >>> used_cosines(Cosine(3) + Cosine(0) * Cosine(3))
        (0, 3)
    """
    return tuple(sorted({node.index for node in expression.walk() if isinstance(node, Cosine)}))


def minimum(left: Expression | float, right: Expression | float) -> Expression:
    """The smaller of two expressions or numbers."""
    return Minimum(_node(left), _node(right))


def maximum(left: Expression | float, right: Expression | float) -> Expression:
    """The greater of two expressions or numbers."""
    return Maximum(_node(left), _node(right))


def _node(value: Expression | float) -> Expression:
    return value if isinstance(value, Expression) else Constant(float(value))


_FUNCTIONS: dict[Node, np.ufunc] = {
    Negate: np.negative,
    Add: np.add,
    Subtract: np.subtract,
    Multiply: np.multiply,
    Divide: np.divide,
    Minimum: np.minimum,
    Maximum: np.maximum,
    Exp: np.exp,
    Log: np.log,
    Log1p: np.log1p,
}

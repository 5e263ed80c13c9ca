"""Gradients of composed scores: arrays that remember how they were computed, and reverse accumulation over that.

A semantics is written in NumPy. Run on a :class:`Traced` array instead of a plain one, every operation records its
operands and their partial derivatives; going back from the score through the record gives the derivative with respect
to every cosine at the cost of a few evaluations, however many cosines there are. So a formula and its gradient are one
piece of code and cannot drift apart.

Source: reverse accumulation, Griewank and Walther, "Evaluating Derivatives" (2008), chapter 3. Where a minimum,
maximum or clip has a corner, what is returned is one of its subgradients: that of the operand that was taken, the
first of two equal ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from logical_retriever.errors import SemanticsError
from logical_retriever.semantics.evidence import Array

_Step = tuple[int, Any, Any, tuple[int, ...]]
"""How one operand entered an operation: its place on the tape, the partial derivative, the row that was taken of it or
None for the whole, and its shape."""


class Traced(NDArrayOperatorsMixin):
    """An array of float64 with a record of its making.

    It takes part in the arithmetic, comparisons and NumPy functions that semantics are made of; comparisons give plain
    arrays, since they are flat wherever they are differentiable. What has no derivative here raises.

    Args:
        value: Shape (N,) or (T, N).
        tape: Every operation so far, oldest first, which this one is added to; None for a new one.
        steps: How its operands entered.
    """

    __slots__ = ("_place", "_tape", "value")

    def __init__(
        self, value: Array, tape: list[tuple[_Step, ...]] | None = None, steps: tuple[_Step, ...] = ()
    ) -> None:
        self.value = value
        self._tape = [] if tape is None else tape
        self._place = len(self._tape)
        self._tape.append(steps)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return int(self.value.ndim)

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return tuple(self.value.shape)

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, row: int) -> Traced:
        return Traced(self.value[row], self._tape, ((self._place, 1.0, row, self.value.shape),))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        values = [operand.value if isinstance(operand, Traced) else operand for operand in operands]
        if method == "__call__" and not options:
            if ufunc in _FLAT:
                return ufunc(*values)
            if ufunc in _SLOPES:
                value = ufunc(*values)
                return self._made(value, operands, _SLOPES[ufunc](value, *values))
        raise _undefined(ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}")

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        values = [argument.value if isinstance(argument, Traced) else argument for argument in arguments]
        if function is np.where and len(values) == 3 and not options:
            return self._made(np.where(*values), arguments[1:], _first(values[0]))
        if function is np.clip and len(values) == 3 and not options:
            x, low, high = values
            return self._made(np.clip(x, low, high), arguments[:1], ((x >= low) & (x <= high),))
        raise _undefined(function.__name__)

    def gradients(self, origin: Traced) -> Array:
        """Derivative of the sum of these values with respect to each value of the origin.

        Where each of N scores depends on its own column of cosines alone, that is the derivative of every score.

        Returns:
            Of the shape of the origin; zeros where this does not depend on it.
        """
        adjoints: list[Any] = [None] * (self._place + 1)
        adjoints[self._place] = np.ones_like(self.value)
        found = np.zeros_like(origin.value)
        for place in range(self._place, -1, -1):
            adjoint = adjoints[place]
            if adjoint is None:
                continue
            if place == origin._place:
                found += adjoint
            for source, slope, row, shape in self._tape[place]:
                flow = adjoint * slope
                # An operand that was spread over rows collects what comes back from each of them.
                while row is None and flow.ndim > len(shape):
                    flow = flow.sum(axis=0)
                if row is None:
                    adjoints[source] = flow if adjoints[source] is None else adjoints[source] + flow
                else:
                    if adjoints[source] is None:
                        adjoints[source] = np.zeros(shape)
                    adjoints[source][row] += flow
        return found

    def _made(self, value: Array, operands: Any, slopes: tuple[Any, ...]) -> Traced:
        """The result of an elementwise operation; operands that are plain numbers need no derivative."""
        steps = tuple(
            (operand._place, slope, None, operand.value.shape)
            for operand, slope in zip(operands, slopes, strict=True)
            if isinstance(operand, Traced)
        )
        return Traced(value, self._tape, steps)


def _first(condition: Any) -> tuple[Any, Any]:
    taken = np.asarray(condition, dtype=np.float64)
    return taken, 1.0 - taken


_FLAT: frozenset[np.ufunc] = frozenset(
    {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.isfinite, np.isnan}
)
_SLOPES: dict[np.ufunc, Callable[..., tuple[Any, ...]]] = {
    # partial derivatives with respect to each operand, from the result and the operands
    np.add: lambda *_: (1.0, 1.0),
    np.subtract: lambda *_: (1.0, -1.0),
    np.multiply: lambda _, x, y: (y, x),
    np.divide: lambda z, _, y: (1.0 / y, -z / y),
    np.negative: lambda *_: (-1.0,),
    # At 0 the derivative to the right, as for maximum: softplus and sigmoid, written with both, come out right there.
    np.abs: lambda _, x: (np.where(x >= 0.0, 1.0, -1.0),),
    np.minimum: lambda _, x, y: _first(x <= y),
    np.maximum: lambda _, x, y: _first(x >= y),
    np.exp: lambda z, _: (z,),
    np.log: lambda _, x: (1.0 / x,),
    np.log1p: lambda _, x: (1.0 / (1.0 + x),),
    np.expm1: lambda z, _: (1.0 + z,),
    np.sqrt: lambda z, _: (0.5 / z,),
    np.tanh: lambda z, _: (1.0 - z * z,),
}


def _undefined(operation: str) -> SemanticsError:
    return SemanticsError(
        f"The derivative of numpy.{operation} is not known.",
        hint="Write the semantics in elementwise arithmetic, exponentials, logarithms, minimum, maximum, clip and "
        "where; or search with mode='exact'.",
    )

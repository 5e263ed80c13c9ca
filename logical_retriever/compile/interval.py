"""Between which numbers an expression stays, whatever the cosines."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product
from types import MappingProxyType
from typing import Final, NamedTuple

from logical_retriever.compile.expression import (
    Add,
    Constant,
    Cosine,
    Divide,
    Exp,
    Expression,
    Log,
    Log1p,
    Maximum,
    Minimum,
    Multiply,
    Negate,
    Node,
    Subtract,
)
from logical_retriever.errors import UnsupportedByEngineError

LARGEST_SCORE: Final = 3e38
"""Engines that keep scores in 32 bits end at 3.4e38."""


class Interval(NamedTuple):
    """Least and greatest value; an infinite end means that nothing is known."""

    low: float
    high: float


COSINE: Final = Interval(-1.0, 1.0)


def combined(node: Node, operands: tuple[Interval, ...]) -> Interval:
    """Interval of an operator over intervals of its operands, each taken on its own.

    Operands that rise and fall together make it wider than need be: ``x - x`` is not known to be 0.

    Args:
        node: An operator.
        operands: As many as it has.

    Examples:
        >>> combined(Multiply, (Interval(-1.0, 2.0), Interval(-3.0, 1.0)))
        Interval(low=-6.0, high=3.0)
    """
    if node is Divide and operands[1].low <= 0.0 <= operands[1].high:
        return Interval(-math.inf, math.inf)
    # Every operator is monotone in each operand while the other is held: extremes lie at the corners.
    corners = [_OPERATORS[node](*corner) for corner in product(*operands)]
    if any(map(math.isnan, corners)):
        return Interval(-math.inf, math.inf)
    return Interval(min(corners), max(corners))


def interval(expression: Expression) -> Interval:
    """Interval of an expression over all cosines.

    Examples:
        >>> interval(Cosine(0) * 2.0 + 1.0)
        Interval(low=-1.0, high=3.0)
    """

    def visit(node: Expression, operands: tuple[Interval, ...]) -> Interval:
        if isinstance(node, Cosine):
            return COSINE
        if isinstance(node, Constant):
            return Interval(node.value, node.value)
        return combined(type(node), operands)

    return expression.fold(visit)


def check_score(engine: str, scores: Interval) -> None:
    """Refuse scores that the 32 bits of an engine cannot hold.

    Raises:
        UnsupportedByEngineError: Scores can reach beyond :data:`LARGEST_SCORE`, to either side.
    """
    most = max(-scores.low, scores.high)
    if most > LARGEST_SCORE:
        raise UnsupportedByEngineError(
            f"{engine} keeps scores in 32 bits, and those of this query reach {most:.0e}.",
            hint="Choose another negation than 'reciprocal', or search without pushing the query down.",
        )


def _exp(x: float) -> float:
    return math.exp(x) if x < 700.0 else math.inf


def _log(x: float) -> float:
    return math.log(x) if x > 0.0 else -math.inf


_OPERATORS: Mapping[Node, Callable[..., float]] = MappingProxyType(
    {
        Negate: lambda x: -x,
        Add: lambda x, y: x + y,
        Subtract: lambda x, y: x - y,
        Multiply: lambda x, y: x * y,
        Divide: lambda x, y: x / y,
        Minimum: min,
        Maximum: max,
        Exp: _exp,
        Log: _log,
        Log1p: lambda x: math.log1p(x) if x > -1.0 else -math.inf,
    }
)

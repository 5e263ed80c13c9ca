"""Between which numbers an expression stays, whatever the cosines."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Final, NamedTuple

from logical_retriever.errors import UnsupportedByEngineError

LARGEST_SCORE: Final = 3e38
"""Engines that keep scores in 32 bits end at 3.4e38."""


class Interval(NamedTuple):
    """Least and greatest value; an infinite end means that nothing is known."""

    low: float
    high: float


COSINE: Final = Interval(-1.0, 1.0)
EVERYTHING: Final = Interval(-math.inf, math.inf)


def corners(operator: Callable[..., float], operands: tuple[Interval, ...]) -> Interval:
    """Interval of an operator that is monotone in each operand while the others are held: its ends lie at corners."""
    values = [operator(*corner) for corner in product(*operands)]
    return EVERYTHING if any(map(math.isnan, values)) else Interval(min(values), max(values))


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

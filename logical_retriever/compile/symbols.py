"""A semantics run on expressions instead of numbers: its score comes out as arithmetic, in whatever file it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from logical_retriever.compile.expression import (
    NODES,
    Cosine,
    Exp,
    Expression,
    Log,
    Maximum,
    Minimum,
    as_node,
    evaluate,
)
from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.query import LogicalQuery
from logical_retriever.semantics import Evidence, NullDistributions, Semantics

MAX_LEAVES: Final = 10_000
"""Cosines and constants in an expression, repetitions counted, each read for every document."""
_SAMPLE: Final = 64
"""Documents for which an expression is compared with the semantics that it was made of."""


class Symbols(np.ndarray[Any, np.dtype[np.object_]]):
    """An array of expressions. NumPy's elementwise functions build larger ones; shapes and axes are NumPy's own.

    A comparison has no expression: where a score jumps, the rounding of an engine would decide what it is.
    """

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        if ufunc.__name__ not in _FUNCTIONS:
            raise NotImplementedError(f"numpy.{ufunc.__name__} has no expression")
        (out,) = options.pop("out", (None,))
        function = getattr(_FUNCTIONS[ufunc.__name__], method)
        found = function(*(np.asarray(operand, dtype=object) for operand in operands), **options)
        if out is None:
            return np.asarray(found, dtype=object).view(Symbols)
        out[...] = found
        return out


def traced(
    query: LogicalQuery,
    semantics: Semantics,
    texts: tuple[str, ...],
    nulls: NullDistributions | None,
    question: str | None,
) -> Expression:
    """Score of a semantics from vectors alone: what ``semantics.scores`` makes of expressions.

    ``Cosine(i)`` is the cosine with the i-th of the texts that it reads.

    Raises:
        UnsupportedByEngineError: It does what has no expression, looks at several documents at once, repeats its
            operands too often, or leaves the range of numbers, as by a division by 0.
    """

    def scores(cosines: Any) -> Any:
        with np.errstate(all="ignore"):
            return semantics.scores(query, Evidence(texts, cosines, nulls, question=question))

    rng = np.random.default_rng(0)
    sample = rng.uniform(-1.0, 1.0, (len(texts), _SAMPLE))
    corners = rng.random(sample.shape) < 0.4
    sample[corners] = rng.choice([-1.0, 0.0, 1.0], corners.sum())
    try:
        [score] = scores(np.array([[Cosine(row)] for row in range(len(texts))], dtype=object).view(Symbols))
        expression = as_node(score)
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            found = evaluate(expression, sample)
        if not np.allclose(found, scores(sample), rtol=1e-9, atol=1e-9):
            raise NotImplementedError("it is no arithmetic on the cosines of each document by itself")
    except Exception as error:  # whatever a stranger's code raises where it meets no numbers
        raise UnsupportedByEngineError(
            f"The semantics {semantics.name!r} ({type(semantics).__name__}) cannot be said as arithmetic over cosines: "
            f"{error}.",
            hint=f"Write it with {', '.join(_FUNCTIONS)} alone; or search without pushing the query down.",
        ) from error
    return expression


def _function(build: Callable[..., Expression], operands: int) -> np.ufunc:
    """NumPy's function of expressions and numbers, elementwise."""

    def built(*values: Any) -> Expression:
        made = build(*map(as_node, values))
        if made.size > MAX_LEAVES:
            raise NotImplementedError(
                f"it has more than {MAX_LEAVES} parts, for what an operator reads twice doubles at every level"
            )
        return made

    found: np.ufunc = np.frompyfunc(built, operands, 1)
    return found


_FUNCTIONS: Mapping[str, np.ufunc] = MappingProxyType(
    {
        **{node.ufunc.__name__: _function(node.of, node.ufunc.nin) for node in NODES[2:]},
        "absolute": _function(lambda x: Maximum.of(x, -x), 1),
        "clip": _function(lambda x, low, high: Minimum.of(Maximum.of(x, low), high), 3),
        "expm1": _function(lambda x: Exp.of(x) - 1.0, 1),
        "log1p": _function(lambda x: Log.of(x + 1.0), 1),  # the node is for what lies in (0, 1]
        "tanh": _function(lambda x: 1.0 - 2.0 / (Exp.of(x * 2.0) + 1.0), 1),
    }
)
"""Functions by NumPy's name."""

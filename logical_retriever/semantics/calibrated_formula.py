"""The calibrated default as arithmetic over cosines, with the null distributions of its texts folded in.

The semantics itself chooses by comparisons, and its sums of logarithms would repeat each part at every OR. This form
has one exponential for each term. It runs on numbers and on SQL alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.query import LogicalQuery, Not, Or, Term, flatten, positive_terms, to_nnf
from logical_retriever.semantics.calibrated import CalibratedConstants
from logical_retriever.semantics.evidence import NullDistributions

MAX_EXPONENT = 600.0
"""Most that the logarithm of a value may be away from 0; double precision ends at 708."""
PLAIN_REACH = 18.0
"""Exponents up to here leave nine digits of 1 + exp(x) - 1 in double precision."""


@dataclass(frozen=True)
class _Value:
    """Value of a sub-query in both forms, so that a logarithm meets an exponential nowhere.

    In the semantics values are logarithms: OR is the log of summed exponentials, AND the sum of two minima. Of
    exponentials OR is a plain sum, and AND a product of two minima.

    Attributes:
        log: The value.
        linear: Its exponential.
        least: A number that the value is never below, whatever the cosines.
    """

    log: Any
    linear: Any
    least: float


def calibrated_scores(
    query: LogicalQuery,
    constants: CalibratedConstants,
    texts: tuple[str, ...],
    nulls: NullDistributions,
    question: str | None,
    cosines: Any,
) -> Any:
    """Scores of N documents by vectors alone, shape (N,).

    Args:
        query: The query.
        constants: Of the semantics.
        texts: T texts, the question among them.
        nulls: Of the T texts.
        question: The user's, where there is one.
        cosines: Shape (T, N).

    Raises:
        UnsupportedByEngineError: Null deviations so small that values leave the range of double precision: the
            documents are all alike.
    """
    c = constants

    def evidence(weights: Mapping[str, float], shift: float, scale: float) -> tuple[Any, float]:
        """``scale * (Σ weight * z(text) - shift)``, and how far from 0 it can be.

        Calibrated cosines are linear in the cosines: one factor for each, and one sum.
        """
        rows = {text: texts.index(text) for text in weights}
        factors = {text: scale * weight / float(nulls.deviations[rows[text]]) for text, weight in weights.items()}
        constant = -shift * scale - sum(factor * float(nulls.means[rows[t]]) for t, factor in factors.items())
        total = reduce(np.add, [cosines[rows[text]] * factor for text, factor in factors.items()])
        return total + constant, sum(map(abs, factors.values())) + abs(constant)

    def wanted(text: str) -> _Value:
        """``log softplus(e' - onset)``, e' the evidence of the text and a share of the question's."""
        weights = {text: 1.0}
        if question is not None:
            weights[question] = weights.get(question, 0.0) + c.question
            weights = {name: weight / (1.0 + c.question) for name, weight in weights.items()}
        x, reach = evidence(weights, c.onset, 1.0)
        _check(reach)
        value = _softplus(x, reach)
        return _Value(np.log(value), value, -reach - 1.0)  # softplus(x) > exp(x) / 2 below 0

    def excluded(text: str) -> _Value:
        """``log σ(-slope (z - threshold))``."""
        x, reach = evidence({text: 1.0}, c.threshold, c.slope)
        _check(reach)
        odds = np.exp(x) + 1.0
        return _Value(-np.log(odds), 1.0 / odds, -reach - 1.0)

    def visit(node: LogicalQuery, operands: tuple[_Value, ...]) -> _Value:
        if isinstance(node, Term):
            return wanted(node.text)
        if isinstance(node, Not):
            return excluded(node.operand.terms()[0])
        parts = dict(zip(node.children, operands, strict=True))  # saying the same twice adds nothing
        if isinstance(node, Or):
            total = reduce(np.add, [part.linear for part in parts.values()])
            return _Value(np.log(total), total, max(part.least for part in parts.values()))
        wants = [value for part, value in parts.items() if positive_terms(part)]
        excludes = [value for part, value in parts.items() if not positive_terms(part)]
        both = [reduce(_lesser, group) for group in (wants, excludes) if group]
        return reduce(lambda x, y: _Value(x.log + y.log, x.linear * y.linear, x.least + y.least), both)

    normal = flatten(to_nnf(query))
    if isinstance(normal, Term):
        return evidence({normal.text: 1.0}, 0.0, 1.0)[0]
    value = normal.fold(visit)
    _check(-value.least)
    return value.log


def _softplus(x: Any, reach: float) -> Any:
    """``log(1 + exp(x))``, for x no further from 0 than ``reach``, so that its logarithm is right to nine digits.

    Far below 0 that takes every digit of a small exponential: ``log(1 + y)`` is ``2 atanh(1 / (1 + 2 / y))``.
    """
    if reach <= PLAIN_REACH:
        return np.log(np.exp(x) + 1.0)
    return np.maximum(x, 0.0) + 2.0 * np.arctanh(1.0 / (1.0 + 2.0 / np.exp(np.minimum(x, -x))))


def _lesser(x: _Value, y: _Value) -> _Value:
    return _Value(np.minimum(x.log, y.log), np.minimum(x.linear, y.linear), min(x.least, y.least))


def _check(reach: float) -> None:
    if reach > MAX_EXPONENT:
        raise UnsupportedByEngineError(
            f"Calibrated scores reach e^{reach:.0f} with these null distributions: the documents are all alike, or "
            "the query is nested too deeply for them.",
            hint="Search without the engine, or choose another semantics.",
        )

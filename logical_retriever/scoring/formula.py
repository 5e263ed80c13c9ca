"""The calibrated score by vectors alone as SQL over cosines, with the null distributions of its texts folded in.

The semantics itself chooses by comparisons, and its sums of logarithms would repeat each part at every OR. This form
has one exponential for each term.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce
from types import MappingProxyType
from typing import NamedTuple

from logical_retriever.errors import SemanticsError, UnsupportedByEngineError
from logical_retriever.query import LogicalQuery, Not, Or, Term, flatten, positive_terms, refuse_conditions, to_nnf
from logical_retriever.scoring.base import Semantics
from logical_retriever.scoring.calibrated import CalibratedSemantics
from logical_retriever.scoring.evidence import NullDistributions
from logical_retriever.scoring.exclusion import LEAST_VARIANCE, SHARE_CEILING, USUAL_WISH, exclusion_weights

MAX_EXPONENT = 600.0
"""Most that the logarithm of a value may be away from 0; double precision ends at 708."""
PLAIN_REACH = 18.0
"""Exponents up to here leave nine digits of 1 + exp(x) - 1 in double precision."""


USUAL = 8.0
"""Evidence of the document most about a term, by which shares are reckoned where the engine has not looked yet."""


class _Value(NamedTuple):
    """Value of a sub-query as a logarithm and as its exponential: neither is ever taken of the other.

    In the semantics values are logarithms: OR is the log of summed exponentials, AND the sum of two minima. Of
    exponentials OR is a plain sum, and AND a product of two minima.

    Attributes:
        log: The value.
        linear: Its exponential.
        least: Lower bound of the value, for any cosines.
    """

    log: str
    linear: str
    least: float


def score_formula(
    query: LogicalQuery,
    semantics: Semantics,
    texts: tuple[str, ...],
    nulls: NullDistributions | None,
    asked: str | None = None,
    kinds: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a document's score by vectors alone, as SQL over its cosines ``lr_c0``, ``lr_c1``, ... with T texts.

    It is made of ``+ - * /``, ``least``, ``greatest``, ``exp``, ``ln``, ``atanh`` and constants with an exponent, which
    are of double precision in every dialect.

    Args:
        query: The query, without conditions.
        semantics: The calibrated one.
        texts: T texts, those of ``semantics.texts(query, asked)`` among them.
        nulls: Of the T texts.
        asked: The user's question, where the query was made of one.
        kinds: How each excluded term was excluded.

    Raises:
        UnsupportedByEngineError: Another semantics; or null deviations so small that values leave the range of double
            precision: the documents are all alike.
        SemanticsError: There are no null distributions.
        InvalidArgumentError: A condition in the query.
    """
    refuse_conditions(query, "A formula")
    if type(semantics) is not CalibratedSemantics:  # a subclass may compose in a way of its own
        raise UnsupportedByEngineError(
            f"The semantics {semantics.name!r} cannot be said in SQL.", hint="Search without the engine."
        )
    if nulls is None:
        raise SemanticsError(
            "Calibrated scores need null distributions.", hint="Give nulls=NullModel.fit(...).of(...)."
        )
    wanted_terms = positive_terms(query)
    c, means, deviations = semantics.constants, nulls.means.tolist(), nulls.deviations.tolist()

    def evidence(weights: Mapping[str, float], shift: float, scale: float) -> tuple[str, float]:
        """Return ``scale * (Σ weight * z(text) - shift)``, linear in the cosines, and its greatest distance from 0."""
        factors = {texts.index(text): scale * weight for text, weight in weights.items()}
        factors = {row: factor / deviations[row] for row, factor in factors.items()}
        constant = -shift * scale - sum(factor * means[row] for row, factor in factors.items())
        parts = [f"lr_c{row} * {_number(factor)}" for row, factor in factors.items()]
        return f"({' + '.join([*parts, _number(constant)])})", sum(map(abs, factors.values())) + abs(constant)

    def wanted(text: str) -> _Value:
        """Return ``log softplus(e' - onset)``, e' the evidence of the text and a share of the question's."""
        weights = {text: 1.0}
        if asked is not None:
            weights[asked] = weights.get(asked, 0.0) + c.asked
            weights = {name: weight / (1.0 + c.asked) for name, weight in weights.items()}
        x, reach = evidence(weights, c.onset, 1.0)
        value = _softplus(x, reach)
        return _Value(f"ln({value})", value, -reach - 1.0)  # softplus(x) > exp(x) / 2 below 0

    def excluded(text: str) -> _Value:
        """Return ``exclusion * log σ(-x)``, x the log odds that it is to be left out, as far as vectors tell."""
        kind, weights = kinds.get(text, "typed"), exclusion_weights().document
        apart, (own, _) = kind == "always" or text in wanted_terms, evidence({text: 1.0}, 0.0, 1.0)
        share = f"greatest(least({own} * {_number(1.0 / USUAL)}, 1e0), 0e0)"

        def beyond_wish(name: str) -> str:
            weighted, shift, scale = {name: 1.0}, USUAL_WISH, 1.0
            if not apart and wanted_terms and name not in wanted_terms and nulls.correlations is not None:
                together = float(nulls.correlations[texts.index(name), texts.index(wanted_terms[0])])
                weighted[wanted_terms[0]], shift = -together, 0.0
                scale = 1.0 / math.sqrt(max(LEAST_VARIANCE, 1.0 - together * together))
            return f"greatest(least({evidence(weighted, shift, scale)[0]}, 1e1), -2e0) * 2e-1"

        features = {"constant": "1e0", "share": share, "evidence": f"greatest(least({own}, 15e0), 0e0) * 2e-1"}
        features["beyond the wish"] = beyond_wish(text)
        features["question beyond the wish"] = beyond_wish(asked if asked and wanted_terms and not apart else text)
        if kind == "topic":
            features |= {"topic": "1e0", "topic and share": f"(- ln({_number(SHARE_CEILING)} - {share}))"}
        elif kind == "lack":
            features["lack"] = "1e0"
        x = f"({' + '.join(f'{_number(weights[name])} * {value}' for name, value in features.items())})"
        reach = c.exclusion * (1.0 + sum(3.0 * abs(weight) for weight in weights.values()))
        value = f"({_number(-c.exclusion)} * ln(exp({x}) + 1e0))"
        return _Value(value, f"exp({value})", -reach)

    def visit(node: LogicalQuery, operands: tuple[_Value, ...]) -> _Value:
        if isinstance(node, Term):
            return wanted(node.text)
        if isinstance(node, Not):
            return excluded(node.operand.terms()[0])
        parts = dict(zip(node.children, operands, strict=True))  # saying the same twice adds nothing
        if isinstance(node, Or):
            total = f"({' + '.join([part.linear for part in parts.values()])})"
            return _Value(f"ln({total})", total, max(part.least for part in parts.values()))
        wants = [value for part, value in parts.items() if positive_terms(part)]
        excludes = [value for part, value in parts.items() if not positive_terms(part)]
        return reduce(_product, [reduce(_lesser, group) for group in (wants, excludes) if group])

    normal = flatten(to_nnf(query))
    if isinstance(normal, Term):
        return evidence({normal.text: 1.0}, 0.0, 1.0)[0]
    value = normal.fold(visit)
    if -value.least > MAX_EXPONENT:
        raise UnsupportedByEngineError(
            f"Calibrated scores reach e^{-value.least:.0f} with these null distributions: the documents are all alike, "
            "or the query is nested too deeply for them.",
            hint="Search without the engine, or choose another semantics.",
        )
    return value.log


def _softplus(x: str, reach: float) -> str:
    """Return ``log(1 + exp(x))`` for x within ``reach`` of 0; its logarithm is right to nine digits.

    Far below 0 that takes every digit of a small exponential: ``log(1 + y)`` is ``2 atanh(1 / (1 + 2 / y))``.
    """
    if reach <= PLAIN_REACH:
        return f"ln(exp({x}) + 1e0)"
    return f"(greatest({x}, 0e0) + 2e0 * atanh(1e0 / (1e0 + 2e0 / exp(least({x}, - {x})))))"


def _lesser(x: _Value, y: _Value) -> _Value:
    return _Value(f"least({x.log}, {y.log})", f"least({x.linear}, {y.linear})", min(x.least, y.least))


def _product(x: _Value, y: _Value) -> _Value:
    return _Value(f"({x.log} + {y.log})", f"({x.linear} * {y.linear})", x.least + y.least)


def _number(number: float) -> str:
    """Return a constant of double precision: with an exponent, in parentheses where signs could meet."""
    if not math.isfinite(number):
        raise SemanticsError(
            f"A score cannot have the constant {number}.", hint="Check that null deviations are above 0."
        )
    digits = repr(number) if "e" in repr(number) else f"{number!r}e0"
    return digits if number >= 0 else f"({digits})"

"""The calibrated default as arithmetic, with the null distributions of its texts folded in.

It is not run on expressions as other semantics are: it chooses by comparisons, and its sums of logarithms, written as
they stand there, would repeat each part at every OR. This form has one exponential for each term.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

from logical_retriever.compile.expression import Constant, Cosine, Exp, Expression, Log, Log1p, Maximum, Minimum, Sqrt
from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.query import LogicalQuery, Not, Or, Term, flatten, positive_terms, to_nnf
from logical_retriever.semantics import CalibratedSemantics, NullDistributions

MAX_EXPONENT = 600.0
"""Most that the logarithm of a value may be away from 0; double precision ends at 708."""

PLAIN_REACH = 18.0
"""Exponents up to here leave nine digits of 1 + exp(x) - 1 in double precision."""


@dataclass(frozen=True)
class _Value:
    """Value of a sub-query in both forms, so that a logarithm meets an exponential nowhere.

    In the semantics values are logarithms: OR is the log of summed exponentials, AND the sum of two minima. Written
    out that way each OR repeats its parts. Of exponentials it is a plain sum, and AND a product of two minima.

    Attributes:
        log: The value.
        linear: Its exponential.
        least: A number that the value is never below, whatever the cosines.
    """

    log: Expression
    linear: Expression
    least: float


def calibrated_expression(
    query: LogicalQuery,
    semantics: CalibratedSemantics,
    texts: tuple[str, ...],
    nulls: NullDistributions,
    question: str | None,
    words: Mapping[str, float] | None = None,
) -> Expression:
    """Score from vectors alone; or the most that a document may score with no more words than given.

    Args:
        query: The query.
        semantics: Whose constants are folded in.
        texts: T texts, the question among them.
        nulls: Of the T texts.
        question: The user's, where there is one.
        words: For each wanted text, the most evidence from its words, 0 or more; excluded texts have none. None to
            leave words out of account.

    Raises:
        UnsupportedByEngineError: Null deviations so small that values leave the range of double precision: the
            documents are all alike.
    """
    normal = flatten(to_nnf(query))
    literals = _Literals(semantics, texts, nulls, question, words)
    if isinstance(normal, Term):
        return literals.joined({normal.text: 1.0}, 0.0)[0]

    def visit(node: LogicalQuery, operands: tuple[_Value, ...]) -> _Value:
        if isinstance(node, Term):
            return literals.wanted(node.text)
        if isinstance(node, Not):
            return literals.excluded(node.operand.terms()[0])
        # Saying the same twice adds nothing.
        parts = dict(zip(node.children, operands, strict=True))
        if isinstance(node, Or):
            total = reduce(lambda x, y: x + y, (part.linear for part in parts.values()))
            return _Value(Log(total), total, max(part.least for part in parts.values()))
        wants = [value for part, value in parts.items() if positive_terms(part)]
        excludes = [value for part, value in parts.items() if not positive_terms(part)]
        return reduce(_both, [reduce(_lesser, group) for group in (wants, excludes) if group])

    value = normal.fold(visit)
    _check(-value.least)
    return value.log


class _Literals:
    """Values of single terms."""

    def __init__(
        self,
        semantics: CalibratedSemantics,
        texts: tuple[str, ...],
        nulls: NullDistributions,
        question: str | None,
        words: Mapping[str, float] | None,
    ) -> None:
        c = self.constants = semantics.constants
        self.texts, self.nulls, self.question = texts, nulls, question
        share = 0.0 if words is None else semantics.words
        vectors, lexical = min(1.0, 2.0 - 2.0 * share), min(1.0, 2.0 * share)
        self.vectors = vectors
        self.onset = c.onset + lexical * c.onset_lexical
        self.weight = c.question + lexical * c.question_lexical
        given = {} if words is None else words
        self.words = {text: lexical * c.lexical * found for text, found in given.items() if found > 0.0}

    def evidence(self, weights: Mapping[str, float], shift: float, scale: float) -> tuple[Expression, float]:
        """``scale * (Σ weight * z(text) - shift)``, and how far from 0 it can be.

        Calibrated cosines are linear in the cosines, so everything up to the first curve is one factor a cosine and
        one sum.
        """
        total, constant, reach = None, -shift * scale, 0.0
        for text, weight in weights.items():
            row = self.texts.index(text)
            factor = scale * weight * self.vectors / float(self.nulls.deviations[row])
            part = Cosine(row) * factor
            total = part if total is None else total + part
            constant -= factor * float(self.nulls.means[row])
            reach += abs(factor)
        assert total is not None
        return total + constant, reach + abs(constant)

    def joined(self, weights: Mapping[str, float], shift: float) -> tuple[Expression, float]:
        """``Σ weight * e(text) - shift``, and how far from 0 it can be, with ``e = min(z, 0) + √(max(z, 0)² + w²)``."""
        plain = {text: weight for text, weight in weights.items() if text not in self.words}
        total, total_reach = self.evidence(plain, shift, 1.0) if plain else (Constant(-shift), abs(shift))
        for text in sorted(weights.keys() - plain.keys()):
            z, reach = self.evidence({text: 1.0}, 0.0, 1.0)
            above, w = Maximum.of(z, 0.0), self.words[text]
            total += (Minimum.of(z, 0.0) + Sqrt.of(above * above + w * w)) * weights[text]
            total_reach += weights[text] * math.hypot(reach, w)
        return total, total_reach

    def wanted(self, text: str) -> _Value:
        """``log softplus(e' - onset)``, e' the evidence of the text and a share of the question's."""
        weights = {text: 1.0}
        if self.question is not None:
            weights[self.question] = weights.get(self.question, 0.0) + self.weight
            weights = {name: weight / (1.0 + self.weight) for name, weight in weights.items()}
        x, reach = self.joined(weights, self.onset)
        _check(reach)
        value = _softplus(x, reach)
        # softplus(x) > exp(x) / 2 below 0.
        return _Value(Log(value), value, -reach - 1.0)

    def excluded(self, text: str) -> _Value:
        """``log σ(-slope (z - threshold))``."""
        c = self.constants
        x, reach = self.evidence({text: 1.0}, c.threshold, c.slope)
        _check(reach)
        # A logarithm already: its last digits may be lost. A wanted term's softplus needs all, for one is taken of it.
        odds = Exp(x) + 1.0
        return _Value(-Log(odds), 1.0 / odds, -reach - 1.0)


def _softplus(x: Expression, reach: float) -> Expression:
    """``log(1 + exp(x))``, for x no further from 0 than ``reach``, so that its logarithm is right to nine digits.

    Far below 0 that takes every digit of a small exponential; near 0 the plain form does, in a third of the time.
    """
    if reach <= PLAIN_REACH:
        return Log(Exp(x) + 1.0)
    return Maximum.of(x, 0.0) + Log1p(Exp(Minimum.of(x, -x)))


def _lesser(x: _Value, y: _Value) -> _Value:
    return _Value(Minimum.of(x.log, y.log), Minimum.of(x.linear, y.linear), min(x.least, y.least))


def _both(x: _Value, y: _Value) -> _Value:
    return _Value(x.log + y.log, x.linear * y.linear, x.least + y.least)


def _check(reach: float) -> None:
    if reach > MAX_EXPONENT:
        raise UnsupportedByEngineError(
            f"Calibrated scores reach e^{reach:.0f} with these null distributions: the documents are all alike, or "
            "the query is nested too deeply for them.",
            hint="Search without pushing the query down, or choose another semantics.",
        )

"""From a logical query and its semantics to arithmetic over cosines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from logical_retriever.compile.calibrated import calibrated_expression
from logical_retriever.compile.expression import Cosine, Expression, Multiply, maximum, minimum
from logical_retriever.compile.truth import truth_expression
from logical_retriever.errors import SemanticsError, UnsupportedByEngineError
from logical_retriever.query import And, LogicalQuery, Not, Term
from logical_retriever.semantics import (
    CalibratedSemantics,
    GodelSemantics,
    HamacherSemantics,
    ItlrSemantics,
    LukasiewiczSemantics,
    NullDistributions,
    ProductSemantics,
    Semantics,
)
from logical_retriever.semantics.itlr import RECIPROCAL_FLOOR
from logical_retriever.semantics.truth_functional import TruthFunctional

HAMACHER_FLOOR = 1e-30
"""Smallest truth value whose inverse is taken: 1 / (1/x + 1/y - 1) is 0 to double precision below it."""
FLUSH = 1e-20
"""Added and subtracted, it rounds a product to multiples of 1e-36: some engines raise when a product underflows."""
MAX_FACTORS = 7
"""Products of more factors are flushed; a factor is 0 or at least 1e-36."""

Operator = Callable[[Expression, Expression], Expression]


@dataclass(frozen=True)
class Lowered:
    """A query with its semantics, as arithmetic.

    Attributes:
        texts: T texts whose vectors are needed: ``Cosine(i)`` is the cosine with the i-th.
        expression: The score; higher is better.
        wanted: Positions of the texts whose nearest documents are worth scoring; none where nothing is wanted.
    """

    texts: tuple[str, ...]
    expression: Expression
    wanted: tuple[int, ...]


def lower(
    query: LogicalQuery, semantics: Semantics, nulls: NullDistributions | None = None, *, question: str | None = None
) -> Lowered:
    """Turn a query into arithmetic that scores as ``semantics.compose`` does from vectors alone.

    Args:
        query: The query.
        semantics: What scores it.
        nulls: Null distributions of ``semantics.texts(query, question)``, in that order, for calibrated semantics.
        question: The user's question, where the query was made of one.

    Raises:
        UnsupportedByEngineError: The semantics has no such form.
        SemanticsError: Null distributions are needed and missing.

    Examples:
        >>> lower(Term("a") & ~Term("b"), ItlrSemantics()).expression
        Multiply(left=Cosine(index=0), right=Subtract(left=Constant(value=1.0), right=Cosine(index=1)))
    """
    texts = semantics.texts(query, question)
    # Exact types: a subclass may compose in a way of its own.
    if type(semantics) is CalibratedSemantics:
        if nulls is None:
            raise SemanticsError(
                "Calibrated scores need null distributions, and none were given.",
                hint="Give nulls=NullModel.fit(sample_of_the_documents).of(vectors_of_the_texts).",
            )
        if len(nulls.means) != len(texts):
            raise SemanticsError(
                f"{len(texts)} texts have null distributions of {len(nulls.means)}.",
                hint="Give one mean and one deviation per text of semantics.texts(query, question).",
            )
        if not ((nulls.deviations > 0).all() and np.isfinite([nulls.means, nulls.deviations]).all()):
            raise SemanticsError(
                "A null distribution has no finite mean, or a deviation that is not above 0.",
                hint="Give nulls=NullModel.fit(sample_of_the_documents).of(vectors_of_the_texts).",
            )
        expression = calibrated_expression(query, semantics.constants, texts, nulls, question)
    elif isinstance(semantics, TruthFunctional) and type(semantics) in _OPERATORS:
        expression = _truth_functional(query, semantics, texts)
    else:
        raise UnsupportedByEngineError(
            f"The semantics {semantics.name!r} ({type(semantics).__name__}) cannot be said as arithmetic over cosines.",
            hint="Choose one of calibrated, product, itlr, godel, lukasiewicz, hamacher; or search without pushdown.",
        )
    wanted = tuple(texts.index(text) for text in semantics.wanted_texts(query, question))
    return Lowered(texts, expression, wanted)


def _truth_functional(query: LogicalQuery, semantics: TruthFunctional, texts: tuple[str, ...]) -> Expression:
    """Fold the operators over the tree, from the left as the semantics does; no operand is written twice."""
    conjunction, disjunction, negation = _OPERATORS[type(semantics)](semantics)

    def visit(node: LogicalQuery, operands: tuple[Expression, ...]) -> Expression:
        if isinstance(node, Term):
            return truth_expression(semantics, Cosine(texts.index(node.text)))
        if isinstance(node, Not):
            return negation(operands[0])
        return reduce(conjunction if isinstance(node, And) else disjunction, operands)

    return _flushed(query.fold(visit))


def _itlr(semantics: TruthFunctional) -> tuple[Operator, Operator, Callable[[Expression], Expression]]:
    assert isinstance(semantics, ItlrSemantics)
    conjunction, disjunction, negation = semantics.operators
    return (
        {"product": _product, "sum": _sum, "min": minimum}[conjunction],
        {"sum": _sum, "max": maximum, "probabilistic": _probabilistic}[disjunction],
        _complement if negation == "complement" else _reciprocal,
    )


def _product(x: Expression, y: Expression) -> Expression:
    return x * y


def _sum(x: Expression, y: Expression) -> Expression:
    return x + y


def _probabilistic(x: Expression, y: Expression) -> Expression:
    """``x + y - x*y`` with each operand written once: trees would double in size at every level."""
    return 1.0 - (1.0 - x) * (1.0 - y)


def _complement(x: Expression) -> Expression:
    return 1.0 - x


def _reciprocal(x: Expression) -> Expression:
    return 1.0 / maximum(x, RECIPROCAL_FLOOR)


def _bounded_difference(x: Expression, y: Expression) -> Expression:
    return maximum(x + y - 1.0, 0.0)


def _bounded_sum(x: Expression, y: Expression) -> Expression:
    return minimum(x + y, 1.0)


def _hamacher_product(x: Expression, y: Expression) -> Expression:
    """``x*y / (x + y - x*y)`` by its additive generator ``1/x - 1``, each operand written once."""
    return 1.0 / (1.0 / maximum(x, HAMACHER_FLOOR) + 1.0 / maximum(y, HAMACHER_FLOOR) - 1.0)


def _hamacher_sum(x: Expression, y: Expression) -> Expression:
    return 1.0 - _hamacher_product(1.0 - x, 1.0 - y)


def _flushed(expression: Expression) -> Expression:
    """Round long products so that they never come near the smallest number of double precision."""

    def visit(node: Expression, parts: tuple[tuple[Expression, int], ...]) -> tuple[Expression, int]:
        """An equal expression, and how many factors may have made it as small as it is."""
        if not parts:
            return node, 1
        operands, factors = [part for part, _ in parts], max(count for _, count in parts)
        rebuilt = type(node)(*operands)
        if not isinstance(node, Multiply):
            return rebuilt, factors
        factors = sum(count for _, count in parts)
        return (rebuilt + FLUSH - FLUSH, 1) if factors > MAX_FACTORS else (rebuilt, factors)

    return expression.fold(visit)[0]


_OPERATORS: dict[
    type[TruthFunctional],
    Callable[[TruthFunctional], tuple[Operator, Operator, Callable[[Expression], Expression]]],
] = {
    ItlrSemantics: _itlr,
    ProductSemantics: lambda _: (_product, _probabilistic, _complement),
    GodelSemantics: lambda _: (minimum, maximum, _complement),
    LukasiewiczSemantics: lambda _: (_bounded_difference, _bounded_sum, _complement),
    HamacherSemantics: lambda _: (_hamacher_product, _hamacher_sum, _complement),
}

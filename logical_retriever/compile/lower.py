"""From a logical query and its semantics to arithmetic over cosines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from logical_retriever.compile.calibrated import calibrated_expression
from logical_retriever.compile.expression import Expression, Multiply
from logical_retriever.compile.symbols import traced
from logical_retriever.errors import SemanticsError, UnsupportedByEngineError
from logical_retriever.query import LogicalQuery
from logical_retriever.semantics import CalibratedSemantics, NullDistributions, Semantics

FLUSH = 1e-20
"""Added and subtracted, it rounds a product to multiples of 1e-36: some engines raise when a product underflows."""
MAX_FACTORS = 7
"""Products of more factors are flushed; a factor is 0 or at least 1e-36."""


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
    query: LogicalQuery,
    semantics: Semantics,
    nulls: NullDistributions | None = None,
    *,
    question: str | None = None,
    words: Mapping[str, float] | None = None,
) -> Lowered:
    """Turn a query into arithmetic that scores as ``semantics.compose`` does from vectors alone.

    Args:
        query: The query.
        semantics: The semantics that scores it.
        nulls: Null distributions of ``semantics.texts(query, question)``, in that order, for calibrated semantics.
        question: The user's question, where the query was made of one.
        words: See :meth:`logical_retriever.compile.Compiler.compile`.

    Raises:
        UnsupportedByEngineError: The semantics has no such form.
        SemanticsError: Null distributions are needed and missing.

    Examples:
        >>> from logical_retriever import parse
        >>> from logical_retriever.semantics import ItlrSemantics
        >>> lower(parse("a AND NOT b"), ItlrSemantics()).expression
        Multiply(left=Cosine(index=0), right=Subtract(left=Constant(value=1.0), right=Cosine(index=1)))
    """
    texts = semantics.texts(query, question)
    if semantics.calibrated:
        _check(nulls, len(texts))
    # The exact type: a subclass may compose in a way of its own.
    if type(semantics) is CalibratedSemantics and nulls is not None:
        expression = calibrated_expression(query, semantics, texts, nulls, question, words)
    elif words is not None:
        raise UnsupportedByEngineError(
            f"The semantics {semantics.name!r} has no arithmetic for words.", hint="Leave words out."
        )
    else:
        expression = _flushed(traced(query, semantics, texts, nulls, question))
    wanted = tuple(texts.index(text) for text in semantics.wanted_texts(query, question))
    return Lowered(texts, expression, wanted)


def says_words(semantics: Semantics) -> bool:
    """Whether :func:`lower` takes words of a semantics."""
    return type(semantics) is CalibratedSemantics


def _check(nulls: NullDistributions | None, count: int) -> None:
    """Refuse null distributions that are missing, of other texts, or without spread."""
    if nulls is None:
        message = "Calibrated scores need null distributions, and none were given."
    elif len(nulls.means) != count:
        message = f"{count} texts have null distributions of {len(nulls.means)}."
    elif not ((nulls.deviations > 0).all() and np.isfinite([nulls.means, nulls.deviations]).all()):
        message = "A null distribution has no finite mean, or a deviation that is not above 0."
    else:
        return
    raise SemanticsError(
        message,
        hint="Give nulls=NullModel.fit(sample_of_the_documents).of(vectors_of_the_texts), with texts "
        "semantics.texts(query, question).",
    )


def _flushed(expression: Expression) -> Expression:
    """Round long products so that they never come near the smallest number of double precision."""

    def visit(node: Expression, parts: tuple[tuple[Expression, int], ...]) -> tuple[Expression, int]:
        """An equal expression, and how many factors may have made it as small as it is."""
        if not parts:
            return node, 1
        rebuilt = node.rebuilt(part for part, _ in parts)
        factors = (sum if isinstance(node, Multiply) else max)(count for _, count in parts)
        return (rebuilt, factors) if factors <= MAX_FACTORS else (rebuilt + FLUSH - FLUSH, 1)

    # A product has no more factors than the expression has leaves.
    return expression if expression.size <= MAX_FACTORS else expression.fold(visit)[0]

"""Scores as SQL: NumPy's functions, run on pieces of SQL instead of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from logical_retriever.compile.calibrated import calibrated_scores
from logical_retriever.errors import InvalidArgumentError, SemanticsError, UnsupportedByEngineError
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.semantics import CalibratedSemantics, Evidence, NullDistributions, Semantics

LONGEST = 200_000
"""Characters of a score; what an operator reads twice doubles at every level."""
MOST_TERMS = 16
"""Terms, repeated ones included, whose product is above the smallest number of double precision: engines raise below.
Cosines are 0 or at least 1e-16."""
SAMPLE = 64
"""Documents on which a semantics must give finite scores."""


class Sql:
    """A number in an engine's SQL. It has no order: where a score jumps, rounding would decide what it is."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __bool__(self) -> bool:
        raise NotImplementedError("it chooses by comparing")


class SqlArray(np.ndarray[Any, np.dtype[np.object_]]):
    """An array of :class:`Sql` and numbers. NumPy's elementwise functions print longer SQL."""

    functions: Mapping[str, str]
    constant: Callable[[float], str]

    def __array_finalize__(self, other: Any) -> None:
        self.functions, self.constant = getattr(other, "functions", {}), getattr(other, "constant", repr)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        of = next(operand for operand in operands if isinstance(operand, SqlArray))
        if (template := of.functions.get(ufunc.__name__)) is None:
            raise NotImplementedError(f"numpy.{ufunc.__name__} has no SQL")

        def printed(*values: Any) -> Sql | float:
            if not any(isinstance(value, Sql) for value in values):
                return float(ufunc(*values))
            text = template.format(*(v.text if isinstance(v, Sql) else of.constant(float(v)) for v in values))
            if len(text) > LONGEST:
                raise NotImplementedError(f"it takes more than {LONGEST} characters")
            return Sql(text)

        (out,) = options.pop("out", (None,))
        function = getattr(np.frompyfunc(printed, ufunc.nin, 1), method)
        made = np.asarray(function(*(np.asarray(one, dtype=object) for one in operands), **options), dtype=object)
        if out is None:
            out = np.empty_like(of, shape=made.shape)
        out[...] = made
        return out


def score_in_sql(
    query: LogicalQuery,
    semantics: Semantics,
    nulls: NullDistributions | None,
    question: str | None,
    cosines: list[Sql | float],
    functions: Mapping[str, str],
    constant: Callable[[float], str],
) -> str:
    """A document's score by vectors alone, over its cosines with the T texts of ``semantics.texts(query, question)``.

    Args:
        query: The query.
        semantics: Elementwise arithmetic in NumPy, or the calibrated default.
        nulls: Null distributions of the texts, for calibrated semantics.
        question: The user's question, where the query was made of one.
        cosines: T cosines.
        functions: SQL of NumPy's functions, by their names.
        constant: SQL of a number.

    Raises:
        UnsupportedByEngineError: The semantics is no arithmetic on each document's cosines, divides by 0, or the query
            is too long for it.
        SemanticsError: Null distributions are needed and missing.
    """
    texts = semantics.texts(query, question)
    if semantics.calibrated:
        _check(nulls, len(texts))
    # The second document's have a mark that no SQL has: a score with it would look at several documents.
    both = np.array([[one, Sql("!")] for one in cosines], dtype=object).view(SqlArray)
    both.functions, both.constant = functions, constant
    # The exact type: a subclass may compose in a way of its own.
    if type(semantics) is CalibratedSemantics and nulls is not None:
        score = calibrated_scores(query, semantics, texts, nulls, question, both)[0]
    else:
        try:
            score = _traced(query, semantics, lambda rows: Evidence(texts, rows, nulls, question=question), both)
        except Exception as error:  # whatever a stranger's code raises where it meets no numbers
            raise UnsupportedByEngineError(
                f"The semantics {semantics.name!r} ({type(semantics).__name__}) cannot be said in SQL: {error}.",
                hint=f"Write it with {', '.join(functions)} alone; or search without the engine.",
            ) from error
    return score.text if isinstance(score, Sql) else constant(float(score))


def _traced(
    query: LogicalQuery, semantics: Semantics, evidence: Callable[[Any], Evidence], cosines: SqlArray
) -> Sql | float:
    if sum(isinstance(node, Term) for node in query.walk()) > MOST_TERMS:
        raise NotImplementedError(f"the query has more than {MOST_TERMS} terms")
    rng = np.random.default_rng(0)
    sample = rng.uniform(-1.0, 1.0, (len(cosines), SAMPLE))
    for value in (-1.0, 0.0, 1.0):
        sample[rng.random(sample.shape) < 0.2] = value
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        semantics.scores(query, evidence(sample))
    score: Sql | float = semantics.scores(query, evidence(cosines))[0]
    if isinstance(score, Sql) and "!" in score.text:
        raise NotImplementedError("it looks at several documents at once")
    return score


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


def finite(value: float) -> float:
    """A constant of a score.

    Raises:
        InvalidArgumentError: It is not finite.
    """
    if not math.isfinite(value):
        raise InvalidArgumentError(
            f"A score cannot have the constant {value}.",
            hint="Check the constants of the semantics and the null distributions: each is a finite number.",
        )
    return value

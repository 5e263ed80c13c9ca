"""A query's score by vectors as SQL that every engine reads: NumPy's functions, run on names instead of numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError, SemanticsError, UnsupportedByEngineError
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.semantics.base import Semantics
from logical_retriever.semantics.calibrated import CalibratedSemantics
from logical_retriever.semantics.calibrated_formula import calibrated_scores
from logical_retriever.semantics.evidence import Evidence, NullDistributions

LONGEST = 200_000
"""Characters of a formula; what an operator reads twice doubles at every level."""
MOST_TERMS = 16
"""Terms, repeated ones included, whose product is above the smallest number of double precision: engines raise below.
Cosines are 0 or at least 1e-16."""
SAMPLE = 64
"""Documents on which a semantics must give finite scores."""
FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        **{"add": "({} + {})", "subtract": "({} - {})", "multiply": "({} * {})", "divide": "({} / {})"},
        **{"negative": "(- {})", "minimum": "least({}, {})", "maximum": "greatest({}, {})", "absolute": "abs({})"},
        **{"clip": "least(greatest({}, {}), {})", "exp": "exp({})", "log": "ln({})", "tanh": "tanh({})"},
        # Rounding may have taken x below 0.
        **{"sqrt": "sqrt(greatest({}, 0e0))", "arctanh": "atanh({})"},
    }
)
"""SQL of NumPy's functions, by their names."""


class _Sql:
    """A number in SQL. It has no order: where a score jumps, rounding would decide what it is."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __bool__(self) -> bool:
        raise NotImplementedError("it chooses by comparing")


class _SqlArray(np.ndarray[Any, np.dtype[np.object_]]):
    """An array of :class:`_Sql` and numbers. NumPy's elementwise functions print longer SQL."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        if (template := FUNCTIONS.get(ufunc.__name__)) is None:
            raise NotImplementedError(f"numpy.{ufunc.__name__} has no SQL")

        def printed(*values: Any) -> _Sql | float:
            if not any(isinstance(value, _Sql) for value in values):
                return float(ufunc(*values))
            text = template.format(*map(_printed, values))
            if len(text) > LONGEST:
                raise NotImplementedError(f"it takes more than {LONGEST} characters")
            return _Sql(text)

        (out,) = options.pop("out", (None,))
        function = getattr(np.frompyfunc(printed, ufunc.nin, 1), method)
        values = np.asarray(function(*(np.asarray(one, dtype=object) for one in operands), **options), dtype=object)
        if out is None:
            out = np.empty_like(self, shape=values.shape)
        out[...] = values
        return out


def score_formula(
    query: LogicalQuery,
    semantics: Semantics,
    nulls: NullDistributions | None = None,
    question: str | None = None,
    texts: tuple[str, ...] | None = None,
) -> str:
    """A document's score by vectors alone, as SQL over its cosines ``lr_c0``, ``lr_c1``, ... with T texts.

    It is made of ``+ - * /``, ``least``, ``greatest``, ``abs``, ``exp``, ``ln``, ``tanh``, ``sqrt``, ``atanh`` and
    constants with an exponent, which are of double precision in every dialect.

    Args:
        query: The query, without conditions.
        semantics: Elementwise arithmetic in NumPy, or the calibrated default.
        nulls: Null distributions of the texts, for calibrated semantics.
        question: The user's question, where the query was made of one.
        texts: The T texts, those of ``semantics.texts(query, question)`` among them; None for these alone.

    Raises:
        UnsupportedByEngineError: The semantics is no arithmetic on each document's cosines, divides by 0, or the query
            is too long for it.
        SemanticsError: Null distributions are needed and missing.
        InvalidArgumentError: A condition in the query, a constant that is not finite.

    Examples:
        >>> from logical_retriever import parse
        >>> from logical_retriever.semantics import ItlrSemantics
        >>> score_formula(parse("a AND NOT b"), ItlrSemantics())
        '(lr_c0 * (1.0e0 - lr_c1))'
    """
    refuse_conditions(query, "A formula")
    texts = semantics.texts(query, question) if texts is None else texts
    if semantics.calibrated:
        _check(nulls, len(texts))
    # The second document's have a mark that no SQL has: a score with it would look at several documents.
    both = np.array([[_Sql(f"lr_c{i}"), _Sql("!")] for i in range(len(texts))], dtype=object).view(_SqlArray)
    # The exact type: a subclass may compose in a way of its own.
    if type(semantics) is CalibratedSemantics and nulls is not None:
        return _printed(calibrated_scores(query, semantics.constants, texts, nulls, question, both)[0])
    try:
        if sum(isinstance(node, Term) for node in query.walk()) > MOST_TERMS:
            raise NotImplementedError(f"the query has more than {MOST_TERMS} terms")
        rng = np.random.default_rng(0)
        sample = rng.uniform(-1.0, 1.0, (len(texts), SAMPLE))
        for value in (-1.0, 0.0, 1.0):
            sample[rng.random(sample.shape) < 0.2] = value
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            semantics.scores(query, Evidence(texts, sample, nulls, question=question))
        evidence: Any = Evidence(texts, both, nulls, question=question)  # type: ignore[arg-type]  # of names
        score = semantics.scores(query, evidence)[0]
        if isinstance(score, _Sql) and "!" in score.text:
            raise NotImplementedError("it looks at several documents at once")
    except Exception as error:  # whatever a stranger's code raises where it meets no numbers
        raise UnsupportedByEngineError(
            f"The semantics {semantics.name!r} ({type(semantics).__name__}) cannot be said in SQL: {error}.",
            hint=f"Write it with {', '.join(FUNCTIONS)} alone; or search without the engine.",
        ) from error
    return _printed(score)


def _printed(value: Any) -> str:
    """SQL of a value: with an exponent, or it would be a decimal number; in parentheses where signs could meet."""
    if isinstance(value, _Sql):
        return value.text
    number = float(value)
    if not math.isfinite(number):
        raise InvalidArgumentError(
            f"A score cannot have the constant {number}.",
            hint="Check the constants of the semantics and the null distributions: each is a finite number.",
        )
    digits = repr(number) if "e" in repr(number) else f"{number!r}e0"
    return digits if number >= 0 else f"({digits})"


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

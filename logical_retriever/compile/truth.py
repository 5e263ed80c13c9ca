"""Truth values of cosines, as arithmetic."""

from __future__ import annotations

from logical_retriever.compile.expression import Exp, Expression, maximum, minimum
from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.semantics import HamacherSemantics, Logistic, LukasiewiczSemantics
from logical_retriever.semantics.truth import clipped, raw, rescaled
from logical_retriever.semantics.truth_functional import TruthFunctional

MAX_EXPONENT = 80.0
"""Logistic curves are cut where they are within 1e-34 of 0 or 1: further out, engines overflow."""


def truth_expression(semantics: TruthFunctional, cosine: Expression) -> Expression:
    """Truth value of a cosine under the truth map of a semantics.

    Raises:
        UnsupportedByEngineError: A truth map that is not one of this package's, or one whose values leave [0, 1] under
            a semantics whose operators are defined there alone.
    """
    truth = semantics.truth
    if truth is clipped:
        return maximum(cosine, 0.0)
    if truth is rescaled:
        return (cosine + 1.0) * 0.5
    if isinstance(truth, Logistic):
        tau, scale = float(truth.tau), float(truth.scale)
        exponent = (tau - cosine) * scale
        if scale * (1.0 + abs(tau)) > MAX_EXPONENT:
            exponent = maximum(minimum(exponent, MAX_EXPONENT), -MAX_EXPONENT)
        return 1.0 / (Exp(exponent) + 1.0)
    if truth is raw and not isinstance(semantics, (HamacherSemantics, LukasiewiczSemantics)):
        return cosine
    name = getattr(truth, "__name__", type(truth).__name__)
    raise UnsupportedByEngineError(
        f"The truth map {name!r} of {semantics.name!r} cannot be said as arithmetic over cosines.",
        hint="Use clipped, rescaled or a Logistic; or search without pushing the query down.",
    )

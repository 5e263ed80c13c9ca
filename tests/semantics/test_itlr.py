"""ITLR with every operator of the paper's Table 2."""

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import Term
from logical_retriever.semantics import Evidence, ItlrSemantics

A, B = Term("a"), Term("b")
EVIDENCE = Evidence(("a", "b"), np.array([[0.8, -0.2, 0.0], [0.5, 0.5, 0.0]]))


@pytest.mark.parametrize(
    ("conjunction", "expected"), [("product", [0.4, -0.1, 0]), ("sum", [1.3, 0.3, 0]), ("min", [0.5, -0.2, 0])]
)
def test_conjunctions(conjunction, expected):
    np.testing.assert_allclose(ItlrSemantics(conjunction=conjunction).compose(A & B, EVIDENCE).scores, expected)


@pytest.mark.parametrize(
    ("disjunction", "expected"), [("sum", [1.3, 0.3, 0]), ("max", [0.8, 0.5, 0]), ("probabilistic", [0.9, 0.4, 0])]
)
def test_disjunctions(disjunction, expected):
    np.testing.assert_allclose(ItlrSemantics(disjunction=disjunction).compose(A | B, EVIDENCE).scores, expected)


@pytest.mark.parametrize(("negation", "expected"), [("complement", [0.2, 1.2, 1]), ("reciprocal", [1.25, 100, 100])])
def test_negations(negation, expected):
    np.testing.assert_allclose(ItlrSemantics(negation=negation).compose(~A, EVIDENCE).scores, expected)


def test_clipping_counts_negative_cosines_as_zero():
    np.testing.assert_allclose(ItlrSemantics(clip=True).compose(~A & B, EVIDENCE).scores, [0.1, 0.5, 0])


@pytest.mark.parametrize("argument", ["conjunction", "disjunction", "negation"])
def test_unknown_operators_are_refused(argument):
    with pytest.raises(InvalidArgumentError, match="'xor'"):
        ItlrSemantics(**{argument: "xor"})

"""A score in SQL is the semantics' own, for every tree and every operator; here it is read back as Python."""

from functools import reduce

import numpy as np
import pytest
from compiler_corpus import ITLR_CHOICES, GeometricMean
from hypothesis import given, settings, strategies as st
from random_queries import queries

from logical_retriever.errors import InvalidArgumentError, SemanticsError, UnsupportedByEngineError
from logical_retriever.lab.calibrate import Logistic
from logical_retriever.query import And, Condition, Term, parse
from logical_retriever.semantics import (
    CalibratedConstants,
    CalibratedSemantics,
    Composition,
    Evidence,
    GodelSemantics,
    HamacherSemantics,
    ItlrSemantics,
    LukasiewiczSemantics,
    NsflSemantics,
    NullDistributions,
    ProductSemantics,
    Semantics,
)
from logical_retriever.semantics.calibrated_formula import calibrated_scores
from logical_retriever.semantics.formula import score_formula
from logical_retriever.semantics.truth_functional import TruthFunctional, raw, rescaled

PYTHON = {
    **{"least": np.minimum, "greatest": np.maximum, "abs": np.abs, "exp": np.exp, "ln": np.log, "tanh": np.tanh},
    **{"sqrt": np.sqrt, "atanh": np.arctanh},
}
"""SQL's functions in Python, whose operators and constants are the same."""
LETTERS = ("a", "b", "c", "d")


class Einstein(TruthFunctional):
    """Einstein product and sum, of truth values that are a curve over cosines."""

    name = "einstein"

    def __init__(self):
        super().__init__(lambda cosines: (1.0 + np.tanh(3.0 * cosines)) / 2.0)

    def conjunction(self, x, y):
        return x * y / (2.0 - (x + y - x * y))

    def disjunction(self, x, y):
        return (x + y) / (1.0 + x * y)


class PNorm(Semantics):
    """The extended Boolean model of Salton, Fox and Wu (1983) with p = 2: operators of any number of operands."""

    name = "p-norm"

    def compose(self, query, evidence):
        truth = evidence.cosines.clip(0.0, 1.0)
        terms = {Term(text): truth[evidence.row(text)] for text in query.terms()}

        def visit(node, parts):
            if isinstance(node, Term):
                return terms[node]
            if len(parts) == 1:
                return 1.0 - parts[0]
            squares = [np.multiply(x, x) for x in (np.abs(part - isinstance(node, And)) for part in parts)]
            mean = np.sqrt(reduce(np.add, squares) / len(squares))
            return 1.0 - mean if isinstance(node, And) else mean

        return Composition(query.fold(visit), terms)


class Standardised(Semantics):
    """The least calibrated evidence: what a semantics of one's own does with null distributions."""

    name = "standardised"
    calibrated = True

    def compose(self, query, evidence):
        return Composition(reduce(np.minimum, evidence.nulls.standardise(evidence.cosines)), {})


BUILT_IN = [
    *ITLR_CHOICES,
    *(ProductSemantics(), ProductSemantics(rescaled), ProductSemantics(raw), ProductSemantics(Logistic(-2.0, 5000.0))),
    *(GodelSemantics(), GodelSemantics(Logistic(0.4, 900.0)), LukasiewiczSemantics(), LukasiewiczSemantics(raw)),
    *(HamacherSemantics(), HamacherSemantics(Logistic(0.2, 20.0)), ProductSemantics(np.tanh)),
]
ARITHMETIC = [*BUILT_IN, Einstein(), PNorm(), Standardised(), GeometricMean()]


def name(semantics):
    details = getattr(semantics, "operators", getattr(semantics, "truth", ""))
    return f"{semantics.name}-{getattr(details, '__name__', details)}{'-clip' * getattr(semantics, 'clip', False)}"


@st.composite
def cosines(draw, count=4):
    """Random cosines, with those at which operators have corners."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = rng.uniform(-1, 1, size=(count, 40))
    corners = rng.choice([-1.0, 0.0, 1.0, 1e-16, 1 - 1e-16, 1e-9, 0.01, 0.5], size=rows.shape)
    return np.where(rng.random(rows.shape) < 0.3, corners, rows)


def read(text, rows):
    found = eval(text, {**PYTHON, **{f"lr_c{i}": row for i, row in enumerate(rows)}})
    return np.broadcast_to(found, rows.shape[1:])


def assert_same(query, semantics, rows, nulls=None, question=None):
    texts = semantics.texts(query, question)
    index = [(*LETTERS, "q").index(text) for text in texts]
    own = NullDistributions(nulls.means[index], nulls.deviations[index]) if nulls else None
    expected = semantics.scores(query, Evidence(texts, rows[index], own, question=question))
    with np.errstate(all="raise", under="warn"):
        found = read(score_formula(query, semantics, own, question), rows[index])
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("semantics", ARITHMETIC, ids=name)
@given(query=queries(max_leaves=10), rows=cosines())
@settings(max_examples=15, deadline=None)
def test_any_semantics_in_elementwise_arithmetic_is_printed_as_it_scores(semantics, query, rows):
    assert_same(query, semantics, rows, NullDistributions(np.linspace(-0.1, 0.2, 4), np.linspace(0.05, 0.2, 4)))


@pytest.mark.parametrize("question", [None, "q", "a"])  # a text of its own, and a term of some queries
@given(query=queries(max_leaves=14), rows=cosines(5), seed=st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_calibrated_scores(question, query, rows, seed):
    rng = np.random.default_rng(seed)
    nulls = NullDistributions(rng.uniform(-0.3, 0.6, 5), rng.uniform(0.02, 0.4, 5))
    other = CalibratedSemantics(CalibratedConstants(question=0.0, onset=0.0, threshold=-2.0, slope=1.5))
    for semantics in (CalibratedSemantics(), other):
        assert_same(query, semantics, rows, nulls, question)


@pytest.mark.parametrize("semantics", [*BUILT_IN, CalibratedSemantics()], ids=name)
def test_a_score_grows_with_the_query_and_not_with_its_depth(semantics):
    query = Term("a")
    for level in range(13):
        query = (query | Term("b")) if level % 2 else ~(query & Term("c"))
    nulls = NullDistributions(np.zeros(3), np.full(3, 0.2))
    assert len(score_formula(query, semantics, nulls)) < 400 * query.size


def test_repeated_parts_of_a_calibrated_query_add_nothing():
    nulls = NullDistributions(np.zeros(1), np.ones(1))
    once, twice = (
        calibrated_scores(query, CalibratedConstants(), ("a",), nulls, None, np.array([[0.2]]))
        for query in (parse("NOT a"), parse("NOT a OR NOT a"))
    )
    np.testing.assert_allclose(once, twice)


def test_calibrated_scores_need_null_distributions_that_spread():
    query, semantics = parse("a AND NOT b"), CalibratedSemantics()
    with pytest.raises(SemanticsError, match="null distributions"):
        score_formula(query, semantics)
    with pytest.raises(SemanticsError, match="2 texts have null distributions of 1"):
        score_formula(query, semantics, NullDistributions(np.zeros(1), np.ones(1)))
    for means, deviations in (([0, 0], [1, 0]), ([0, 0], [1, np.nan]), ([np.inf, 0], [1, 1])):
        with pytest.raises(SemanticsError, match="no finite mean"):
            score_formula(query, semantics, NullDistributions(np.array(means), np.array(deviations)))
    with pytest.raises(UnsupportedByEngineError, match="all alike"):
        score_formula(query, semantics, NullDistributions(np.zeros(2), np.full(2, 1e-6)))


def own(conjunction):
    return type("Own", (ProductSemantics,), {"conjunction": lambda self, x, y: conjunction(x, y)})()


class OwnCalibrated(CalibratedSemantics):
    """A subclass may compose in a way of its own: the form of its parent is not taken for it."""


@pytest.mark.parametrize(
    ("semantics", "named"),
    [
        (NsflSemantics(), r"'nsfl' \(NsflSemantics\)"),
        (OwnCalibrated(), "OwnCalibrated"),
        (own(lambda x, y: np.where(x + y > 1.0, np.minimum(x, y), 0.0)), r"numpy\.greater has no SQL"),
        (own(lambda x, y: x * y + x.sum()), "several documents"),
        (own(lambda x, y: np.sort([x, y], axis=0)[0]), "not supported between"),
        (own(lambda x, y: (x * y) ** 0.3), r"numpy\.power has no SQL"),
        (own(lambda x, y: x * y / (x + y - x * y)), "invalid value encountered in divide"),
        (own(lambda x, y: x * y if (x < y).all() else y), r"numpy\.less has no SQL"),
        (own(lambda x, y: x if x[0] else y), "comparing"),
        (own(lambda x, y: np.asarray(x, dtype=np.float64) * y), "real number"),
        (ProductSemantics(np.cos), r"numpy\.cos has no SQL"),
    ],
)
def test_what_has_no_sql_is_refused_and_named(semantics, named):
    with pytest.raises(UnsupportedByEngineError, match=named):
        score_formula(parse("a AND b"), semantics, NullDistributions(np.zeros(2), np.ones(2)))


def test_long_products_and_what_is_read_twice_are_refused_before_they_are_too_long():
    sixteen, more = (And(tuple(Term(f"t{i}") for i in range(n))) for n in (16, 17))
    assert score_formula(sixteen, ProductSemantics())
    with pytest.raises(UnsupportedByEngineError, match="more than 16 terms"):
        score_formula(more, ProductSemantics())
    with pytest.raises(UnsupportedByEngineError, match="more than 200000 characters"):
        score_formula(sixteen, own(lambda x, y: x + y - x * y * x))


def test_a_score_that_looks_at_no_cosine_is_a_constant():
    class Same(GodelSemantics):
        def scores(self, query, evidence):
            return np.full(evidence.cosines.shape[1], 0.25)

    assert score_formula(Term("a"), Same()) == "0.25e0"


def test_constants_are_finite():
    for value in (float("nan"), float("inf")):
        with pytest.raises(InvalidArgumentError, match="finite"):
            score_formula(Term("a"), type("Own", (GodelSemantics,), {"scores": lambda *_, value=value: [value]})())


def test_more_texts_than_the_semantics_reads_and_conditions():
    query = parse("b AND NOT a")
    assert score_formula(query, ItlrSemantics(), texts=("a", "x", "b")) == "(lr_c2 * (1.0e0 - lr_c0))"
    with pytest.raises(InvalidArgumentError, match="condition"):
        score_formula(query & Condition("year", "=", 1), ItlrSemantics())

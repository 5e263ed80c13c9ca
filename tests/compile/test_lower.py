"""The arithmetic of a lowered query is the semantics' own score, for every tree and every operator."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import queries

from logical_retriever.compile import evaluate, lower
from logical_retriever.compile.expression import Cosine, used_cosines
from logical_retriever.errors import SemanticsError, UnsupportedByEngineError
from logical_retriever.query import And, Term, parse
from logical_retriever.semantics import (
    CalibratedConstants,
    CalibratedSemantics,
    Evidence,
    GodelSemantics,
    HamacherSemantics,
    ItlrSemantics,
    Logistic,
    LukasiewiczSemantics,
    NullDistributions,
    ProductSemantics,
)
from logical_retriever.semantics.truth_functional import raw, rescaled

ITLR = [
    ItlrSemantics(conjunction, disjunction, negation, clip=clip)
    for conjunction, disjunction, negation, clip in product(
        ("product", "sum", "min"), ("sum", "max", "probabilistic"), ("complement", "reciprocal"), (False, True)
    )
]
TRUTH_FUNCTIONAL = [
    *ITLR,
    ProductSemantics(),
    ProductSemantics(rescaled),
    ProductSemantics(raw),
    ProductSemantics(Logistic(0.3, 12.0)),
    ProductSemantics(Logistic(-2.0, 5000.0)),
    GodelSemantics(),
    GodelSemantics(raw),
    GodelSemantics(Logistic(0.4, 900.0)),
    LukasiewiczSemantics(),
    HamacherSemantics(),
    HamacherSemantics(rescaled),
    HamacherSemantics(Logistic(0.2, 20.0)),
    ProductSemantics(np.tanh),
    LukasiewiczSemantics(raw),
]
LETTERS = ("a", "b", "c", "d")


def name(semantics):
    details = getattr(semantics, "operators", getattr(semantics, "truth", ""))
    return f"{semantics.name}-{getattr(details, '__name__', details)}{'-clip' * getattr(semantics, 'clip', False)}"


@st.composite
def cosines(draw, count=4):
    """Random cosines, with those at which operators have corners."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = rng.uniform(-1, 1, size=(count, 40))
    corners = rng.choice([-1.0, 0.0, 1.0, 1e-17, 1 - 1e-16, 1e-9, 0.01, 0.5], size=rows.shape)
    return np.where(rng.random(rows.shape) < 0.3, corners, rows)


def scored(query, semantics, rows, nulls=None, question=None):
    """What the semantics makes of the rows of the letters, beside what the lowered expression makes of them."""
    texts = semantics.texts(query, question)
    index = [(*LETTERS, "q").index(text) for text in texts]
    own = NullDistributions(nulls.means[index], nulls.deviations[index]) if nulls else None
    expected = semantics.compose(query, Evidence(texts, rows[index], own, question=question)).scores
    lowered = lower(query, semantics, own, question=question)
    assert lowered.texts == texts
    assert [texts[i] for i in lowered.wanted] == list(semantics.wanted_texts(query, question))
    with np.errstate(all="raise", under="warn"):
        return expected, evaluate(lowered.expression, rows[index])


@pytest.mark.parametrize("semantics", TRUTH_FUNCTIONAL, ids=name)
@given(query=queries(max_leaves=14), rows=cosines())
@settings(max_examples=25, deadline=None)
def test_truth_functional_scores(semantics, query, rows):
    expected, found = scored(query, semantics, rows)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("question", [None, "q", "a"])
@given(query=queries(max_leaves=14), rows=cosines(5), seed=st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_calibrated_scores(question, query, rows, seed):
    rng = np.random.default_rng(seed)
    nulls = NullDistributions(rng.uniform(-0.3, 0.6, 5), rng.uniform(0.02, 0.4, 5))
    for semantics in (
        CalibratedSemantics(),
        CalibratedSemantics(CalibratedConstants(question=0.0, onset=0.0, threshold=-2.0, slope=1.5)),
    ):
        # The question "a" is a term of some queries and a text of its own beside others.
        expected, found = scored(query, semantics, rows, nulls, question)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("semantics", [*TRUTH_FUNCTIONAL, CalibratedSemantics()], ids=name)
def test_the_expression_grows_with_the_query_and_not_with_its_depth(semantics):
    query = Term("a")
    for level in range(30):
        query = (query | Term("b")) if level % 2 else ~(query & Term("c"))
        if query.depth > 29:
            break
    count = len(semantics.texts(query))
    nulls = NullDistributions(np.zeros(count), np.full(count, 0.2))
    assert len(list(lower(query, semantics, nulls).expression.walk())) < 40 * query.size


def test_long_products_never_come_near_the_smallest_number():
    query = And(tuple(Term(f"t{i}") for i in range(64)))
    for semantics in (ProductSemantics(), ProductSemantics(Logistic(0.5, 3000.0)), ItlrSemantics()):
        expression = lower(query, semantics).expression
        for value in (1e-16, 1e-10, 0.3, 1.0):
            with np.errstate(under="raise", over="raise"):
                found = evaluate(expression, np.full((64, 1), value))
            expected = semantics.compose(query, Evidence(query.terms(), np.full((64, 1), value))).scores
            np.testing.assert_allclose(found, expected, atol=1e-30)


def test_texts_beyond_those_that_count_are_not_read():
    nulls = NullDistributions(np.zeros(2), np.ones(2))
    lowered = lower(Term("a"), CalibratedSemantics(), nulls, question="what is a?")
    assert lowered.texts == ("a", "what is a?")
    assert used_cosines(lowered.expression) == (0,)


def test_repeated_parts_of_a_calibrated_query_add_nothing():
    nulls = NullDistributions(np.zeros(1), np.ones(1))
    once, twice = (lower(q, CalibratedSemantics(), nulls).expression for q in (parse("NOT a"), parse("NOT a OR NOT a")))
    np.testing.assert_allclose(evaluate(once, [[0.2]]), evaluate(twice, [[0.2]]))


def test_calibrated_scores_need_null_distributions_that_spread():
    query = parse("a AND NOT b")
    with pytest.raises(SemanticsError, match="null distributions"):
        lower(query, CalibratedSemantics())
    with pytest.raises(SemanticsError, match="2 texts have null distributions of 1"):
        lower(query, CalibratedSemantics(), NullDistributions(np.zeros(1), np.ones(1)))
    for means, deviations in (([0, 0], [1, 0]), ([0, 0], [1, np.nan]), ([np.inf, 0], [1, 1])):
        with pytest.raises(SemanticsError, match="no finite mean"):
            lower(query, CalibratedSemantics(), NullDistributions(np.array(means), np.array(deviations)))
    with pytest.raises(UnsupportedByEngineError, match="all alike"):
        lower(query, CalibratedSemantics(), NullDistributions(np.zeros(2), np.full(2, 1e-6)))


def test_the_operators_of_expressions():
    expression = (2.0 - Cosine(0)) / (1.0 + Cosine(0)) - (-Cosine(1)) * 3.0 + 1.0
    assert evaluate(expression, [[0.5], [0.25]]).tolist() == [1.0 + 0.75 + 1.0]

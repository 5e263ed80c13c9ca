"""A score in SQL is the calibrated one by vectors alone, for every tree; here it is read back as Python."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import LETTERS, queries

from logical_retriever.errors import InvalidArgumentError, SemanticsError, UnsupportedByEngineError
from logical_retriever.query import Condition, Term, parse
from logical_retriever.scoring import (
    CalibratedConstants,
    CalibratedSemantics,
    Evidence,
    NullDistributions,
    get_semantics,
)
from logical_retriever.scoring.formula import USUAL, score_formula

PYTHON = {
    **{"least": np.minimum, "greatest": np.maximum, "abs": np.abs, "exp": np.exp, "ln": np.log, "tanh": np.tanh},
    **{"sqrt": np.sqrt, "atanh": np.arctanh},
}
"""SQL's functions in Python, whose operators and constants are the same."""


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


def assert_same(query, semantics, rows, nulls, question, kinds):
    """Compare with the semantics in a store where the document most about each term has the usual evidence."""
    texts = semantics.texts(query, question)
    index = [(*LETTERS, "q").index(text) for text in texts]
    own = NullDistributions(nulls.means[index], nulls.deviations[index], nulls.correlations[np.ix_(index, index)])
    rows = np.minimum(rows[index], (own.means + USUAL * own.deviations)[:, None])
    strongest = dict.fromkeys(texts, USUAL)
    known = Evidence(texts, rows, own, asked=question, kinds=kinds, strongest=strongest)
    with np.errstate(all="raise", under="warn"):
        found = read(score_formula(query, semantics, texts, own, question, kinds), rows)
    np.testing.assert_allclose(found, semantics.compose(query, known), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("question", [None, "q", "a"])  # a text of its own, and a term of some queries
@given(query=queries(max_leaves=14), rows=cosines(5), seed=st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_calibrated_scores(question, query, rows, seed):
    rng = np.random.default_rng(seed)
    likeness = np.corrcoef(rng.normal(size=(5, 8)))
    nulls = NullDistributions(rng.uniform(-0.3, 0.6, 5), rng.uniform(0.02, 0.4, 5), likeness)
    kinds = dict(zip(LETTERS, rng.choice(["topic", "lack", "typed", "always"], 4).tolist(), strict=True))
    other = CalibratedSemantics(CalibratedConstants(asked=0.0, onset=0.0, exclusion=1.5))
    for semantics in (CalibratedSemantics(), other):
        assert_same(query, semantics, rows, nulls, question, kinds)


def test_a_score_grows_with_the_query_and_not_with_its_depth():
    query = Term("a")
    for level in range(13):
        query = (query | Term("b")) if level % 2 else ~(query & Term("c"))
    nulls = NullDistributions(np.zeros(3), np.full(3, 0.2))
    assert len(score_formula(query, CalibratedSemantics(), query.terms(), nulls)) < 400 * query.size


def test_scores_need_null_distributions_that_spread():
    query, semantics = parse("a AND NOT b"), CalibratedSemantics()
    with pytest.raises(SemanticsError, match="null distributions"):
        score_formula(query, semantics, ("a", "b"), None)
    with pytest.raises(SemanticsError, match="constant"):
        score_formula(query, semantics, ("a", "b"), NullDistributions(np.array([np.inf, 0]), np.ones(2)))
    with pytest.raises(UnsupportedByEngineError, match="all alike"):
        score_formula(query, semantics, ("a", "b"), NullDistributions(np.zeros(2), np.full(2, 1e-6)))


class Own(CalibratedSemantics):
    """A subclass may compose in a way of its own: the form of its parent is not taken for it."""


def test_another_semantics_and_conditions_are_refused():
    nulls = NullDistributions(np.zeros(2), np.ones(2))
    for semantics in (Own(), get_semantics("product")):
        with pytest.raises(UnsupportedByEngineError, match=semantics.name):
            score_formula(parse("a AND b"), semantics, ("a", "b"), nulls)
    with pytest.raises(InvalidArgumentError, match="condition"):
        score_formula(parse("a AND b") & Condition("year", "=", 1), CalibratedSemantics(), ("a", "b"), nulls)

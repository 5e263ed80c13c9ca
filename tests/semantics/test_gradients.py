"""Gradients of scores against finite differences of the scores."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import queries

from logical_retriever.errors import SemanticsError
from logical_retriever.query import parse
from logical_retriever.semantics import (
    SEMANTICS,
    Composition,
    Evidence,
    GodelSemantics,
    HamacherSemantics,
    ItlrSemantics,
    Logistic,
    NullDistributions,
    ProductSemantics,
    Semantics,
    get_semantics,
)
from logical_retriever.semantics.gradients import Traced
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.semantics.truth_functional import raw, rescaled

STEP = 1e-6
DIFFERENTIABLE = [
    *(get_semantics(name) for name in SEMANTICS),
    *(
        ItlrSemantics(conjunction, disjunction, negation, clip=clip)
        for conjunction in ("product", "sum", "min")
        for disjunction in ("sum", "max", "probabilistic")
        for negation in ("complement", "reciprocal")
        for clip in (False, True)
    ),
    GodelSemantics(truth=rescaled),
    HamacherSemantics(truth=rescaled),
    ProductSemantics(truth=Logistic(0.3, 12.0)),
    ProductSemantics(truth=raw),
    NsflSemantics(wording="that are also", scale="rescaled"),
    NsflSemantics(operators="fused"),
]


def evidence(semantics, query, rng, points, question=None):
    texts = semantics.texts(query, question)
    cosines = rng.uniform(-0.95, 0.95, (len(texts), points))
    nulls = NullDistributions(rng.uniform(-0.1, 0.3, len(texts)), rng.uniform(0.05, 0.2, len(texts)))
    return Evidence(texts, cosines, nulls, question=question)


def differences(semantics, query, given_, sign):
    """Finite differences to one side, shape (T, N); the semantics' own idea of the score of a point."""
    found = np.empty_like(given_.cosines)
    score = semantics.gradients(query, given_)[0]
    for row in range(len(found)):
        moved = given_.cosines.copy()
        moved[row] += sign * STEP
        other = Evidence(given_.texts, moved, given_.nulls, question=given_.question)
        found[row] = sign * (semantics.gradients(query, other)[0] - score) / STEP
    return found


@settings(max_examples=300, deadline=None)
@given(
    query=queries(),
    semantics=st.sampled_from(DIFFERENTIABLE),
    seed=st.integers(0, 2**32 - 1),
    question=st.sampled_from([None, "the question"]),
)
def test_gradients_are_the_slopes_of_the_scores(query, semantics, seed, question):
    known = evidence(semantics, query, np.random.default_rng(seed), 3, question)
    scores, slopes = semantics.gradients(query, known)
    assert slopes.shape == known.cosines.shape
    if semantics.name != "nsfl":  # whose scores are relative to the documents scored, and here to the whole sphere
        np.testing.assert_allclose(scores, semantics.compose(query, known).scores, rtol=1e-12)
    left, right = (differences(semantics, query, known, sign) for sign in (-1.0, 1.0))
    tolerance = 1e-3 * (1.0 + np.abs(slopes) + np.abs(scores))
    # At a corner the two sides differ, and any slope between them is a subgradient.
    assert (slopes >= np.minimum(left, right) - tolerance).all()
    assert (slopes <= np.maximum(left, right) + tolerance).all()


@pytest.mark.parametrize("semantics", DIFFERENTIABLE, ids=lambda s: type(s).__name__)
def test_points_do_not_influence_each_other(semantics):
    query = parse('("a" OR "b") AND "c" AND NOT ("d" OR "a")')
    known = evidence(semantics, query, np.random.default_rng(3), 5)
    scores, slopes = semantics.gradients(query, known)
    for point in range(5):
        alone = Evidence(known.texts, known.cosines[:, [point]], known.nulls)
        one_score, one_slope = semantics.gradients(query, alone)
        np.testing.assert_allclose(one_score, scores[[point]], rtol=1e-12)
        np.testing.assert_allclose(one_slope, slopes[:, [point]], rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", list(SEMANTICS))
@pytest.mark.parametrize("cosine", [-1.0, 0.0, 1.0])
def test_gradients_are_finite_at_the_ends(name, cosine):
    query, semantics = parse('("a" AND NOT "b") OR NOT ("c" AND NOT "a")'), get_semantics(name)
    texts = semantics.texts(query)
    nulls = NullDistributions(np.zeros(len(texts)), np.full(len(texts), 1e-6))
    scores, slopes = semantics.gradients(query, Evidence(texts, np.full((len(texts), 2), cosine), nulls))
    assert np.isfinite(scores).all()
    assert np.isfinite(slopes).all()


def test_a_contradiction_has_its_best_point_between():
    slopes = [
        get_semantics("product").gradients(parse('"a" AND NOT "a"'), Evidence(("a",), np.array([[s]])))[1].item()
        for s in (0.2, 0.5, 0.8)
    ]
    assert slopes == pytest.approx([0.6, 0.0, -0.6])


class Sorting(Semantics):
    name = "sorting"
    monotone = False

    def compose(self, query, evidence):
        return Composition(np.sort(evidence.cosines, axis=0)[0])


def test_a_semantics_without_gradients_says_so():
    known = Evidence(("a",), np.zeros((1, 1)))
    with pytest.raises(SemanticsError, match="'sorting' has no gradients"):
        Sorting().gradients(parse('"a"'), known)

    class Wrong(Sorting):
        differentiable = True

    with pytest.raises(SemanticsError, match=r"derivative of numpy\.sort is not known"):
        Wrong().gradients(parse('"a"'), known)


@pytest.mark.parametrize(
    "operation",
    [lambda x: np.floor(x), lambda x: np.add(x, x, where=np.array([True])), lambda x: np.add.reduce(x)],
)
def test_what_has_no_derivative_is_refused(operation):
    with pytest.raises(SemanticsError, match="is not known"):
        operation(Traced(np.ones(1)))


def test_what_a_score_does_not_depend_on_has_slope_0():
    known = Evidence(("a", "b"), np.full((2, 1), 0.5))
    assert get_semantics("product").gradients(parse('"a"'), known)[1].tolist() == [[1.0], [0.0]]


def test_values_used_twice_are_counted_twice():
    x = Traced(np.array([3.0]))
    y = x * x
    assert (y * y + np.exp(x - 3.0) / 2.0 - abs(-x)).gradients(x) == pytest.approx([4 * 27 + 0.5 - 1.0])
    spread = Traced(np.array([1.0, 2.0]))
    assert (spread * np.ones((3, 2))).gradients(spread).tolist() == [3.0, 3.0]

"""The bound over a box cut by half-spaces holds, and is close to the highest score where that is known."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import BOUNDED, LETTERS, queries

from logical_retriever.query import parse
from logical_retriever.search.lists.supremum import Region, supremum
from logical_retriever.semantics import Evidence, NullDistributions, get_semantics

NULLS = NullDistributions(means=np.array([0.05, 0.1, 0.0, 0.2]), deviations=np.array([0.08, 0.1, 0.05, 0.2]))


def upper_of(query, semantics, texts=LETTERS):
    nulls = NULLS if texts is LETTERS else None
    return lambda low, high: semantics.upper_bounds(query, Evidence(texts, low, nulls), Evidence(texts, high, nulls))


def region(low, high, *cuts):
    """A box and half-spaces, each as weights and a limit."""
    normals = np.array([weights for weights, _ in cuts], dtype=float).reshape(-1, len(low))
    return Region(np.array(low, float), np.array(high, float), normals, np.array([limit for _, limit in cuts], float))


@settings(max_examples=300, deadline=None)
@given(
    query=queries(),
    semantics=st.sampled_from(BOUNDED),
    seed=st.integers(0, 2**32 - 1),
    cuts=st.integers(0, 4),
    tight=st.booleans(),
    boxes=st.sampled_from([1, 200, 4096]),
)
def test_no_point_of_the_region_scores_above_the_bound(query, semantics, seed, cuts, tight, boxes):
    rng = np.random.default_rng(seed)
    low, high = np.sort(rng.uniform(-1, 1, (2, 4)), axis=0)
    points = rng.uniform(low, high, (3000, 4)).T
    corners = rng.random(points.shape) < 0.3
    points = np.where(corners, np.where(rng.random(points.shape) < 0.5, low[:, None], high[:, None]), points)
    normals = rng.normal(size=(cuts, 4)) * (rng.random((cuts, 4)) < 0.8)
    offsets = np.quantile(normals @ points, 0.7, axis=1) if cuts else np.empty(0)
    inside = points[:, (normals @ points <= offsets[:, None]).all(axis=0)]
    scores = semantics.scores(query, Evidence(LETTERS, inside, NULLS))
    target = float(rng.choice(scores)) if len(scores) else 0.0
    found = supremum(
        upper_of(query, semantics), Region(low, high, normals, offsets), target, max_boxes=boxes, tight=tight
    )
    assert scores.max(initial=-np.inf) <= found.bound + 1e-9 * max(1.0, abs(found.bound))
    # What is left holds every point that may reach the target; without it the bound is below the target.
    if not tight:
        assert found.bound < target or found.low.shape[1]
        for point in inside[:, scores > target + 1e-9].T:
            held = (found.low <= point[:, None] + 1e-9) & (point[:, None] <= found.high + 1e-9)
            assert held.all(axis=0).any()


@pytest.mark.parametrize("ratio", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("floor", [-1.0, -0.2])
def test_a_tangent_bounds_a_product_with_a_complement_tightly(ratio, floor):
    """Level sets of a(1 - b) are convex: below its tangent at c, the highest score is that of c."""
    upper = upper_of(parse('"a" AND NOT "b"'), get_semantics("itlr"), ("a", "b"))
    a, b = 0.6, ratio * 0.6
    gradient = np.array([1 - b, -a])
    top, level = a * (1 - b), float(gradient @ [a, b])
    found = supremum(upper, region([-1, floor], [1, 1], (gradient, level)), target=-np.inf, tight=True)
    assert top <= found.bound < 1.02 * top
    # A little above the score of c, few boxes prove it.
    calls = []

    def counted(low, high):
        calls.append(low.shape[1])
        return upper(low, high)

    proved = supremum(counted, region([-1, floor], [1, 1], (gradient, level)), target=1.01 * top)
    assert top <= proved.bound < 1.01 * top
    assert not proved.low.shape[1]
    assert sum(calls) < 2500


def test_the_sum_of_three_bounds_their_product():
    """As arithmetic means bound geometric ones."""
    upper = upper_of(parse('"a" AND "b" AND "c"'), get_semantics("product"), ("a", "b", "c"))
    found = supremum(upper, region([0, 0, 0], [1, 1, 1], ((1, 1, 1), 0.9)), target=-np.inf, tight=True)
    assert 0.3**3 <= found.bound < 1.2 * 0.3**3


def test_an_empty_region_has_no_score():
    upper = upper_of(parse('"a" AND "b"'), get_semantics("product"), ("a", "b"))
    found = supremum(upper, region([0.5, 0.5], [1, 1], ((1, 1), 0.9)), target=0.1)
    assert found.bound == -np.inf
    assert found.low.shape == (2, 0)


def test_a_point_is_a_region():
    upper = upper_of(parse('"a" AND "b"'), get_semantics("product"), ("a", "b"))
    for cuts in ((), (((1, 1), 1.0),)):
        for target in (0.2, 0.25, 0.3):
            assert supremum(upper, region([0.5, 0.5], [0.5, 0.5], *cuts), target).bound == pytest.approx(0.25)


def test_a_budget_of_boxes_leaves_a_bound_that_holds():
    upper = upper_of(parse('"a" AND NOT "b"'), get_semantics("itlr"), ("a", "b"))
    cut = ((0.7, -0.6), 0.24)
    bounds = [supremum(upper, region([-1, -1], [1, 1], cut), 0.421, max_boxes=boxes).bound for boxes in (1, 300, 4096)]
    assert bounds[0] >= bounds[1] >= bounds[2] >= 0.42
    assert bounds[2] < 0.421 <= bounds[0]


def test_a_bound_that_is_not_a_number_is_never_below_a_target():
    found = supremum(lambda low, _: np.full(low.shape[1], np.nan), region([0], [1], ((1.0,), 0.5)), 0.0, max_boxes=500)
    assert not found.bound < 0.0

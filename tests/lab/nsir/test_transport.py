"""Optimal transport between the tokens of a text and of its logic."""

import sys
from itertools import pairwise

import numpy as np
import ot
import pytest

from logical_retriever.errors import InvalidArgumentError, MissingPackageError, SemanticsError
from logical_retriever.lab.nsir.transport import aligned, cost_matrix, transport_plan


def test_the_cost_by_hand():
    # Cosines 1, 0 / 0.6, 0.8; similarities 1, 0.5 / 0.8, 0.9. Opposite ends lose a fifth: 0.5 -> 0.4, 0.8 -> 0.64.
    costs = cost_matrix([[2.0, 0.0], [0.6, 0.8]], [[1.0, 0.0], [0.0, 3.0]])
    similarities = np.array([[1.0, 0.4], [0.64, 0.9]])
    assert costs == pytest.approx(1.0 - (similarities - 0.4) / 0.6, abs=1e-6)


def test_with_one_token_position_means_nothing():
    # Similarities 1, 0.5, 0.
    found = cost_matrix([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    assert found == pytest.approx(np.array([[0.0, 0.5, 1.0]]))


def test_equal_similarities_cost_nothing():
    assert cost_matrix([[1.0, 0.0]], [[1.0, 0.0], [2.0, 0.0]]).tolist() == [[0.0, 0.0]]


def test_the_exact_plan_by_hand():
    # Two tokens each: straight costs 0 + 0.2, crosswise 0.9 + 0.9.
    costs = np.array([[0.0, 0.9], [0.9, 0.2]])
    assert transport_plan(costs).tolist() == [[0.5, 0.0], [0.0, 0.5]]
    # Three to two: the middle token is split.
    costs = np.array([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])
    assert transport_plan(costs) == pytest.approx(np.array([[2, 0], [1, 1], [0, 2]]) / 6)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 2), (7, 4), (4, 7), (40, 60)])
@pytest.mark.parametrize("transport", ["exact", "sinkhorn"])
def test_every_token_gives_and_takes_its_share(shape, transport):
    plan = transport_plan(np.random.default_rng(1).random(shape), transport)
    assert (plan >= 0).all()
    assert plan.sum(axis=1) == pytest.approx(np.full(shape[0], 1 / shape[0]), abs=1e-6)
    assert plan.sum(axis=0) == pytest.approx(np.full(shape[1], 1 / shape[1]), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_exact_plan_costs_the_earth_movers_distance(seed):
    costs = np.random.default_rng(seed).random((17, 23))
    plan = transport_plan(costs)
    assert (plan * costs).sum() == pytest.approx(ot.emd2(ot.unif(17), ot.unif(23), costs))
    assert (plan > 0).sum() <= 17 + 23 - 1


@pytest.mark.parametrize("seed", range(3))
def test_sinkhorn_comes_near_the_exact_plan_as_regularization_shrinks(seed):
    costs = np.random.default_rng(seed).random((9, 12))
    exact = (transport_plan(costs) * costs).sum()
    excess = [
        (transport_plan(costs, "sinkhorn", regularization=r) * costs).sum() - exact for r in (0.5, 0.1, 0.02, 0.01)
    ]
    assert all(left > right > -1e-5 for left, right in pairwise(excess))
    assert excess[-1] < 0.01


def test_pairs_of_the_exact_plan_are_its_entries_above_zero():
    assert aligned(np.array([[0.5, 0.0], [0.0, 0.5]])).tolist() == [[True, False], [False, True]]


def test_pairs_of_sinkhorns_plan_are_those_above_chance():
    plan = transport_plan(np.array([[0.0, 0.9], [0.9, 0.2]]), "sinkhorn")
    assert (plan > 0).all()
    assert aligned(plan, "sinkhorn").tolist() == [[True, False], [False, True]]


def test_sinkhorn_that_does_not_end_says_so(monkeypatch):
    monkeypatch.setattr("logical_retriever.lab.nsir.transport._SINKHORN_ITERATIONS", 1)
    with pytest.raises(SemanticsError, match="did not converge"):
        transport_plan(np.random.default_rng(0).random((30, 30)), "sinkhorn", regularization=0.001)


@pytest.mark.parametrize("arguments", [("emd", 0.1), ("sinkhorn", 0), ("sinkhorn", float("nan")), ("exact", True)])
def test_bad_arguments(arguments):
    transport, regularization = arguments
    with pytest.raises(InvalidArgumentError):
        transport_plan(np.eye(2), transport, regularization=regularization)


def test_without_pot_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(MissingPackageError) as caught:
        transport_plan(np.eye(2))
    assert caught.value.install == 'pip install "logical-retriever[rerank]"'

"""Optimal transport, logic alignment and connective constraint, against small cases by hand."""

import math
import sys
from itertools import pairwise

import numpy as np
import ot
import pytest

from logical_retriever.errors import MissingPackageError, SemanticsError
from logical_retriever.lab.nsir.signature import (
    aligned,
    alignment_vector,
    constraint_vector,
    cost_matrix,
    signature,
    similarity,
    token_signs,
    transport_plan,
)
from logical_retriever.lab.nsir.tokens import TokenVectors

H = np.array([[1.0, 2.0], [3.0, 4.0]])
Z = np.array([[5.0, 6.0], [7.0, 8.0]])


def test_logic_alignment_by_hand():
    plan = np.array([[0.5, 0.0], [0.0, 0.5]])
    # j = 0: (1·5 + 3·7)/2 · 10; j = 1: (2·6 + 4·8)/2 · -1.
    assert alignment_vector(H, Z, plan, np.array([10.0, -1.0])).tolist() == [130.0, -22.0]
    # The definition, summed term by term.
    plan = np.array([[0.1, 0.4], [0.3, 0.2]])
    expected = [sum(H[i, j] * plan[i, k] * Z[k, j] for i in range(2) for k in range(2)) * (j + 1) for j in range(2)]
    assert alignment_vector(H, Z, plan, np.array([1.0, 2.0])) == pytest.approx(expected)


def test_connective_constraint_by_hand():
    text, logic = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 2.0]])
    pairs = np.array([[True, False], [False, True]])
    # Token 0 is no connective: logits 1, 0. Token 1 is ¬, paired with text token 1 only: with text token 0 it sees
    # (1, 0) - (0, 2) and weighs it 2·(-2) = -4, with text token 1 it sees (0, 1) and weighs it 2.
    a = math.e / (math.e + 1)
    b = math.exp(-4) / (math.exp(-4) + math.exp(2))
    first = np.array([a, 1 - a])
    second = b * np.array([1.0, -2.0]) + (1 - b) * np.array([0.0, 1.0])
    found = constraint_vector(text, logic, pairs, np.array([0.0, -1.0]))
    assert found == pytest.approx((first + second) / 2)


def test_without_connectives_constraint_is_attention():
    weights = np.exp(Z @ H.T) / np.exp(Z @ H.T).sum(axis=1, keepdims=True)
    found = constraint_vector(H, Z, np.zeros((2, 2), dtype=bool), np.zeros(2))
    assert found == pytest.approx((weights @ H).mean(axis=0))


def test_a_connective_paired_with_every_token_has_no_sign():
    everything, signs = np.ones((2, 2), dtype=bool), np.array([-1.0, 1.0])
    assert constraint_vector(H, Z, everything, signs) == pytest.approx(constraint_vector(H, Z, everything, np.zeros(2)))


def test_large_logits_do_not_overflow():
    found = constraint_vector(H * 1e3, Z * 1e3, np.zeros((2, 2), dtype=bool), np.array([-1.0, 1.0]))
    assert np.isfinite(found).all()


def test_signs_belong_to_every_token_of_a_connective():
    offsets = np.array([[0, 1], [2, 5], [6, 7], [7, 8]])
    assert token_signs(offsets, [(0, 1, -1), (6, 8, 1)]).tolist() == [-1.0, 0.0, 1.0, 1.0]
    assert token_signs(offsets, []).tolist() == [0.0] * 4


def test_similarity_is_the_cosine_in_the_unit_interval():
    assert similarity([[2.0, 0.0]], [[3.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, 0.0]]) == pytest.approx(
        np.array([[1.0, 0.5, 0.0, 0.5]])
    )


@pytest.mark.parametrize("transport", ["exact", "sinkhorn"])
def test_a_signature_puts_the_steps_together(transport):
    sentence = np.array([1.0, -1.0], dtype=np.float32)
    text = TokenVectors(H.astype(np.float32), np.array([[0, 1], [2, 3]]), sentence)
    logic = TokenVectors(Z.astype(np.float32), np.array([[0, 1], [2, 3]]), sentence)
    plan = transport_plan(cost_matrix(H, Z), transport)
    made = signature(text, logic, [(0, 1, -1)], transport=transport)
    assert made.alignment == pytest.approx(alignment_vector(H, Z, plan, sentence))
    signs = np.array([-1.0, 0.0])
    assert made.constraint == pytest.approx(constraint_vector(H, Z, aligned(plan, transport), signs))
    assert made.sentence.tolist() == [1.0, -1.0]


def test_one_token_on_each_side():
    one = TokenVectors(np.array([[1.0, 2.0]], dtype=np.float32), np.array([[0, 3]]), np.array([1.0, 1.0]))
    made = signature(one, one, [])
    assert made.alignment.tolist() == [1.0, 4.0]
    assert made.constraint.tolist() == [1.0, 2.0]


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
    monkeypatch.setattr("logical_retriever.lab.nsir.signature._SINKHORN_ITERATIONS", 1)
    with pytest.raises(SemanticsError, match="did not converge"):
        transport_plan(np.random.default_rng(0).random((30, 30)), "sinkhorn", regularization=0.001)


def test_without_pot_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(MissingPackageError) as caught:
        transport_plan(np.eye(2))
    assert caught.value.install == 'pip install "logical-retriever[rerank]"'

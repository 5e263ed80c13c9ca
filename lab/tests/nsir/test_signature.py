"""Optimal transport, logic alignment and connective constraint, against small cases by hand."""

import math

import numpy as np
import pytest

from lab.nsir.signature import alignment_vector, constraint_vector, cost_matrix, transport_plan

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


def test_the_cost_by_hand():
    # Cosines 1, 0 / 0.6, 0.8; similarities 1, 0.5 / 0.8, 0.9. Opposite ends lose a fifth: 0.5 -> 0.4, 0.8 -> 0.64.
    costs = cost_matrix([[2.0, 0.0], [0.6, 0.8]], [[1.0, 0.0], [0.0, 3.0]])
    similarities = np.array([[1.0, 0.4], [0.64, 0.9]])
    assert costs == pytest.approx(1.0 - (similarities - 0.4) / 0.6, abs=1e-6)


def test_the_exact_plan_by_hand():
    # Two tokens each: straight costs 0 + 0.2, crosswise 0.9 + 0.9.
    costs = np.array([[0.0, 0.9], [0.9, 0.2]])
    assert transport_plan(costs).tolist() == [[0.5, 0.0], [0.0, 0.5]]
    # Three to two: the middle token is split.
    costs = np.array([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])
    assert transport_plan(costs) == pytest.approx(np.array([[2, 0], [1, 1], [0, 2]]) / 6)

from __future__ import annotations

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.statistics import confidence_interval, holm, wilcoxon


def test_an_interval_holds_the_mean_and_repeats():
    values = list(np.random.default_rng(1).uniform(size=200))
    low, high = confidence_interval(values)
    assert low < np.mean(values) < high
    assert (low, high) == confidence_interval(values)
    # The normal approximation of the same interval.
    assert (high - low) / 2 == pytest.approx(1.96 * np.std(values) / np.sqrt(200), rel=0.15)


def test_equal_values_have_no_spread():
    assert confidence_interval([0.5, 0.5]) == (0.5, 0.5)
    assert confidence_interval([1.0]) == (1.0, 1.0)


def test_an_interval_needs_values():
    with pytest.raises(InvalidArgumentError):
        confidence_interval([])


def test_wilcoxon_by_hand():
    # Five differences of one sign: of 2^5 sign patterns two are as extreme, p = 2/32.
    assert wilcoxon([1.0, 2.0, 3.0, 4.0, 5.0], [0.9, 1.8, 2.7, 3.6, 4.5]) == pytest.approx(2 / 32)


def test_questions_without_a_difference_are_left_out():
    assert wilcoxon([1.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 0.9, 1.8, 2.7, 3.6, 4.5]) == pytest.approx(2 / 32)


def test_no_difference_at_all_is_no_evidence():
    assert wilcoxon([0.1 + 0.2, 1.0], [0.3, 1.0]) == 1.0


def test_a_paired_test_needs_pairs():
    with pytest.raises(InvalidArgumentError):
        wilcoxon([1.0], [1.0, 2.0])


def test_holm_by_hand():
    assert holm({"a": 0.04, "b": 0.01, "c": 0.03, "d": 0.9}) == pytest.approx(
        {"a": 0.09, "b": 0.04, "c": 0.09, "d": 0.9}
    )
    assert holm({}) == {}

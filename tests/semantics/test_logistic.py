"""The labelled calibration: its curve, its fit, and what it refuses."""

import json
import math
import sys
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.errors import CorpusError, InvalidArgumentError, MissingPackageError, SemanticsError
from logical_retriever.query import parse
from logical_retriever.semantics import Evidence, Logistic, ProductSemantics


def test_the_curve_is_the_papers():
    curve = Logistic(tau=0.3, scale=20.0)
    cosines = np.array([[-1.0, 0.0], [0.3, 1.0]])
    expected = [[1 / (1 + math.exp(-20 * (s - 0.3))) for s in row] for row in cosines]
    np.testing.assert_allclose(curve(cosines), expected, rtol=1e-12)


def test_extreme_steepness_does_not_overflow():
    assert Logistic(0.0, 1e308)(np.array([-1.0, 0.0, 1.0])).tolist() == pytest.approx([0.0, 0.5, 1.0], abs=1e-34)


@pytest.mark.parametrize(("tau", "scale"), [(0.0, 0.0), (0.0, -1.0), (math.nan, 1.0), (0.0, math.inf)])
def test_a_curve_that_does_not_rise_is_refused(tau, scale):
    with pytest.raises(InvalidArgumentError, match="logistic curve"):
        Logistic(tau, scale)


def test_it_is_a_truth_map_of_the_product():
    curve = Logistic(0.3, 10.0)
    cosines = np.array([[0.5, 0.1], [0.2, 0.6]])
    found = ProductSemantics(truth=curve).compose(parse('"a" AND NOT "b"'), Evidence(("a", "b"), cosines)).scores
    np.testing.assert_allclose(found, curve(cosines[0]) * (1 - curve(cosines[1])))


def test_labels_drawn_from_a_curve_give_the_curve_back():
    rng = np.random.default_rng(0)
    truth = Logistic(0.35, 12.0)
    cosines = rng.uniform(-0.2, 0.9, size=200_000)
    labels = rng.random(len(cosines)) < truth(cosines)
    # Classes are weighted alike, which shifts the curve by the logarithm of their odds.
    shift = math.log(labels.mean() / (1 - labels.mean())) / truth.scale
    fitted = Logistic.fit(cosines, labels)
    assert fitted.scale == pytest.approx(truth.scale, rel=0.02)
    assert fitted.tau == pytest.approx(truth.tau + shift, abs=0.005)


def test_separable_labels_give_a_finite_curve_between_them():
    fitted = Logistic.fit([0.1, 0.2, 0.2, 0.6, 0.7], [0, 0, 0, 1, 1])
    assert 0.2 < fitted.tau < 0.6
    assert 1 < fitted.scale < 100
    assert Logistic.fit([0.4, 0.5], [0, 1]).tau == pytest.approx(0.45)


def test_two_cosines_aim_at_platts_targets():
    fitted = Logistic.fit([0.2] * 3 + [0.6] * 8, [0] * 3 + [1] * 8)
    assert fitted(np.array([0.2, 0.6])) == pytest.approx([1 / 5, 9 / 10], abs=1e-6)


def test_how_many_unrelated_documents_were_labelled_does_not_matter_much():
    rng = np.random.default_rng(1)
    positive, negative = rng.normal(0.5, 0.1, 400), rng.normal(0.1, 0.1, 40_000)
    few = Logistic.fit(np.r_[positive, negative[:400]], [1] * 400 + [0] * 400)
    many = Logistic.fit(np.r_[positive, negative], [1] * 400 + [0] * 40_000)
    assert many.tau == pytest.approx(few.tau, abs=0.02)


@settings(max_examples=60, deadline=None)
@given(
    positive=st.lists(st.floats(-1, 1), min_size=1, max_size=20),
    negative=st.lists(st.floats(-1, 1), min_size=1, max_size=20),
)
def test_any_pairs_give_a_rising_curve_or_a_reason(positive, negative):
    cosines = [*positive, *negative]
    labels = [1] * len(positive) + [0] * len(negative)
    if np.mean(positive) - np.mean(negative) <= 1e-9:
        with pytest.raises(SemanticsError, match="no more similar"):
            Logistic.fit(cosines, labels)
        return
    values = Logistic.fit(cosines, labels)(np.linspace(-1, 1, 50))
    assert (np.diff(values) >= 0).all()
    assert np.isfinite(values).all()


@pytest.mark.parametrize(
    ("cosines", "labels", "message"),
    [
        ([0.1, 0.5], [1, 1], "All 2 labels are 1"),
        ([0.1], [0], "All 1 labels are 0"),
        ([], [], "no labelled pair"),
        ([0.1, math.nan], [0, 1], "cosine at position 1 is nan"),
        ([0.1, math.inf], [0, 1], "cosine at position 1 is inf"),
        ([0.1, 1.5], [0, 1], "cosine at position 1 is 1.5"),
        ([0.1, 0.5], [0, math.nan], "label at position 1 is nan"),
        ([0.1, 0.5], [0, 2], "label at position 1 is 2"),
        ([0.1, 0.5], [0], "are not pairs"),
        ([[0.1, 0.5]], [[0, 1]], "are not pairs"),
    ],
)
def test_what_is_no_pair_is_refused(cosines, labels, message):
    with pytest.raises(InvalidArgumentError, match=message):
        Logistic.fit(cosines, labels)


@pytest.mark.parametrize("labels", [[1, 1, 0, 0], [0, 1, 1, 0]])
def test_labels_that_contradict_the_cosines_are_refused(labels):
    with pytest.raises(SemanticsError, match="no more similar"):
        Logistic.fit([0.1, 0.2, 0.6, 0.5] if labels[0] else [0.3, 0.3, 0.3, 0.3], labels)


def test_without_scipy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingPackageError, match=r'pip install "logical-retriever\[evaluation\]"'):
        Logistic.fit([0.1, 0.5], [0, 1])


def test_a_saved_curve_is_read_back(tmp_path):
    curve = Logistic(0.25, 17.5, "some-model")
    (tmp_path / "curve.json").write_text(json.dumps(asdict(curve)), encoding="utf-8")
    assert Logistic.load(tmp_path / "curve.json") == curve
    assert Logistic.load(tmp_path / "curve.json", model="some-model") == curve
    with pytest.raises(InvalidArgumentError, match="fitted on cosines of 'some-model', not of 'other'"):
        Logistic.load(tmp_path / "curve.json", model="other")


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[1]",
        '{"tau": 1}',
        '{"tau": "high", "scale": 1}',
        '{"tau": 0, "scale": 1, "model": 3}',
        '{"tau": 0, "scale": -1}',
    ],
)
def test_a_file_that_holds_something_else_is_refused(tmp_path, content):
    path = tmp_path / "curve.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CorpusError, match="is no curve"):
        Logistic.load(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"none\.json"):
        Logistic.load(tmp_path / "none.json")

"""The labelled calibration: its pairs, its curve, its fit, the method that uses it, and what it refuses."""

import math

import numpy as np
import pytest

from lab.calibrate import Logistic, read_pairs
from logical_retriever.errors import CorpusError, InvalidArgumentError


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"term": "a"\n', 1, "the line: Invalid JSON"),
        ('{"term": "a", "text": "b", "label": 0}\n\n{"text": "a", "label": 1}\n', 3, "term: "),
        ('{"term": "a", "text": "b", "label": 2}\n', 1, "label: "),
        ('{"term": " ", "text": "b", "label": 1}\n', 1, "term: "),
        ('{"term": "a", "text": "", "label": 1}\n', 1, "text: "),
        ('{"term": "a", "text": "b", "label": true}\n', 1, "label: "),
        ('{"term": "a", "text": "b", "label": 1, "cosine": 0.4}\n', 1, "cosine: "),
        ("\n", None, "no labelled pair"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, text, line, message):
    path = tmp_path / "pairs.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CorpusError, match=message) as caught:
        read_pairs(path)
    assert caught.value.line == line
    assert '"term"' in caught.value.hint


def test_the_curve_is_the_papers():
    curve = Logistic(tau=0.3, scale=20.0)
    cosines = np.array([[-1.0, 0.0], [0.3, 1.0]])
    expected = [[1 / (1 + math.exp(-20 * (s - 0.3))) for s in row] for row in cosines]
    np.testing.assert_allclose(curve(cosines), expected, rtol=1e-12)
    assert Logistic(0.0, 1e308)(np.array([-1.0, 0.0, 1.0])).tolist() == pytest.approx([0.0, 0.5, 1.0], abs=1e-34)
    for tau, scale in ((0.0, 0.0), (0.0, -1.0), (math.nan, 1.0), (0.0, math.inf)):
        with pytest.raises(InvalidArgumentError, match="logistic curve"):
            Logistic(tau, scale)


def test_labels_drawn_from_a_curve_give_the_curve_back():
    rng = np.random.default_rng(0)
    truth = Logistic(0.35, 12.0)
    cosines = rng.uniform(-0.2, 0.9, size=200_000)
    labels = (rng.random(len(cosines)) < truth(cosines)).astype(int)
    # Classes are weighted alike, which shifts the curve by the logarithm of their odds.
    shift = math.log(labels.mean() / (1 - labels.mean())) / truth.scale
    curve = Logistic.fit(cosines, labels)
    assert curve.scale == pytest.approx(truth.scale, rel=0.02)
    assert curve.tau == pytest.approx(truth.tau + shift, abs=0.005)

"""The fit of the decision on excluded terms."""

import sys
from pathlib import Path

import numpy as np

from logical_retriever import Verdict
from logical_retriever.scoring.exclusion import exclusion_weights, verdict_features

sys.path.insert(0, str(Path(__file__).parents[2] / "training" / "exclusion"))
import fit


def test_the_decision_has_eleven_weights_five_of_a_verdict_and_two_thresholds():
    weights = exclusion_weights()
    assert (len(weights.document), len(weights.small_reader)) == (11, 5)
    assert list(weights.small_reader) == list(weights.other_reader)
    assert 0.0 < weights.strict < weights.drop < 1.0
    assert list(verdict_features(0.0, Verdict(1.0, 0.0, 0.0, 0.0, 0.5), "typed")) == list(weights.other_reader)


def test_a_document_goes_for_the_term_that_speaks_against_it():
    rng = np.random.default_rng(0)
    features = np.column_stack([np.ones(400), rng.normal(size=(400, 2))])
    document = np.repeat(np.arange(200), 2)  # two terms a document
    leave_out = (features[:, 1] > 1.0).reshape(200, 2).any(axis=1)
    rows = fit.Rows(features, document, leave_out, np.full((400, 5), np.nan))
    constant, telling, idle = fit.fitted({"a": rows}, {})
    assert telling > 2.0 > abs(idle)
    assert constant < 0.0
    alone = fit.fitted({"a": rows, "b": rows}, {"b": 0.0})
    np.testing.assert_allclose(alone, [constant, telling, idle], rtol=1e-3)


def test_other_weights_are_used_and_put_back():
    before = exclusion_weights()
    with fit.used(fit.replace(before, drop=0.9)):
        assert fit.decisions.exclusion_weights().drop == 0.9
    assert fit.decisions.exclusion_weights() is before

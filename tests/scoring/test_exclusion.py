"""The decision on an excluded term: whatever its weights are, what must hold of them."""

import numpy as np
import pytest

from logical_retriever import Verdict, parse
from logical_retriever.scoring import CalibratedSemantics, Evidence, NullDistributions
from logical_retriever.scoring.exclusion import (
    exclusion_features,
    exclusion_parts,
    exclusion_weights,
    probability_of,
    verdict_parts,
)

WISH, THING = "a home", "a pool"
KINDS = ["topic", "lack", "typed", "always"]


def terms(z, kind="typed", cue=0.0, query='"a home" AND NOT "a pool"', likeness=0.3, strongest=10.0):
    """Evidence of N documents with calibrated cosines of the wish and the thing, shape (2, N)."""
    z = np.array(z, dtype=float)
    nulls = NullDistributions(np.zeros(2), np.ones(2), np.array([[1.0, likeness], [likeness, 1.0]]))
    more = {"kinds": {THING: kind}, "cues": {THING: np.full(z.shape[1], cue)}, "strongest": {THING: strongest}}
    return CalibratedSemantics().term_evidence(parse(query), Evidence((WISH, THING), z, nulls, **more))


def odds(*arguments, **named):
    return np.sum([*exclusion_parts(THING, terms(*arguments, **named)).values()], axis=0)


def test_every_feature_has_a_weight_and_every_weight_a_feature():
    weights = exclusion_weights()
    assert set(exclusion_features(THING, terms([[0.0], [0.0]]))) == set(weights.document)
    assert set(verdict_parts(0.0, Verdict(0, 0, 0, 1, 0), "topic")) == set(weights.other_reader)
    assert 0.0 < weights.strict <= weights.drop < 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_that_asserts_it_is_likelier_to_go_than_one_that_denies_it(kind):
    z = [[5.0, 5.0], [2.0, 9.0]]
    asserted, denied, absent = (odds(z, kind, cue) for cue in (1.0, -1.0, 0.0))
    assert (asserted > denied).all()
    assert (asserted > absent).all()
    assert kind == "topic" or (absent > denied).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_document_most_about_it_is_likelier_to_go_than_one_that_is_not(kind):
    most, unrelated = odds([[3.0, 3.0], [10.0, 0.0]], kind)
    assert most > unrelated


def test_a_standing_exclusion_does_not_depend_on_the_wish():
    z = [[6.0, -1.0], [5.0, 5.0]]
    first, other = odds(z, "always")
    assert first == other
    np.testing.assert_array_equal(odds(z, "always"), odds(z, "always", query='NOT "a pool"'))
    assert odds(z, "typed")[0] != odds(z, "typed")[1]


def test_evidence_out_of_all_bounds_gives_probabilities():
    z = [[-1e9, 1e9, 0.0, 40.0], [1e9, -1e9, 40.0, 0.0]]
    for likeness in (-1.0, 0.0, 1.0):
        probability = probability_of(odds(z, likeness=likeness))
        assert ((probability >= 0.0) & (probability <= 1.0)).all()
    assert odds(np.empty((2, 0))).shape == (0,)
    np.testing.assert_allclose(probability_of(np.array([-1e9, -1.0, 0.0, 1.0, 1e9])), [0, 0.2689, 0.5, 0.7311, 1], 1e-3)


def test_others_change_nothing_once_the_most_in_the_store_is_known():
    alone, among = odds([[2.0], [4.0]]), odds([[2.0, 9.0], [4.0, 10.0]])
    assert alone[0] == among[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_verdict_that_it_has_the_thing_outweighs_one_that_it_does_not(kind):
    def read(log_odds, *probabilities):
        return sum(verdict_parts(log_odds, Verdict(*probabilities), kind).values())

    is_about_it, denies, absent = (0.97, 0.01, 0.01, 0.01, 0.97), (0.01, 0.97, 0.01, 0.01, 0.03), (0, 0, 0, 1, 0)
    for log_odds in (-3.0, 0.0, 3.0):
        assert read(log_odds, *is_about_it) > read(log_odds, *denies)
        assert read(log_odds, *is_about_it) > read(log_odds, *absent)
    assert read(3.0, *absent) > read(-3.0, *absent)  # evidence and cue go on counting
    assert np.isfinite(read(0.0, 1, 0, 0, 0, 1))

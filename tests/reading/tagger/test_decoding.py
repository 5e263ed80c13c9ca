from itertools import pairwise, product

import numpy as np
import pytest

from logical_retriever.reading.questions.tagger import decoding
from logical_retriever.reading.questions.tagger.decoding import (
    EXCLUDE,
    EXCLUDE_ON,
    OUTSIDE,
    SECOND,
    WANT,
    WANT_ON,
    decode,
)

STEPS, STARTS = decoding.STEPS, decoding.STARTS
WISH, EXCLUSION = (WANT, WANT_ON, SECOND), (EXCLUDE, EXCLUDE_ON)


def readings(count):
    """Every sequence of labels that is a reading, or says that nothing is excluded."""
    for labels in product(range(6), repeat=count):
        pairs = zip((None, *labels), labels, strict=False)
        if any((b == WANT_ON and a not in WISH) or (b == EXCLUDE_ON and a not in EXCLUSION) for a, b in pairs):
            continue
        wish, out = ([i for i, one in enumerate(labels) if one in kind] for kind in (WISH, EXCLUSION))
        seconds = [i for i, one in enumerate(labels) if one == SECOND]
        if all(min(wish) < i and out and min(out) < i for i in seconds) and (out or not wish) and len(out) < count:
            yield labels


@pytest.mark.parametrize("seed", range(8))
def test_probabilities_are_those_of_all_readings_counted_one_by_one(seed):
    random = np.random.default_rng(seed)
    scores = random.normal(size=(5, 6)).astype(np.float32) * 2
    steps = random.normal(size=(6, 6)).astype(np.float32) + STEPS
    starts = random.normal(size=6).astype(np.float32) + STARTS

    def weight(labels):
        total = starts[labels[0]] + sum(scores[i, one] for i, one in enumerate(labels))
        return np.exp(total + sum(steps[a, b] for a, b in pairwise(labels)))

    weights = {labels: weight(labels) for labels in readings(5)}
    plain = weights.pop((OUTSIDE,) * 5)
    every = sum(weights.values())
    wished = {labels: one for labels, one in weights.items() if set(labels) & set(WISH)}
    among = wished if sum(wished.values()) >= every / 2 else {one: weights[one] for one in weights if one not in wished}
    best = max(among, key=among.get)
    decoded = decode(scores, steps, starts, [False] * 5)
    assert decoded.labels == best
    assert decoded.raw_excludes == pytest.approx(every / (every + plain), rel=1e-3)
    assert decoded.path == pytest.approx(weights[best] / every, rel=1e-3)
    shares = []
    for i in range(5):
        if any(one in EXCLUSION for one in best[max(i - 1, 0) : i + 2]):
            alike = [w for labels, w in weights.items() if (labels[i] in EXCLUSION) == (best[i] in EXCLUSION)]
            shares.append(sum(alike) / every)
    assert decoded.weakest == pytest.approx(min(shares), rel=1e-3)


def test_an_exclusion_needs_no_wish_and_a_wish_alone_is_no_reading():
    scores = np.zeros((4, 6), np.float32)
    scores[0, OUTSIDE] = scores[1:, EXCLUDE] = 20
    assert decode(scores, STEPS, STARTS, [False] * 4).labels == (OUTSIDE, *(EXCLUDE,) * 3)
    assert decode(scores[1:2], STEPS, STARTS, [False]).raw_excludes == 0, "one word alone excludes nothing"
    scores[:] = 0
    scores[:, WANT] = 20
    decoded = decode(scores, STEPS, STARTS, [False] * 4)
    assert set(decoded.labels) & set(WISH)
    assert set(decoded.labels) & set(EXCLUSION)


def test_a_quotation_is_not_cut():
    scores = np.zeros((5, 6), np.float32)
    scores[0, WANT] = scores[2, EXCLUDE] = scores[3, OUTSIDE] = scores[4, EXCLUDE_ON] = 5
    labels = decode(scores, STEPS, STARTS, [False, False, False, True, True]).labels
    assert labels[2:] == (EXCLUDE, EXCLUDE_ON, EXCLUDE_ON)


def test_many_words_with_high_scores_stay_within_numbers():
    scores = np.random.default_rng(0).normal(size=(400, 6)).astype(np.float32) * 300
    decoded = decode(scores, STEPS, STARTS, [False] * 400)
    assert np.isfinite([decoded.raw_excludes, decoded.path, decoded.weakest]).all()
    assert 0 <= min(decoded.path, decoded.weakest) <= max(decoded.path, decoded.weakest) <= 1

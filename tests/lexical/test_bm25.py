"""BM25 from a sample, against bm25s and by hand."""

import tracemalloc

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.lexical import LexicalModel, bm25, distinct_words, tokenize, tokens

TEXTS = [
    "Miles Davis played the trumpet with a mute",
    "The trumpet is a brass instrument",
    "Dizzy Gillespie bent his trumpet upwards, and Davis admired him",
    "Bebop was fast, and the drums drove it",
    "A history of the tenor saxophone",
]
WORDS = sorted({word for text in TEXTS for word in tokenize(text)})


def test_whole_collection_as_sample_equals_bm25s():
    reference = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    reference.index([tokenize(text) for text in TEXTS], show_progress=False)
    model = LexicalModel(TEXTS)
    for query in ("trumpet", "miles davis trumpet", "saxophone history", "drums drums", "zebra"):
        words = [word for word in tokenize(query) if word in WORDS]
        expected = reference.get_scores(words) if words else np.zeros(len(TEXTS))
        np.testing.assert_allclose(model.scores(tokenize(query), TEXTS), expected, rtol=1e-5)


def test_standardised_over_the_sample_has_mean_0_and_deviation_near_1():
    texts = TEXTS * 100
    z = LexicalModel(texts).standardised(tokenize("trumpet davis"), texts)
    assert z.mean() == pytest.approx(0)
    assert 0.95 < z.std() < 1  # the pseudo text widens the deviation a little


def test_no_words_no_evidence():
    model = LexicalModel(TEXTS)
    np.testing.assert_array_equal(model.standardised([], TEXTS), 0)
    assert model.bound([]) == 0


def test_a_word_the_sample_never_saw_is_strong_and_finite_evidence():
    z = LexicalModel(TEXTS * 100).standardised(tokenize("ophicleide"), ["an ophicleide", "a trumpet"])
    assert np.isfinite(z).all()
    assert z[0] > 10 > z[1] == 0


def test_an_empty_sample_still_scores():
    scores = LexicalModel([]).standardised(["tea"], ["tea time", "coffee"])
    assert np.isfinite(scores).all()
    assert scores[0] > scores[1]


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(st.sampled_from([*WORDS, "unseen"]), max_size=6),
    texts=st.lists(st.sampled_from([*WORDS, "x1"]), max_size=30),
)
def test_no_text_exceeds_the_bound(words, texts):
    model = LexicalModel(TEXTS)
    assert model.standardised(words, [" ".join(texts)])[0] <= model.bound(words) + 1e-9


def test_a_word_counts_as_often_as_it_is_there_and_not_within_others():
    model = LexicalModel(["tea", "coffee tea", "cocoa"])
    once, twice, thrice, within = model.scores(["tea"], ["tea x1 x2", "tea tea x1", "tea tea tea", "teapot x1 x2"])
    assert thrice > twice > once > within == 0
    idf = np.log1p((3 - 2 + 0.5) / (2 + 0.5))
    assert twice == pytest.approx(idf * 2 / (2 + 1.5 * (0.25 + 0.75 * 3 / (4 / 3))))


@pytest.mark.parametrize(("module", "cache"), [(bm25, "_known"), (tokens, "_stems")])
def test_what_is_remembered_of_many_texts_takes_the_bytes_it_may(module, cache, monkeypatch):
    kept = getattr(module, cache)
    monkeypatch.setattr(kept, "limit", 100_000)
    kept.clear()
    model, rng = LexicalModel(TEXTS), np.random.default_rng(0)
    for fill in (True, False):  # what is the same however many texts there are is not counted
        if not fill:
            tracemalloc.start()
        kept.clear()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20 if fill else 300):
            model.scores(["trumpet"], [" ".join(f"w{i}x" for i in rng.integers(0, 10**6, 20))])
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    other = tokens._stems if module is bm25 else bm25._known
    assert 70_000 < kept.bytes <= 100_000
    assert taken < 1.1 * (kept.bytes + other.bytes)


def test_a_text_larger_than_the_cache_is_scored_and_not_kept(monkeypatch):
    monkeypatch.setattr(bm25._known, "limit", 1000)
    bm25._known.clear()
    assert LexicalModel(TEXTS).scores(["trumpet"], ["trumpet " * 1000])[0] > 0
    assert len(bm25._known) == 0


def test_distinct_words_leave_out_what_is_shared():
    assert distinct_words("Tampa Bay Storm football", ["football teams of Pete Elezovic"]) == ["tampa", "bay", "storm"]
    assert distinct_words("football", ["football"]) == []
    assert distinct_words("the of", []) == []

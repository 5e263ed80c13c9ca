"""BM25 from a sample, against bm25s and by hand."""

import math

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.lexical import LexicalModel, WordIndex, own_words, ranked, tokenize

TEXTS = [
    "Miles Davis played the trumpet with a mute",
    "The trumpet is a brass instrument",
    "Dizzy Gillespie bent his trumpet upwards, and Davis admired him",
    "Bebop was fast, and the drums drove it",
    "A history of the tenor saxophone",
]


def bound(model, words):
    """Evidence of a text that has all of the words."""
    return float(np.sqrt(2.0 * sum(map(model._idf, words))))


WORDS = sorted({word for text in TEXTS for word in tokenize(text)})


def test_the_ranking_of_an_index_equals_bm25s():
    reference = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    reference.index([tokenize(text) for text in TEXTS], show_progress=False)
    index = WordIndex.of(TEXTS)
    for query in ("trumpet", "miles davis trumpet", "saxophone history", "drums drums", "zebra"):
        words = [word for word in tokenize(query) if word in WORDS]
        expected = reference.get_scores(words) if words else np.zeros(len(TEXTS))
        rows, scores = ranked(index, tokenize(query))
        np.testing.assert_allclose(scores, expected[rows], rtol=1e-5)
        assert sorted(rows) == np.flatnonzero(expected).tolist()


def test_evidence_is_what_so_improbable_words_would_be_of_a_normal_variable():
    model = LexicalModel(["tea x1"] * 10 + ["x1 x2"] * 90)
    idf = math.log1p(90.5 / 10.5)
    found = model.evidence(["tea", "jam"], ["tea x2", "tea jam", "jam x1", "x1 x2", "tea tea"])
    total = idf + math.log1p(100.5 / 0.5)
    assert found[3] == 0
    assert found[1] == pytest.approx(bound(model, ["tea", "jam"]))
    assert found[0] == pytest.approx(math.sqrt(2 * idf) * idf / total)
    # A word that is there once, in a text no longer than others, is there: no more is to be had by repeating it.
    assert found[4] == found[0] < found[2] < found[1]


def test_a_word_of_a_long_text_counts_less():
    model = LexicalModel(["tea x1"] * 10 + ["x1 x2"] * 90)
    texts = ["tea " + "x1 " * n for n in (1, 10, 100)]
    assert (np.diff(model.evidence(["tea"], texts)) < 0).all()


def test_no_words_no_evidence_and_an_empty_sample_still_scores():
    model = LexicalModel(TEXTS)
    np.testing.assert_array_equal(model.evidence([], TEXTS), 0)
    np.testing.assert_array_equal(model.evidence(tokenize("the of and"), TEXTS), 0)
    scores = LexicalModel([]).evidence(["tea"], ["tea time", "coffee"])
    assert np.isfinite(scores).all()
    assert scores[0] > scores[1]


def test_a_word_the_sample_never_saw_is_strong_and_finite_evidence():
    words, texts = tokenize("ophicleide"), ["an ophicleide", "a trumpet"]
    strength, nothing = LexicalModel(TEXTS * 100).evidence(words, texts)
    assert strength == pytest.approx(math.sqrt(2 * math.log1p(1001)), abs=0.01)
    # Such a word of a store that was read whole came to it afterwards.
    strength, nothing_either = LexicalModel(TEXTS, complete=True).evidence(words, texts)
    assert strength > 1
    assert nothing == nothing_either == 0


def test_words_that_the_whole_store_lacks_take_nothing_from_the_others():
    asked = tokenize("who knows trumpet players")
    part, whole = (LexicalModel(TEXTS, complete=complete).evidence(asked, TEXTS) for complete in (False, True))
    np.testing.assert_allclose(whole, LexicalModel(TEXTS).evidence(["trumpet"], TEXTS))
    assert (whole[:3] > part[:3]).all()


def test_a_small_sample_is_filled_up_by_the_background():
    alone = LexicalModel(TEXTS)
    filled = LexicalModel(TEXTS, background=["a trumpet about nothing", "more about nothing"], size=100)
    assert filled.size == 100
    # Rare among all subjects although most of these few texts have it; a word of any subject is not.
    assert bound(filled, ["trumpet"]) < bound(filled, ["davi"])
    assert bound(filled, ["davi"]) > 2 * bound(alone, ["davi"])
    assert bound(filled, ["noth"]) < 0.3 * bound(filled, ["davi"])
    assert LexicalModel(TEXTS, background=["about nothing"], size=len(TEXTS)).size == len(TEXTS)


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(st.sampled_from([*WORDS, "unseen"]), max_size=6),
    texts=st.lists(st.sampled_from([*WORDS, "x1"]), max_size=30),
    more=st.sampled_from(WORDS),
    complete=st.booleans(),
)
def test_evidence_has_a_bound_and_rises_with_every_word_of_a_text(words, texts, more, complete):
    model = LexicalModel(TEXTS, complete=complete)
    # One word for another: the length stays, so that only what the words say can change.
    before = [word if word != more else "x1" for word in [*texts, more]]
    after = [*before[:-1], more]
    low, high = model.evidence(words, [" ".join(before), " ".join(after)])
    assert 0 <= low <= high + 1e-12
    assert high <= bound(model, words) + 1e-9


@pytest.mark.parametrize("text", ["", " \n", "tea " * 250_000, "the of and", "\x00%_\\'\"", "茶" * 1000])
def test_any_text_has_finite_evidence(text):
    model = LexicalModel([*TEXTS, text])
    for asked in (tokenize(text)[:50], ["tea"], tokenize("trumpet")):
        found = model.evidence(asked, [text, *TEXTS])
        assert np.isfinite(found).all()
        assert (found >= 0).all()


def test_distinct_words_leave_out_what_is_shared():
    assert own_words("Tampa Bay Storm football", ["football teams of Pete Elezovic"]) == ["tampa", "bay", "storm"]
    assert own_words("football", ["football"]) == []
    assert own_words("the of", []) == []

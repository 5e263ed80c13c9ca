"""The index of words against plain Python, while texts come and go."""

import numpy as np
from hypothesis import given, settings, strategies as st

from logical_retriever.lexical import LexicalModel, WordIndex, index as indexing, tokenize

WORDS = ["tea", "teas", "coffee", "the", "x", "東京タワー", "naïve", "2024", "a_b", "\x00"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=12)


def plain(texts, word):
    """Which texts have a word, and how often."""
    counts = [tokenize(text).count(word) for text in texts]
    return [row for row, count in enumerate(counts) if count], [count for count in counts if count]


def assert_same(index, texts):
    assert index.lengths.tolist() == [len(tokenize(text)) for text in texts]
    for word in {*tokenize(" ".join(WORDS)), "never"}:
        rows, counts = index.postings(word)
        assert (rows.tolist(), counts.tolist()) == plain(texts, word)


@settings(max_examples=100, deadline=None)
@given(first=TEXTS, more=st.lists(TEXTS, max_size=4), data=st.data())
def test_postings_are_those_of_the_texts_as_they_come_and_go(first, more, data):
    index, texts = WordIndex.of(first), list(first)
    assert_same(index, texts)
    for added in more:
        index, texts = index.added(added), texts + added
        assert_same(index, texts)
        kept = [row for row in range(len(texts)) if data.draw(st.booleans())]
        index, texts = index.kept(kept), [texts[row] for row in kept]
        assert_same(index, texts)


def test_chunks_change_nothing(monkeypatch):
    texts = [f"word{i % 7} word{i % 11} common common" for i in range(200)]
    whole = WordIndex.of(texts)
    monkeypatch.setattr(indexing, "CHUNK", 50)
    pieces = WordIndex.of(texts)
    for word in ("word3", "common"):
        for one, other in zip(whole.postings(word), pieces.postings(word), strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_text_of_one_word_many_times_counts_them_all():
    index = WordIndex.of(["tea " * 100_000, "tea", ""])
    rows, counts = index.postings("tea")
    assert (rows.tolist(), counts.tolist()) == ([0, 1], [100_000, 1])
    assert index.lengths.tolist() == [100_000, 1, 0]


def test_words_that_have_gone_leave_the_memory():
    index = WordIndex.of(f"unique{i}" for i in range(5000))
    left = index.kept(range(10))
    assert len(left._rows) < len(index._rows) / 50
    assert left.postings("unique7")[0].tolist() == [7]
    more = left.added(["unique7 again"])
    assert more.postings("unique7")[0].tolist() == [7, 10]
    assert len(more.numbers) <= 11, "words of texts that have gone are forgotten"


def test_the_rarest_words_come_first_as_they_stand_in_the_text():
    model = LexicalModel(["common words", "common tea", "common teas"])
    assert list(model.rarest("Common ophicleides and Teas, teas")) == ["ophicleides", "teas", "common"]
    assert list(model.rarest("common tea", without=["teas"])) == ["common"]
    assert model.rarest("the and a") == {}

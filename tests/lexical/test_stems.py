"""Stems are the same from compiled code, where it is installed, and from Python."""

import pytest
from hypothesis import given, strategies as st

from logical_retriever.lexical import tokenize

WORDS = [
    *("running", "runner", "ran", "skies", "dying", "idly", "news", "inning", "exceed", "earring", "generously"),
    *("communism", "hoodies", "focaccia", "vitamins", "bones", "excluded", "y's", "o'clock", "v2", "naïve", "café"),
    *("großstadt", "日本語", "ing", "ed", "a1", "aa"),
]


def stems(words):
    english = pytest.importorskip("snowballstemmer.english_stemmer").EnglishStemmer()
    return [english.stemWord(word) for word in words]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_has_the_stem_of_snowballs_python(word):
    pytest.importorskip("Stemmer")
    words = [part for part in word.casefold().split("'") if len(part) > 1]
    assert tokenize(word) == stems(words)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzé", min_size=3, max_size=12))
def test_any_word_has_the_stem_of_snowballs_python(word):
    pytest.importorskip("Stemmer")
    assert tokenize(word) in ([], stems([word]))

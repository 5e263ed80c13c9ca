"""Words of languages other than English: stems, pairs of characters, stop words, and which language a store is of."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from languages import CORPORA

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lexical import LANGUAGES, LexicalModel, WordIndex, analyser, language_of, matched_words, tokenize


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "running shoes", "the run of a shoe"),
        ("de", "Häuser", "Haus"),
        ("de", "Straße", "STRASSEN"),
        ("fr", "les chevaux", "cheval"),
        ("fr", "l'actrice", "actrices"),
        ("es", "las canciones", "canción"),
        ("it", "gatti", "gatto"),
        ("pt", "livros", "livro"),
        ("ru", "книги", "книгу"),
        ("zh", "大学", "大学"),
        ("ja", "ｶﾒﾗ", "カメラ"),
        ("ko", "대학", "대학"),
        ("th", "กาแฟ", "กาแฟ"),
        ("hi", "किताबें", "किताब"),
    ],
)
def test_forms_of_a_word_count_as_the_word(language, one, other):
    assert tokenize(one, language) == tokenize(other, language) != []


def test_function_words_are_no_words():
    texts = {"de": "nicht nur mit dem", "fr": "ce n'est pas pour les", "es": "no es de la", "it": "non è della"}
    assert [tokenize(text, language) for language, text in texts.items()] == [[]] * 4
    assert tokenize("the and of") == []


def test_marks_belong_to_the_word_and_letters_between_signs_are_words_of_their_own():
    assert [len(word) for word in tokenize("ที่นี่", "th")] == [2] * 5
    assert tokenize("naïve", "fr") == tokenize(unicodedata.normalize("NFD", "naïve"), "fr")
    assert len(tokenize("विश्वविद्यालय", "hi")) == 1
    assert tokenize("iPhone手机壳 2024年", "zh") == ["iphon", "手机", "机壳", "2024", "年"]


@pytest.mark.parametrize("code", ["xx", "auto", "", "DE"])
def test_a_language_without_words_is_refused(code):
    with pytest.raises(InvalidArgumentError, match="are not known"):
        tokenize("tea", code)


@pytest.mark.parametrize("language", sorted(CORPORA))
def test_the_language_of_a_store_is_told_from_its_texts(language):
    assert language_of(CORPORA[language].texts) == language


def test_a_few_foreign_texts_change_nothing():
    english = ["The history of the river and of its bridges", "Pinot Grigio", "A song about the sea"] * 30
    assert language_of([*english, *CORPORA["de"].texts, *CORPORA["th"].texts[:3]]) == "en"
    assert language_of([*english, *CORPORA["zh"].texts * 2]) == "zh"
    assert tokenize(" ".join(english), "zh") == tokenize(" ".join(english))
    assert language_of([]) == "en"


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text("aßé İǅ'_大学のกา\u0e31เ한\u0301\n2", max_size=20), max_size=5), st.sampled_from(LANGUAGES))
def test_index_and_texts_have_the_same_words_and_evidence_to_the_last_digit(texts, language):
    model, index = LexicalModel(texts, language=language), WordIndex.of(texts, language)
    words = {word for text in texts for word in tokenize(text, language)}
    assert index.lengths.tolist() == [len(tokenize(text, language)) for text in texts]
    for asked in (*([word] for word in words), [*words, *words], [*words, "never"], []):
        np.testing.assert_array_equal(model.evidence(asked, index), model.evidence(asked, texts))
    for text in texts:
        assert all(found in text for found in matched_words(text, words, language))


@given(st.text(st.characters(codec="ascii"), max_size=60), st.sampled_from(["de", "zh", "th", "ar"]))
@settings(max_examples=200, deadline=None)
def test_texts_of_ascii_have_the_words_that_they_have_beside_others(text, language):
    reader, beside = analyser(language), f"{text} 'é"  # a single letter is no word
    assert reader.spellings(text) == reader.spellings(beside)

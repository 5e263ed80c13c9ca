from logical_retriever.reading.questions.tagger.words import MAX_PIECES, MAX_WORDS, Vocabulary, split_words

PIECES = ["[UNK]", "[CLS]", "[SEP]", "no", "##va", "Caf", "##é", "don", "##'t", "c", "##c", "##+", "tea", "##茶"]


def written(text):
    return [text[start:end] for start, end in split_words(text).spans]


def test_names_with_signs_are_one_word_and_chinese_is_read_by_character():
    text = "E.T., Next.js and C++; don't, AT&T."
    assert written(text) == ["E.T.", ",", "Next.js", "and", "C++", ";", "don't", ",", "AT&T", "."]
    assert written("tea\r\n\nno milk") == ["tea", "\r\n\n", "no", "milk"]
    assert written("微服务和HTTP之外") == ["微", "服", "务", "和", "HTTP", "之", "外"]
    assert written("ラーメン") == list("ラーメン")


def test_the_words_of_a_quotation_are_joined_and_a_single_mark_joins_nothing():
    words = split_words('musicals, not "Next to Normal" or «La haine»')
    joined = [words.text[start:end] for (start, end), tie in zip(words.spans, words.joined, strict=True) if tie]
    assert joined == ["to", "Normal", "haine"]
    assert not any(split_words('a 6" tablet or a 7 inch one').joined)


def test_words_become_the_longest_pieces():
    features = Vocabulary(PIECES).features(split_words("NO nova Café don't TEA +茶 Zzz"))
    assert [PIECES[row] for row in features.pieces] == [
        *("[CLS]", "no", "no", "##va", "Caf", "##é", "don", "##'t", "tea", "##+", "##茶"),
        *("[UNK]", "[UNK]", "[UNK]", "[SEP]"),
    ]
    assert features.first == [1, 2, 4, 6, 8, 9, 10, 11]


def test_every_word_has_grams_and_a_shape():
    features = Vocabulary(PIECES).features(split_words("a ! 茶 " + "x" * 100_000))
    assert all(features.grams)
    assert len(features.grams) == len(features.shapes) == len(features.words) == 4
    assert max(map(len, features.grams)) <= 20


def test_words_and_pieces_are_bounded():
    words = split_words("tea " * 100_000)
    assert len(words.spans) == MAX_WORDS
    assert words.cut
    assert not split_words("tea").cut
    features = Vocabulary(PIECES).features(split_words("c+c+c+c+c+c+c+c+c+c+c+c " * 300))
    assert len(features.pieces) <= MAX_PIECES
    assert len(features.first) == len(features.words) == len(features.grams) == len(features.shapes) < 300

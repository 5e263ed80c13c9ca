import re

import pytest

from logical_retriever.reading.questions.tagger.decoding import EXCLUDE, EXCLUDE_ON, OUTSIDE, SECOND, WANT, WANT_ON
from logical_retriever.reading.questions.tagger.phrases import excluded_words, to_query, trimmed, without_excluded
from logical_retriever.reading.questions.tagger.words import split_words

KINDS = {"[": (WANT, WANT_ON), "<": (SECOND, WANT_ON), "{": (EXCLUDE, EXCLUDE_ON)}


def labelled(marked):
    """The words and labels of a request with its stretches marked: [wanted], {excluded}, <a second wish>."""
    text, labels = "", []
    for mark, inner, outer in re.findall(r"([\[{<])(.*?)[\]}>]|([^\[{<]+)", marked):
        count = len(split_words(inner or outer).spans)
        first, further = KINDS.get(mark, (OUTSIDE, OUTSIDE))
        labels += [first, *[further] * (count - 1)][:count]
        text += inner or outer
    return split_words(text), labels


def read(marked):
    query = to_query(*labelled(marked))
    return None if query is None else str(query)


@pytest.mark.parametrize(
    ("marked", "kept"),
    [
        ("tea, but not {green tea} or {the matcha}, please", "tea, but not or please"),
        ("除了{北京}以外，哪些城市办过奥运会？", "除了以外，哪些城市办过奥运会？"),
        ("{crypto}", ""),
    ],
)
def test_what_stands_around_the_exclusions(marked, kept):
    assert without_excluded(*labelled(marked)) == kept


@pytest.mark.parametrize(
    ("marked", "query"),
    [
        ("[sparkling wines], but not {prosecco} or {the cava}.", '"sparkling wines" AND NOT "prosecco" AND NOT "cava"'),
        ("[which countries] other than {France} [make brandy]?", '"which countries make brandy" AND NOT "France"'),
        ("{Mallorca} ist durch. [Wohin im Oktober?]", '"Wohin im Oktober" AND NOT "Mallorca"'),
        ("[微服务怎么通信]，{HTTP}和{gRPC}之外[的]", '"微服务怎么通信的" AND NOT "HTTP" AND NOT "gRPC"'),
        ("[hotels], not {Savoia}, or <flats>", '"hotels" AND NOT "Savoia" OR "flats"'),
        (
            "[hotels], not {Savoia}, or <flats>, not {by Airbnb}",
            '"hotels" AND NOT "Savoia" OR "flats" AND NOT "by Airbnb"',
        ),
        ("[tea], no {milk}, no {milk}", '"tea" AND NOT "milk"'),
        ('[musicals] but not {"Next to Normal"}', '"musicals" AND NOT "Next to Normal"'),
    ],
)
def test_stretches_become_terms(marked, query):
    assert read(marked) == query


@pytest.mark.parametrize(
    ("wish", "thing", "term"),
    [
        ("stocks", "anything about crypto", "crypto"),
        ("stocks", "anything to do with crypto", "crypto"),
        ("Roman history", "the economics part", "economics"),
        ("good laptops for students", "the Dell ones", "Dell laptops"),
        ("Venice", "its history", "history of Venice"),
        ("a walk through the old town of Venice", "its history", "history"),
        ("Dutch cities", "The Hague", "The Hague"),
        ("shampoos", "L'Oréal", "L'Oréal"),
        ("musicals", "la la land", "la la land"),
        ("advice", "the whole dieting thing", "dieting"),
        ("films", "The One", "The One"),
    ],
)
def test_an_excluded_stretch_is_cut_to_what_it_is_about(wish, thing, term):
    assert read(f"[{wish}] but not {{{thing}}}").endswith(f' AND NOT "{term}"')


@pytest.mark.parametrize(
    "marked",
    [
        *("[tea] and <cake>", "[tea] not {...}", "tea", "[tea] but not {tea}", "no {...}"),
        "[tea] without " + " ".join(f"{{milk{i}}}" for i in range(80)),  # more terms than a query may have
    ],
)
def test_without_an_exclusion_there_is_no_query(marked):
    assert read(marked) is None


@pytest.mark.parametrize(
    ("text", "cut"),
    [(" (tea) ", "tea"), ("tea)", "tea"), ("(hot) tea", "(hot) tea"), ('"tea', "tea"), ("« thé »", "thé"), ("!?", "")],
)
def test_signs_around_a_stretch_are_cut_off(text, cut):
    assert trimmed(text) == cut


@pytest.mark.parametrize(
    ("marked", "query"),
    [
        ("no {milk}", 'NOT "milk"'),
        ("[...] not {the milk} and not {sugar}", 'NOT "milk" AND NOT "sugar"'),
        ("{zuckerfreie} [Limonade]", '"Limonade" AND NOT "zucker"'),
        ("[ciasto] {bezglutenowe}", '"ciasto" AND NOT "glutenowe"'),
        ("[Bier], aber nicht {alkoholfrei}", '"Bier" AND NOT "alkoholfrei"'),
        ("[Limonade], keine {zuckerfreie}", '"Limonade" AND NOT "zuckerfreie"'),
        ("not {milk}, not {sugar}, not {milk}", 'NOT "milk" AND NOT "sugar"'),
        ("[билеты] не {бесплатные}", '"билеты" AND NOT "бесплатные"'),
    ],
)
def test_an_exclusion_may_stand_alone_or_inside_a_word(marked, query):
    assert str(read(marked)) == query


def test_each_excluded_term_knows_its_words():
    words = split_words("laptops but not the Dell ones or HP")
    assert excluded_words(words, [1, 0, 0, 3, 4, 4, 0, 3]) == {"Dell laptops": range(3, 6), "HP": range(7, 8)}

"""How a thing was excluded: as a topic, as something to lack, or in typed logic."""

import pytest

from logical_retriever import LogicalRetriever, ReadQuestion, parse
from logical_retriever.reading.kinds import kind_of
from logical_retriever.testing import HashingEmbedder

LACK = [
    ("a pool", "home without a pool"),
    ("walnuts", "a cake with no walnuts, please"),
    ("degree", "jobs that don't require a degree"),
    ("sugar", "sugar-free drinks"),
    ("lactose", "yoghurt free of lactose"),
    ("smoking", "NON-SMOKING hotels: non smoking rooms"),
    ("furniture", "flats lacking any furniture"),
    ("art", "a party without art"),
    ("alcohol", "Getränke ohne alcohol"),
    ("砂糖", "砂糖なしのケーキ"),
    ("c++ (2020)", "a parser without c++ (2020)"),
]
TOPIC = [
    ("bones", "vitamin D, but nothing about bones"),
    ("coffee", "what keeps you awake, excluding coffee"),
    ("prices", "green tea, and I do not want prices"),
    ("politics", "news that don't mention politics"),
    ("trains", "travel in Japan except trains"),
    ("bones", "a question that has another word for it"),
    ("bones", ""),
]


@pytest.mark.parametrize(
    ("kind", "term", "question"), [("lack", *one) for one in LACK] + [("topic", *one) for one in TOPIC]
)
def test_the_words_around_a_term_tell_how_it_was_excluded(kind, term, question):
    assert kind_of(term, question) == kind


@pytest.mark.parametrize("method", ["typed", "given", "llm", "tagger", "recorded"])
def test_what_a_person_typed_is_neither_and_nothing_prints_the_kind(method):
    read = ReadQuestion("a home without a pool", parse('"home" AND NOT "pool"'), method)
    assert read.kinds == {"pool": "typed" if method in ("typed", "given") else "lack"}
    result = LogicalRetriever.from_texts(["home"], HashingEmbedder()).search(read)
    assert result.searched == '"home" AND NOT "pool"'


def test_a_question_without_exclusion_has_no_kinds_and_a_standing_one_has_its_own():
    assert ReadQuestion("a home", parse('"home"'), "llm").kinds == {}
    retriever = LogicalRetriever.from_texts(["home", "pool"], HashingEmbedder(), always_exclude=["pool"])
    result = retriever.search(ReadQuestion("home, no garden", parse('"home" AND NOT "garden"'), "llm"))
    kinds = {term: one.kind for term, one in result.documents[0].decisions.items()}
    assert kinds == {"garden": "lack", "pool": "always"}


def test_a_long_question_is_looked_at_around_its_terms_alone():
    question = "no " * 6_000 + "home, nothing about bones and without a pool" + " not" * 6_000
    assert (kind_of("bones", question), kind_of("a pool", question)) == ("topic", "lack")

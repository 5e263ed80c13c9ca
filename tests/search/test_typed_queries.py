"""Typed logic is one language wherever it is taken, and what cannot be meant is refused or told in the note."""

import asyncio

import pytest

from logical_retriever import FieldInfo, LogicalRetriever, parse
from logical_retriever.errors import ContradictionError, InvalidArgumentError
from logical_retriever.testing import HashingEmbedder

TEXTS = [
    "solar power at sea",
    "wind power on land",
    "tomato soup",
    "rye bread",
    "a laptop by apple",
    "a laptop by acer",
]
RETRIEVER = LogicalRetriever.from_texts(TEXTS, HashingEmbedder(), k=3)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("soup AND bread", '"soup" AND "bread"'),
        ("solar OR wind", '"solar" OR "wind"'),
        ("solar AND NOT wind", '"solar" AND NOT "wind"'),
        ("solar OR wind -land", '("solar" OR "wind") AND NOT "land"'),
        ("laptop -apple", '"laptop" AND NOT "apple"'),
        ("NOT solar", 'NOT "solar"'),
        ("-solar", 'NOT "solar"'),
        ("'laptop' but not 'apple'", '"laptop" AND NOT "apple"'),
        ('"laptop" not "apple"', '"laptop" AND NOT "apple"'),
    ],
)
def test_a_typed_query_is_the_same_query_in_a_search_and_a_question(text, query):
    assert RETRIEVER.search(text).query == RETRIEVER.answer(text).query == parse(query)
    assert [one.id for one in RETRIEVER.search(text).documents] == [one.id for one in RETRIEVER.retrieve(text)]


@pytest.mark.parametrize(
    "text", ['"soup" AND NOT "soup"', "soup -SOUP", '"tea" AND ("soup" AND NOT ("soup" OR "rye"))']
)
def test_what_is_wanted_and_excluded_is_refused_with_the_reason(text):
    for ask in (RETRIEVER.search, RETRIEVER.retrieve, lambda text: asyncio.run(RETRIEVER.aanswer(text))):
        with pytest.raises(ContradictionError, match='about "soup" and not about it'):
            ask(text) if text != "soup -SOUP" else ask("soup -soup")


@pytest.mark.parametrize("text", ["breakfast, anything but oats", "what is in the soup?", "hotels without a pool"])
def test_a_question_given_as_a_query_is_one_term_and_the_note_says_so(text):
    assert "searched as one term; retrieve() reads questions" in RETRIEVER.search(text).note
    assert "one term" not in RETRIEVER.answer(text).note


def test_a_title_given_as_a_query_has_no_note():
    assert RETRIEVER.search("tomato soup with rye bread").note == ""


def test_a_filter_that_lets_nothing_pass_and_one_of_a_wrong_type_are_told():
    for query in ('"soup"', '"soup" AND NOT "rye"'):
        result = RETRIEVER.search(query, filter=lambda document: "colour" in document.metadata)
        assert (result.documents, result.note) == ((), "the filter lets none of 6 documents pass")
    with pytest.raises(InvalidArgumentError, match=r"is a function, got .'colour': 'red'"):
        RETRIEVER.search('"soup"', filter={"colour": "red"})


@pytest.mark.parametrize(
    ("question", "field"),
    [("nothing from before 2022", "year"), ("soup by genre", "genre"), ("a western", "genre"), ("tomato soup", None)],
)
def test_fields_that_only_a_model_could_read_are_told(question, field):
    fields = [FieldInfo("year", "integer"), FieldInfo("genre", "text", values=("western", "drama"))]
    note = LogicalRetriever(RETRIEVER.store, RETRIEVER.embedder, fields=fields).answer(question).note
    assert (f'no condition on "{field}" is read from plain words without a model' in note) == (field is not None)


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ("except the first two", "first two"),
        ("no, the other one", "other one"),
        ("except the last one", "last"),
        ("the second one but cheaper", "second one"),
        ("ohne die ersten beiden", "die ersten beiden"),
        ("something else", "something else"),
    ],
)
def test_a_follow_up_that_points_to_an_answer_is_a_problem(question, pointer):
    history = [{"role": "user", "content": "power for a house"}, {"role": "assistant", "content": "Sun, or wind."}]
    result = RETRIEVER.answer(question, history=history)
    assert f'What "{pointer}" points to' in result.problem, result.problem
    assert str(result.query) == f'"{question}"'


def test_a_follow_up_that_names_what_it_excludes_adds_to_the_question():
    result = RETRIEVER.answer("ok but not wind", history=[{"role": "user", "content": "power for a house"}])
    assert (str(result.query), result.problem) == ('"power for a house" AND NOT "wind"', None)


@pytest.mark.parametrize(
    ("question", "excluded"),
    [
        ("Stephen King novels except It", "It"),
        ("horror films but not Them", "Them"),
        ("the top three museums except the Louvre", "Louvre"),
        ("apartments for these two cats without carpets", "carpets"),
    ],
)
def test_a_name_or_a_wish_with_a_word_that_may_point_is_read_as_it_stands(question, excluded):
    for history in ((), [{"role": "user", "content": "what is there to see"}]):
        result = RETRIEVER.answer(question, history=history)
        assert f'NOT "{excluded}"' in str(result.query), result.problem
        assert result.problem is None

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings, strategies as st

from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError
from logical_retriever.query import LogicalQuery, Not, Term, parse
from logical_retriever.transform import CueQueryTransformer, QueryTransformer

transformer = CueQueryTransformer()
LIMIT = 20_000


def query_of(question: str) -> LogicalQuery:
    return transformer.transform(question).query


def has_not(query: LogicalQuery) -> bool:
    return any(isinstance(node, Not) for node in query.walk())


def test_it_is_a_query_transformer_and_says_what_made_the_query() -> None:
    made = transformer.transform("tea other than green tea")
    assert isinstance(transformer, QueryTransformer)
    assert (made.question, made.method, made.answers, made.problem) == ("tea other than green tea", "cue", (), None)
    assert made.query == Term("Tea") & ~Term("green tea")


async def test_async_and_batch_give_the_same() -> None:
    questions = ["tea other than green tea", "  tea\n", "tea?"]
    expected = [transformer.transform(question) for question in questions]
    assert transformer.batch(questions) == expected
    assert [await transformer.atransform(question) for question in questions] == expected
    assert transformer.batch([]) == []


def test_a_question_without_exclusion_is_one_term_word_for_word() -> None:
    question = "  Which actors\tin \u201cSpielberg\u201d films   are not American ?\n"
    assert query_of(question) == Term(question)


@pytest.mark.parametrize("empty", ["", " ", "\n\t \u00a0"])
def test_an_empty_question_is_refused(empty: str) -> None:
    with pytest.raises(EmptyQuestionError, match="empty"):
        transformer.transform(empty)
    with pytest.raises(EmptyQuestionError, match="Question 2 of 2"):
        transformer.batch(["tea", empty])


@pytest.mark.parametrize("wrong", [None, 3, b"tea", ["tea"]])
def test_what_is_no_string_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidArgumentError, match="string"):
        transformer.transform(wrong)  # type: ignore[arg-type]


def test_one_string_is_no_batch() -> None:
    with pytest.raises(InvalidArgumentError, match="sequence"):
        transformer.batch("tea other than green tea")


def test_more_exclusions_than_a_query_can_hold_leave_the_plain_question() -> None:
    question = "Tea " + " ".join(f"(excluding kind {number})" for number in range(80))
    assert query_of(question) == Term(question)


def test_what_is_excluded_twice_is_one_term() -> None:
    assert query_of("Tea (excluding mint) and cakes (excluding mint)") == Term("Tea and cakes") & ~Term("mint")


@pytest.mark.parametrize(
    "text",
    [
        'excluding "',
        '" excluding "tea" and (',
        "tea (excluding mint",
        "tea excluding mint)",
        "((((tea (excluding (mint)",
        "🍵 excluding 🌿",
        "tea, excluding , . ;",
        "excluding excluding excluding",
        "other than other than tea besides",
        "...?!",
        "tea excluding mint\n\n\nand cakes\x00",
        'NOT "tea" AND (excluding',
        "茶、ミント以外",
        "tea excluding " + "and " * 50,
    ],
)
def test_odd_texts_give_a_query_that_round_trips(text: str) -> None:
    query = query_of(text)
    assert parse(str(query)) == query
    assert query == Term(text) or has_not(query)


UNITS = [
    '"',
    "“",
    "'a ",
    "(",
    "(excluding a) ",
    "([",
    ",",
    " ,",
    " ",
    "\n",
    ". ",
    "a? ",
    ";",
    " - ",
    "😀",
    "z",
    "but please ",
    "and ",
    "x other than ",
    "not apart from ",
    "don't include ",
    "without taking a ",
    "on top of ",
    "excluding ",
    "A ",
    "Aa of the ",
    "any information about ",
    "except a, b or ",
    "St. ",
    "i don't want to know ",
    "how did the affect ",
    "recommend a instead of ",
    "leave a ",
    "apart from ",
    "never mind ",
    "focus on a rather than ",
]


@pytest.mark.parametrize("start", ["x ", "Tea excluding ", "Apart from ", "How did ", "Tell me a "])
@pytest.mark.timeout(60)  # a rule that backtracks would take hours
def test_twenty_thousand_characters_are_read(start: str) -> None:
    for unit in UNITS:
        text = (start + unit * LIMIT)[:LIMIT]
        query = query_of(text)
        assert query == Term(text) or has_not(query)


CONTENT = ["zorp", "Blick", "mund", "Tarvo", "quell", "Fenwick", "ostra", "pim"]
FILLER = [
    "the",
    "of",
    "What is",
    "which",
    "did",
    "was",
    "his",
    "any information about",
    "and",
    "or",
    "but",
    "please",
    "who",
]
MARKS = [",", ".", "?", ";", "-", "(", ")", '"', "\n", "!"]
PHRASES = [
    "excluding",
    "other than",
    "apart from",
    "Apart from",
    "except",
    "except for",
    "besides",
    "Besides",
    "without mentioning",
    "don't mention",
    "do not include any",
    "not including",
    "in addition to",
    "with the exception of",
    "leaving aside",
    "(excluding",
    "but not about",
    "I'm not interested in",
    "exclude",
    "instead of",
    "rather than",
    "minus",
    "nothing about",
    "without taking into account",
    "not",
    "never",
    "no longer",
    "not only",
    "regardless of",
    "that is not",
    "besides,",
]
SENTENCES = (
    st.lists(st.sampled_from([*CONTENT * 3, *FILLER * 2, *MARKS, *PHRASES]), min_size=1, max_size=25)
    .map(" ".join)
    .filter(str.strip)
)


@settings(max_examples=1500, deadline=None)
@given(SENTENCES)
@example("zorp zorp not including zorp please do not include any Blick other than")
@example("zorp excluding zorp What is - I'm not interested in Blick")
@example("which Blick excluding Blick that is not zorp")
@example("zorp zorp without taking into account zorp with the exception of any information about other than Blick")
def test_nothing_is_lost(text: str) -> None:
    """A cue is taken out of a question only where it became a NOT, and no content word is taken out at all."""
    query = query_of(text)
    if query == Term(text):
        return
    assert has_not(query)
    words = re.findall(r"\w+", " ".join(query.terms()).casefold())
    for word in CONTENT:
        if re.search(rf"\b{word}\b", text):
            assert word.casefold() in words
    assert parse(str(query)) == query


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300).filter(lambda text: any(c.isprintable() and not c.isspace() for c in text)))
def test_any_text_is_a_query(text: str) -> None:
    query = query_of(text)
    assert query == Term(text) or has_not(query)


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("vitamin D, but nothing about bones, please", '"Vitamin D" AND NOT "bones"'),
        ("vitamin D without mentioning bones. Thanks a lot!", '"Vitamin D" AND NOT "bones"'),
        ("vitamin D except bones thank you.", '"Vitamin D" AND NOT "bones"'),
        ('the song "Please", excluding covers', '"The song \\"Please\\"" AND NOT "covers"'),
        ("but nothing about bones, please", '"but nothing about bones, please"'),
    ],
)
def test_courtesies_at_the_end_are_no_part_of_a_term(question, query):
    assert str(CueQueryTransformer().transform(question).query) == query


def test_an_exclusion_that_is_said_twice_is_two():
    question = "vitamin D, but nothing about bones and nothing about supplements"
    assert str(CueQueryTransformer().transform(question).query) == '"Vitamin D" AND NOT "bones" AND NOT "supplements"'

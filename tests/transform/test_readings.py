"""Questions in the voices of different people (tests/fixtures/readings.txt), and odd texts that somebody will type."""

from __future__ import annotations

from pathlib import Path

import pytest

from logical_retriever.errors import EmptyQuestionError
from logical_retriever.query import LogicalQuery, Not, Term, parse
from logical_retriever.transform import CueQueryTransformer

FIXTURE = Path(__file__).parents[1] / "fixtures" / "readings.txt"
reader = CueQueryTransformer()


def readings() -> list[tuple[str, str]]:
    """Questions with the queries expected of them."""
    lines = FIXTURE.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return [(question, query) for question, query in rows]


def has_not(query: LogicalQuery | None) -> bool:
    return query is not None and any(isinstance(node, Not) for node in query.walk())


@pytest.mark.parametrize(("question", "expected"), readings(), ids=[question for question, _ in readings()])
def test_a_question_in_somebodys_own_words(question: str, expected: str) -> None:
    reading = reader.read(question)
    assert ("=" if reading.query is None else str(reading.query)) == expected
    assert expected == "=" or parse(expected) == reading.query


def test_what_is_read_is_understood() -> None:
    """A model is asked for few of the questions that the rules read, and not for all negations that exclude nothing."""
    made = [reader.read(question) for question, _ in readings()]
    for several, share in (
        ([one for one in made if one.query is not None], 0.05),
        ([one for one in made if one.query is None], 0.6),
    ):
        assert sum(not one.understood for one in several) < share * len(several)


ODD = [
    "not",
    "no",
    "NOT",
    "without",
    "except",
    "other than",
    "but not",
    "not not not not",
    "no, no, no!",
    "not ... but",
    "???",
    "🍵",
    "🍵 but not 🌿",
    "tea 🍵 (no 🌿 mint)",
    "TEA BUT NOT MINT",
    "EXCLUDING MINT, WHICH TEAS ARE THERE?",
    "\u202etea but not mint\u202c",
    "שתן לא ירוק",
    "te\u200ba but no\u200bt mi\u200bnt",
    "tea\u00a0but\u2003not\u3000mint",
    "tea but not „mint“",
    "tea but not »mint«",
    "tea but not ‘mint’",
    "tea but not 「mint」",
    'tea but not "mint',
    "tea but not (mint",
    "tea) but not mint(",
    "tea but not mint)))))",
    "чай but not mint",
    "tea, кроме mint",
    "tea\x00but not\x07 mint",
    "tea\n\n\nbut not\nmint",
    "tea but not " + "very " * 200 + "mint",
    "I don't want I don't want I don't want tea",
    "leave leave out out of it",
    "tea aside aside aside",
    "neither nor neither nor",
    "İSTANBUL but not İZMİR",
    "{x} but not {name} <talk> ... ^ $",
    "tea but not \\d+ .* [a-z] ( )",
]


@pytest.mark.parametrize("text", ODD)
def test_odd_text_is_left_whole_or_read(text: str) -> None:
    reading = reader.read(text)
    query = reader.transform(text).query
    assert query == (Term(text) if reading.query is None else reading.query)
    assert reading.query is None or has_not(reading.query)
    assert parse(str(query)) == query


@pytest.mark.parametrize("empty", ["", " ", "\u200b", "\u2060\ufeff", "\n\t"])
def test_text_without_a_visible_character_is_refused(empty: str) -> None:
    with pytest.raises(EmptyQuestionError):
        reader.read(empty)


@pytest.mark.parametrize(
    "text", ["tea but not „mint“", "tea but not 「mint」", "te\u200ba but no\u200bt mi\u200bnt", "TEA BUT NOT MINT"]
)
def test_quotes_of_every_style_and_what_is_invisible_do_not_matter(text: str) -> None:
    assert str(reader.read(text).query).lower() == '"tea" and not "mint"'


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("tea execpt mint", "except"), ("tea wihtout mentioning mint", "without"), ("tea but nto mint", "not")],
)
def test_a_misspelt_cue_is_read(typed: str, meant: str) -> None:
    assert str(reader.read(typed).query) == '"Tea" AND NOT "mint"'
    assert meant not in typed


def test_signs_that_nobody_read_are_told() -> None:
    reading = reader.read("React date picker component, no moment.js dependency")
    assert (reading.query, reading.signs, reading.understood) == (None, ("no",), False)
    plain = reader.read("regulations on drone use in Germany")
    assert (plain.query, plain.signs, plain.understood) == (None, (), True)
    assert reader.read("Which birds can't fly?").understood


@pytest.mark.parametrize(
    "question",
    [
        "How does a puppy sleep through the night? We're against crates so I don't want crate training advice.",
        "Which clubs are open late? Nothing about whether members are let in.",
        "data on sick leave, no surveys",
    ],
    ids=["of a statement", "a clause", "a noun alone"],
)
def test_a_doubtful_reading_is_kept_and_a_model_is_asked(question: str) -> None:
    reading = reader.read(question)
    assert has_not(reading.query)
    assert not reading.understood


def test_a_language_without_a_table_is_left_whole_with_its_signs() -> None:
    reading = reader.read("Vilka svenska uppfinningar har blivit världsberömda, förutom mikroskopet?")
    assert (reading.query, reading.language, reading.signs, reading.understood) == (None, "sv", ("förutom",), False)

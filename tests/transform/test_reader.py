"""The reader that decides who reads a question: typed logic, the tagger, a language model."""

import logging

import pytest

from logical_retriever import LogicalRetriever, QuestionReader
from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError, LLMCallError
from logical_retriever.query import FieldInfo, Term, parse
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel
from logical_retriever.transform import (
    LogicalQueryTransformer,
    QueryTransformer,
    Transformation,
    TransformWarning,
)
from logical_retriever.transform.base import MAX_QUESTION_LENGTH
from logical_retriever.transform.tagger import Reading
from logical_retriever.transform.tagger.words import split_words

PLAIN, READ, DOUBTFUL, UNSURE = (
    "Do bees fly like wasps?",
    "bees, excluding wasps",
    "bees, no wasps bar",
    "bees sans wasps",
)
TYPED = '"bees" AND NOT "wasps"'
QUERY = parse(TYPED)


def reading(question, outcome, query, excludes, certainty):
    return Reading(outcome, query, excludes, certainty, (), split_words(question), cut=False)


READINGS = {
    PLAIN: reading(PLAIN, "plain", None, 0.01, 0.0),
    READ: reading(READ, "read", QUERY, 0.99, 0.95),
    DOUBTFUL: reading(DOUBTFUL, "read", QUERY, 0.8, 0.3),
    UNSURE: reading(UNSURE, "unsure", QUERY, 0.4, 0.3),
}
GOOD = '"Bees" AND NOT "Wasps"'


def without_model(question):
    """The query where no model is asked."""
    return QUERY if READINGS[question].outcome == "read" else Term(question)


class Readings:
    """Readings by question, so that these tests do not depend on what the network was taught."""

    def read(self, question):
        return READINGS[question]


def reader(*answers, **settings):
    model = ScriptedChatModel(answers)
    return QuestionReader(model, tagger=Readings(), **settings), model


def test_it_is_a_transformer():
    assert isinstance(QuestionReader(), QueryTransformer)


@pytest.mark.parametrize(("question", "method"), [(PLAIN, "tagger"), (READ, "tagger"), (TYPED, "typed")])
async def test_what_is_certain_costs_no_call(ask, question, method):
    asked, model = reader()
    made = await ask(asked, question)
    assert (made.method, made.problem, model.conversations) == (method, None, [])
    assert made.query == (parse(TYPED) if question == TYPED else without_model(question))
    assert made.confidence == (None if question == TYPED else READINGS[question].confidence)


@pytest.mark.parametrize("question", [DOUBTFUL, UNSURE])
async def test_what_the_tagger_is_not_sure_of_goes_to_the_model(ask, question):
    asked, model = reader(GOOD)
    made = await ask(asked, question)
    assert made == Transformation(question, parse(GOOD), "llm", (GOOD,))
    assert len(model.conversations) == 1


@pytest.mark.parametrize("question", [DOUBTFUL, UNSURE])
async def test_a_model_that_fails_leaves_the_reading_of_the_tagger(ask, question):
    asked, _ = reader(OSError("no network"))
    with pytest.warns(TransformWarning, match=r"reading without a model is used.*no network"):
        made = await ask(asked, question)
    assert made.query == without_model(question)
    assert (made.method, made.confidence) == ("tagger", READINGS[question].confidence)
    assert "no network" in made.problem


@pytest.mark.parametrize("nonsense", ["I am sorry, I cannot do that.", '"bees" AND NOT', "{}", "(" * 30_000])
async def test_a_model_that_answers_nonsense_twice_does_too(ask, nonsense):
    asked, model = reader(nonsense, nonsense)
    with pytest.warns(TransformWarning, match="reading without a model"):
        made = await ask(asked, DOUBTFUL)
    assert (made.query, made.answers) == (without_model(DOUBTFUL), (nonsense, nonsense))
    assert len(model.conversations) == 2


async def test_on_failure_raise_raises(ask):
    chain = LogicalQueryTransformer(ScriptedChatModel([OSError("no network")]), on_failure="raise")
    with pytest.raises(LLMCallError, match="no network"):
        await ask(QuestionReader(chain, tagger=Readings()), UNSURE)


async def test_without_a_model_only_an_unsure_reading_is_not_made_and_the_problem_says_so(ask, caplog):
    doubtful = await ask(QuestionReader(tagger=Readings()), DOUBTFUL)
    assert (doubtful.query, doubtful.problem, doubtful.confidence) == (QUERY, None, 0.3)
    with caplog.at_level(logging.INFO, "logical_retriever"):
        made = await ask(QuestionReader(tagger=Readings()), UNSURE)
    assert made.query == Term(UNSURE)
    assert "not sure" in made.problem
    assert TYPED in made.problem
    [record] = caplog.records
    assert "may exclude something" in record.getMessage()
    assert UNSURE not in record.getMessage(), "a log holds no questions of users"


async def test_a_plain_question_is_neither_logged_nor_warned_of(ask, caplog):
    with caplog.at_level(logging.DEBUG, "logical_retriever"):
        assert (await ask(QuestionReader(), "How long does concrete take to cure?")).problem is None
    assert not caplog.records


async def test_what_is_too_long_for_a_model_is_read_by_the_tagger_alone(ask):
    model = ScriptedChatModel([])
    made = await ask(QuestionReader(model), "bees, excluding wasps. " * (MAX_QUESTION_LENGTH // 10))
    assert (made.method, model.conversations) == ("tagger", [])
    assert "first 400 words" in made.problem


@pytest.mark.parametrize(
    ("question", "error"),
    [("", EmptyQuestionError), ("\t\n", EmptyQuestionError), ("\u200b", EmptyQuestionError), (7, InvalidArgumentError)],
)
async def test_what_is_no_question_is_refused(ask, question, error):
    with pytest.raises(error):
        await ask(QuestionReader(), question)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"fields": 7}, "fields"),
        ({"llm": LogicalQueryTransformer(ScriptedChatModel([])), "fields": {"year": "int"}}, "beside"),
        ({"llm": "gpt-4o"}, "no method complete"),
    ],
)
def test_wrong_arguments(arguments, problem):
    with pytest.raises(InvalidArgumentError, match=problem):
        QuestionReader(**arguments)


def test_typed_logic_is_searched_for_as_it_was_typed():
    texts = ["solar power from deserts", "solar power offshore", "wind"]
    retriever = LogicalRetriever.from_texts(texts, HashingEmbedder(), k=3)
    told = retriever.explain('"solar power" AND "deserts"')
    assert (told.searched, told.routed) == ('"solar power" AND "deserts"', None)
    assert "as typed" in str(told)
    assert told.to_dict()["method"] == "typed"


def test_an_explanation_says_what_the_reader_is_not_sure_of():
    retriever = LogicalRetriever.from_texts(
        ["bees", "wasps"], HashingEmbedder(), transformer=QuestionReader(tagger=Readings())
    )
    told = retriever.explain(UNSURE)
    assert "Problem        The reader is not sure" in str(told)
    assert told.to_dict()["confidence"] == 0.3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"tea" AND NOT [', "The bracket opened at character 14 is never closed."),
        ('"tea" AND ("green"', "The parenthesis opened at character 10 is never closed."),
        ('"tea" OR OR "coffee"', "OR has nothing on its right."),
    ],
)
def test_typed_logic_with_a_mistake_is_no_query_and_the_mistake_is_said(text, said):
    made = QuestionReader().transform(text)
    assert made.problem.startswith(f"It looks like typed logic and is none. {said} It is searched ")


@pytest.mark.parametrize(
    "text",
    [
        'recipes with "green tea" but NOT "matcha" please',
        'tea but not "coffee"',
        '"tea" AND NOT "coffee"',
        'the "AND" of a circuit',
        '"tea" and milk',
    ],
)
def test_a_text_that_is_no_broken_logic_has_no_such_problem(text):
    assert "typed logic" not in (QuestionReader().transform(text).problem or "")


async def test_with_fields_the_model_is_asked_even_where_the_tagger_is_sure(ask):
    model = ScriptedChatModel(['"westerns" AND [year < 1950]'])
    made = await ask(QuestionReader(model, fields=[FieldInfo("year", "integer")]), "westerns from before 1950")
    assert str(made.query) == '"westerns" AND [year < 1950]'


async def test_without_a_model_only_typed_conditions_are_read(ask):
    reader = QuestionReader(fields=[FieldInfo("year", "integer")])
    assert (await ask(reader, "westerns from before 1950")).query == Term("westerns from before 1950")
    typed = '"westerns" AND [year < 1950]'
    assert (await ask(reader, typed)).query == parse(typed)

"""The reader that decides who reads a question: typed logic, the tagger, a language model."""

import logging

import pytest

from logical_retriever import LogicalRetriever, QuestionReader
from logical_retriever.errors import InvalidArgumentError, LLMCallError
from logical_retriever.query import FieldInfo, Term, parse
from logical_retriever.reading import LogicalQueryTransformer, ReadQuestion, TransformWarning
from logical_retriever.reading.base import MAX_QUESTION_LENGTH
from logical_retriever.reading.questions.tagger import Reading
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel

PLAIN, READ = "Do bees fly like wasps?", "bees, excluding wasps"
DOUBTFUL, UNSURE = "bees, no wasps bar", "bees sans wasps"
TYPED = '"bees" AND NOT "wasps"'
QUERY = parse(TYPED)
READINGS = {
    question: Reading(outcome, query, excludes, certainty, cut=False)
    for question, outcome, query, excludes, certainty in [
        (PLAIN, "plain", None, 0.01, 0.0),
        (READ, "read", QUERY, 0.99, 0.95),
        (DOUBTFUL, "read", QUERY, 0.8, 0.3),
        (UNSURE, "unsure", QUERY, 0.4, 0.3),
    ]
}
GOOD = '"Bees" AND NOT "Wasps"'


def without_model(question):
    """The query where no model is asked."""
    return QUERY if READINGS[question].outcome == "read" else Term(question)


class Readings:
    """Readings by question, so that these tests do not depend on what the network was taught."""

    def read(self, question):
        return READINGS[question]

    def kinds(self, question, terms):
        return dict.fromkeys(terms, "lack")


def reader(*answers, **settings):
    model = ScriptedChatModel(answers)
    return QuestionReader(model, tagger=Readings(), **settings), model


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
    assert made == ReadQuestion(question, parse(GOOD), "llm", (GOOD,), kinds={"Wasps": "lack"})
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


def test_wrong_arguments():
    chain = LogicalQueryTransformer(ScriptedChatModel([]))
    for arguments, problem in [
        ({"fields": 7}, "fields"),
        ({"llm": chain, "fields": {"year": "int"}}, "beside"),
        ({"llm": "gpt-4o"}, "no method complete"),
    ]:
        with pytest.raises(InvalidArgumentError, match=problem):
            QuestionReader(**arguments)


def test_an_explanation_says_whether_a_query_was_typed_or_is_unsure():
    reader = QuestionReader(tagger=Readings())
    retriever = LogicalRetriever.from_texts(["bees", "wasps"], HashingEmbedder(), transformer=reader)
    story = retriever.explain('"bees" AND "wasps"')
    assert (story.searched, story.routed, story.to_dict()["method"]) == ('"bees" AND "wasps"', None, "typed")
    assert "as typed" in str(story)
    story = retriever.explain(UNSURE)
    assert "Problem        The reader is not sure" in str(story)
    assert story.to_dict()["confidence"] == 0.3


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


UNBROKEN = ('recipes with "green tea" but NOT "matcha" please', 'tea but not "coffee"', '"tea" AND NOT "coffee"')


@pytest.mark.parametrize("text", [*UNBROKEN, 'the "AND" of a circuit', '"tea" and milk'])
def test_a_text_that_is_no_broken_logic_has_no_such_problem(text):
    assert "typed logic" not in (QuestionReader().transform(text).problem or "")


async def test_with_fields_a_model_is_asked_even_where_the_tagger_is_sure(ask):
    question, typed = "westerns from before 1950", '"westerns" AND [year < 1950]'
    fields = [FieldInfo("year", "integer")]
    assert (await ask(QuestionReader(ScriptedChatModel([typed]), fields=fields), question)).query == parse(typed)
    assert (await ask(QuestionReader(fields=fields), question)).query == Term(question)
    assert (await ask(QuestionReader(fields=fields), typed)).query == parse(typed)

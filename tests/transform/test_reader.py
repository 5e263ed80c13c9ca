"""The reader that decides who reads a question: typed logic, rules, a language model."""

import asyncio
import logging

import pytest

from logical_retriever import LogicalRetriever, QuestionReader
from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError, LLMCallError
from logical_retriever.query import Term, negative_terms, parse
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel
from logical_retriever.transform import (
    LogicalQueryTransformer,
    QueryTransformer,
    Transformation,
    TransformWarning,
    reader as reader_module,
)
from logical_retriever.transform.base import MAX_QUESTION_LENGTH
from logical_retriever.transform.reading import Reading

PLAIN, READ, PARTLY, UNREAD = (
    "Do bees fly like wasps?",
    "bees, excluding wasps",
    "bees, no wasps bar",
    "bees sans wasps",
)
TYPED = '"bees" AND NOT "wasps"'
READINGS = {
    PLAIN: Reading(None),
    READ: Reading(parse('"bees" AND NOT "wasps"'), ("excluding",)),
    PARTLY: Reading(parse('"bees bar" AND NOT "wasps"'), ("no", "bar"), understood=False),
    UNREAD: Reading(None, ("sans",), understood=False),
}
GOOD = '"Bees" AND NOT "Wasps"'


def by_rules(question):
    """The query of the rules' reading."""
    query = READINGS[question].query
    return Term(question) if query is None else query


class Rules:
    """Readings by question, so that these tests do not depend on what wordings the rules know."""

    def read(self, question):
        return READINGS[question]


@pytest.fixture(autouse=True)
def _nothing_was_logged_yet():
    reader_module._log_once.cache_clear()


@pytest.fixture(params=["transform", "atransform", "batch", "abatch"])
def ask(request):
    """One question, by each way to ask it."""

    async def ask(reader, question):
        asked = getattr(reader, request.param)([question] if "batch" in request.param else question)
        made = await asked if asyncio.iscoroutine(asked) else asked
        return made[0] if "batch" in request.param else made

    return ask


def reader(*answers, **settings):
    model = ScriptedChatModel(answers)
    return QuestionReader(model, rules=Rules(), **settings), model


def test_it_is_a_transformer():
    assert isinstance(QuestionReader(), QueryTransformer)


@pytest.mark.parametrize(("question", "method"), [(PLAIN, "cue"), (READ, "cue"), (TYPED, "typed")])
async def test_what_is_certain_costs_no_call(ask, question, method):
    asked, model = reader()
    made = await ask(asked, question)
    assert (made.method, made.problem, model.conversations) == (method, None, [])
    assert made.query == (parse(TYPED) if question == TYPED else by_rules(question))
    assert made.signs == READINGS.get(question, Reading(None)).signs


@pytest.mark.parametrize("question", [PARTLY, UNREAD])
async def test_a_sign_that_the_rules_do_not_understand_goes_to_the_model(ask, question):
    asked, model = reader(GOOD)
    made = await ask(asked, question)
    assert made == Transformation(question, parse(GOOD), "llm", (GOOD,), signs=READINGS[question].signs)
    assert len(model.conversations) == 1


@pytest.mark.parametrize("question", [PARTLY, UNREAD])
async def test_a_model_that_fails_leaves_the_reading_of_the_rules(ask, question):
    asked, _ = reader(OSError("no network"))
    with pytest.warns(TransformWarning, match=r"reading by rules is used.*no network"):
        made = await ask(asked, question)
    assert made.query == by_rules(question)
    assert (made.method, made.signs) == ("cue", READINGS[question].signs)
    assert "no network" in made.problem


@pytest.mark.parametrize("nonsense", ["I am sorry, I cannot do that.", '"bees" AND NOT', "{}", "(" * 30_000])
async def test_a_model_that_answers_nonsense_twice_does_too(ask, nonsense):
    asked, model = reader(nonsense, nonsense)
    with pytest.warns(TransformWarning, match="reading by rules"):
        made = await ask(asked, PARTLY)
    assert (made.query, made.answers) == (by_rules(PARTLY), (nonsense, nonsense))
    assert len(model.conversations) == 2


async def test_on_failure_raise_raises(ask):
    chain = LogicalQueryTransformer(ScriptedChatModel([OSError("no network")]), on_failure="raise")
    with pytest.raises(LLMCallError, match="no network"):
        await ask(QuestionReader(chain, rules=Rules()), UNREAD)


@pytest.mark.parametrize(("question", "outcome"), [(UNREAD, "left whole"), (PARTLY, "are not sure")])
async def test_without_a_model_the_problem_says_what_was_seen(ask, caplog, question, outcome):
    asked = QuestionReader(rules=Rules())
    with caplog.at_level(logging.WARNING):
        made = [await ask(asked, question) for _ in range(3)]
    assert made[0] == made[2]
    assert all(repr(sign) in made[0].problem for sign in READINGS[question].signs)
    assert outcome in made[0].problem
    assert made[0].query == by_rules(question)
    logged = [record.getMessage() for record in caplog.records]
    signs = sorted(READINGS[question].signs)
    assert len(logged) == len(signs), "once for each sign, however often it is seen"
    assert all(repr(sign) in line for sign, line in zip(signs, sorted(logged), strict=True))
    assert not any(question in line for line in logged), "a log holds no questions of users"


async def test_a_plain_question_is_neither_logged_nor_warned_of(ask, caplog):
    with caplog.at_level(logging.DEBUG, "logical_retriever"):
        assert (await ask(QuestionReader(), "How long does concrete take to cure?")).problem is None
    assert not caplog.records


@pytest.mark.parametrize(
    ("question", "method", "left"),
    [(PLAIN, "cue", "reading by rules"), (READ, "cue", "reading by rules"), (TYPED, "typed", "logic that was typed")],
)
async def test_the_model_may_always_be_asked_and_fails_to_what_is_certain(ask, question, method, left):
    assert (await ask(reader(GOOD, read="always_llm")[0], question)).method == "llm"
    failing, _ = reader(OSError("gone"), read="always_llm")
    with pytest.warns(TransformWarning, match=left):
        made = await ask(failing, question)
    assert made.method == method
    assert made.query == (parse(TYPED) if question == TYPED else by_rules(question))


async def test_the_model_may_never_be_asked(ask):
    asked, model = reader(GOOD, read="rules")
    assert (await ask(asked, UNREAD)).problem is not None
    assert model.conversations == []


async def in_batch(reader, way, questions):
    made = getattr(reader, way)(questions, max_concurrency=1)
    return await made if asyncio.iscoroutine(made) else made


async def test_a_batch_asks_only_what_it_must_once_and_in_order():
    questions = [UNREAD, PLAIN, PARTLY, UNREAD, TYPED, READ, PARTLY]
    for way in ("batch", "abatch"):
        asked, model = reader(GOOD, GOOD)
        made = await in_batch(asked, way, questions)
        assert [one.question for one in made] == questions
        assert [one.method for one in made] == ["llm", "cue", "llm", "llm", "typed", "cue", "llm"]
        assert [UNREAD in c[-1]["content"] for c in model.conversations] == [True, False]
        assert len(model.conversations) == 2


async def test_one_failure_in_a_batch_leaves_the_others():
    for way in ("batch", "abatch"):
        asked, _ = reader(OSError("once"), GOOD)
        with pytest.warns(TransformWarning) as caught:
            made = await in_batch(asked, way, [UNREAD, PARTLY])
        assert [one.method for one in made] == ["cue", "llm"]
        assert len(caught) == 1


async def test_what_is_too_long_goes_to_nobody(ask):
    question = "bees sans wasps " * (MAX_QUESTION_LENGTH // 10)
    asked, model = reader()
    made = await ask(asked, question)
    assert (made.query, made.method, model.conversations) == (Term(question), "cue", [])
    assert "characters" in made.problem


@pytest.mark.parametrize("question", ["", "\t\n", "​"])
async def test_an_empty_question_is_refused(ask, question):
    with pytest.raises(EmptyQuestionError):
        await ask(QuestionReader(), question)


async def test_what_is_no_question_is_refused(ask):
    with pytest.raises(InvalidArgumentError, match="not a string"):
        await ask(QuestionReader(), 7)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"read": "sometimes"}, "no way to read 'sometimes'"),
        ({"read": None}, "no way to read None"),
        ({"read": "always_llm"}, "there is no model"),
        ({"llm": "gpt-4o"}, "no method complete"),
    ],
)
def test_wrong_arguments(arguments, problem):
    with pytest.raises(InvalidArgumentError, match=problem):
        QuestionReader(**arguments)


@pytest.mark.parametrize("limit", [0, -1, True, "2"])
async def test_a_wrong_limit_is_refused_with_and_without_a_model(limit):
    for asked in (QuestionReader(), reader(GOOD)[0]):
        with pytest.raises(InvalidArgumentError, match="max_concurrency"):
            asked.batch([PLAIN], max_concurrency=limit)
        with pytest.raises(InvalidArgumentError, match="max_concurrency"):
            await asked.abatch([PLAIN], max_concurrency=limit)


def test_typed_logic_is_searched_for_as_it_was_typed():
    texts = ["solar power from deserts", "solar power offshore", "wind"]
    retriever = LogicalRetriever.from_texts(texts, HashingEmbedder(), k=3)
    told = retriever.explain('"solar power" AND "deserts"')
    assert (told.searched, told.routed) == ('"solar power" AND "deserts"', None)
    assert "as typed" in str(told)
    assert told.to_dict()["method"] == "typed"


def test_an_explanation_says_what_was_seen_and_not_understood():
    retriever = LogicalRetriever.from_texts(
        ["bees", "wasps"], HashingEmbedder(), transformer=QuestionReader(rules=Rules())
    )
    told = retriever.explain(UNREAD)
    assert "Problem        The rules saw 'sans'" in str(told)
    assert told.to_dict()["signs"] == ["sans"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"tea" AND NOT [', "The bracket opened at character 14 is never closed."),
        ('"tea" AND ("green"', "The parenthesis opened at character 10 is never closed."),
        ('"tea" OR OR "coffee"', "OR follows OR directly."),
    ],
)
def test_typed_logic_with_a_mistake_is_left_whole_and_the_mistake_is_said(text, said):
    made = QuestionReader().transform(text)
    assert made.query == Term(text)
    assert made.problem == f"It looks like typed logic and is none. {said} It is left whole."


@pytest.mark.parametrize(
    ("text", "excluded"), [('("tea" OR "coffee" AND NOT "milk"', "milk"), ('"tea" AND NOT [year >', "[year >")]
)
def test_an_exclusion_in_typed_logic_with_a_mistake_is_read_by_the_rules(text, excluded):
    made = QuestionReader().transform(text)
    assert list(negative_terms(made.query)) == [excluded]
    assert made.problem.endswith(" What rules read in it is searched.")


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

"""Answers about something else, and models that take too long."""

import asyncio
import threading
import time

import pytest

from logical_retriever.errors import InvalidArgumentError, LLMAnswerError, LLMCallError
from logical_retriever.query import FieldInfo, Term, parse
from logical_retriever.testing import ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer, QuestionReader, TransformWarning, deadline
from logical_retriever.transform.subject import check_subject


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("jaguar, the animal not the car", '"Jaguar (animal)" AND NOT "Jaguar cars"'),
        ("glutne free brad, no yeats", '"Gluten-free bread" AND NOT "Yeast"'),
        ("Vitamin-D-Nutzen außer Knochen", '"Nutzen von Vitamin D" AND NOT "Knochengesundheit"'),
        ("维生素D的好处，除了骨骼", '"维生素D的好处" AND NOT "骨骼健康"'),
        ("uses of AI other than ML", '"AI uses" AND NOT "ML"'),
        ("???", '"anything" AND NOT "else"'),
        ("tea, not 2024", '"tea" AND NOT "2024"'),
    ],
)
def test_a_query_about_the_question_is_kept(question, form):
    check_subject(parse(form), question)


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("tea without milk", '"tea" AND NOT "logical search engine"'),
        ("tea without milk", '"The French Revolution" AND NOT "milk"'),
        ("the best of the tea", '"tea" AND NOT "what is the one for you"'),
        ("茶，不要牛奶", '"茶" AND NOT "milk"'),
    ],
)
def test_a_term_about_something_else_is_refused_and_repaired(question, form):
    with pytest.raises(LLMAnswerError, match="does not mention"):
        check_subject(parse(form), question)
    model = ScriptedChatModel([form, f'"{question}" AND NOT "{question}"'])
    made = LogicalQueryTransformer(model).transform(question)
    assert len(made.answers) == 2
    assert "does not mention" in model.conversations[1][-1]["content"]
    with pytest.warns(TransformWarning, match="does not mention"):
        assert LogicalQueryTransformer(ScriptedChatModel([form] * 2)).transform(question).query == Term(question)
    assert LogicalQueryTransformer(ScriptedChatModel([form]), own_words=False).transform(question).query == parse(form)


def test_what_was_said_before_counts_as_the_question():
    check_subject(parse('"green tea" AND NOT "brewing"'), "and without brewing?", said="Tell me about green tea.")


def test_many_words_are_compared_in_little_time():
    question = " ".join(f"word{i}" for i in range(3_000))
    query = parse(" AND ".join(f'"{"x" * 12}{i} {"y" * 12}{i}"' for i in range(60)))
    began = time.perf_counter()
    with pytest.raises(LLMAnswerError):
        check_subject(query, question)
    assert time.perf_counter() - began < 1


class Hanging:
    """Does not answer until it is let go."""

    def __init__(self):
        self.go, self.calls = threading.Event(), 0

    def complete(self, messages):
        self.calls += 1
        self.go.wait(20)
        return '"tea" AND NOT "milk"'


class HangingAsync(Hanging):
    cancelled = False

    async def acomplete(self, messages):
        try:
            await asyncio.sleep(20)
        except asyncio.CancelledError:
            self.cancelled = True
            raise


@pytest.fixture
def hanging():
    model = Hanging()
    yield model
    model.go.set()


async def test_a_model_that_is_late_leaves_the_reading_of_the_tagger(hanging):
    reader = QuestionReader(LogicalQueryTransformer(hanging, timeout=0.1, fields=[FieldInfo("kind", "string")]))
    began = time.monotonic()
    with pytest.warns(TransformWarning, match="within 0.1 seconds"):
        made = [reader.transform("tea, excluding milk")]
    with pytest.warns(TransformWarning, match="within 0.1 seconds"):
        made.append(await reader.atransform("tea, excluding milk"))
    assert time.monotonic() - began < 5
    hanging.go.set()
    assert [(str(one.query), one.method) for one in made] == [('"tea" AND NOT "milk"', "tagger")] * 2


async def test_an_asynchronous_call_that_is_late_is_cancelled():
    model = HangingAsync()
    with pytest.raises(LLMCallError, match="within"):
        await LogicalQueryTransformer(model, timeout=0.05, on_failure="raise").atransform("tea")
    assert model.cancelled


def test_the_time_is_that_of_the_question_repairs_included():
    class Slow(ScriptedChatModel):
        def complete(self, messages):
            time.sleep(0.2)
            return super().complete(messages)

    transformer = LogicalQueryTransformer(Slow(['"tea" AND'] * 50), timeout=0.5, max_repairs=40, on_failure="raise")
    with pytest.raises(LLMCallError, match=r"within 0\.5 seconds"):
        transformer.transform("tea")


def test_a_model_in_time_answers_as_without_a_bound():
    made = LogicalQueryTransformer(ScriptedChatModel(['"tea" AND NOT "milk"']), timeout=20).transform("tea, no milk")
    assert str(made.query) == '"tea" AND NOT "milk"'
    with pytest.raises(KeyboardInterrupt):
        LogicalQueryTransformer(ScriptedChatModel([KeyboardInterrupt()]), timeout=20).transform("tea, no milk")


def test_calls_that_nobody_waits_for_are_bounded(hanging, monkeypatch):
    monkeypatch.setattr(deadline, "_places", threading.BoundedSemaphore(2))
    transformer = LogicalQueryTransformer(hanging, timeout=0.05, on_failure="raise", cache=False)
    for problem in ("within", "within", "under way and late"):
        with pytest.raises(LLMCallError, match=problem):
            transformer.transform("tea, no milk")
    assert hanging.calls == 2
    hanging.go.set()
    for _ in range(100):
        if deadline._places.acquire(timeout=0.05):
            break
    else:
        pytest.fail("the place of a call that has ended is free again")


@pytest.mark.parametrize("timeout", [0, -1, True, float("inf"), float("nan"), "5"])
def test_a_bound_that_is_none_is_refused(timeout):
    with pytest.raises(InvalidArgumentError, match="timeout is"):
        LogicalQueryTransformer(ScriptedChatModel([]), timeout=timeout)

"""Many questions at once, the cache between them, and models that take too long."""

import asyncio
import threading
import time
from contextvars import ContextVar

import pytest

from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError, LLMCallError
from logical_retriever.query import parse
from logical_retriever.testing import ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer, Transformation, TransformWarning

QUESTION = "What are the benefits of vitamin D other than bone health?"
GOOD = '"Benefits of vitamin D" AND NOT "Bone health"'
BAD = '"Benefits of vitamin D" AND NOT "Bone health'
TENANT = ContextVar("TENANT", default="nobody")


class EchoModel:
    """Answers `"q" AND NOT "q x"` for the question q, slowly enough that calls overlap, and counts them."""

    def __init__(self, *, fails_on: str = "") -> None:
        self.fails_on = fails_on
        self.asked: list[str] = []
        self.tenants: set[str] = set()
        self.running = self.most_running = 0
        self.lock = threading.Lock()

    def complete(self, messages):
        question = self.enter(messages)
        threading.Event().wait(0.02)
        return self.leave(question)

    def enter(self, messages):
        question = messages[-1]["content"].split("\n")[1]
        with self.lock:
            self.asked.append(question)
            self.tenants.add(TENANT.get())
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        return question

    def leave(self, question):
        with self.lock:
            self.running -= 1
        if question == self.fails_on:
            raise RuntimeError("quota")
        return f'"{question}" AND NOT "{question} x"'


class AsyncEchoModel(EchoModel):
    async def acomplete(self, messages):
        question = self.enter(messages)
        await asyncio.sleep(0.02)
        return self.leave(question)


@pytest.fixture(params=["batch", "abatch in threads", "abatch"])
def kind(request):
    return request.param


@pytest.fixture
def model(kind):
    return AsyncEchoModel() if kind == "abatch" else EchoModel()


@pytest.fixture
def run(kind):
    async def call(transformer, questions, **options):
        if kind == "batch":
            return transformer.batch(questions, **options)
        return await transformer.abatch(questions, **options)

    return call


async def test_a_batch_keeps_its_order_and_asks_duplicates_once(run, model):
    questions = ["q3", "q1", "q3", "q2", "q1"]
    token = TENANT.set("acme")
    made = await run(LogicalQueryTransformer(model, cache=False), questions)
    TENANT.reset(token)
    assert [m.question for m in made] == questions
    assert [m.query for m in made] == [parse(f'"{q}" AND NOT "{q} x"') for q in questions]
    assert sorted(model.asked) == ["q1", "q2", "q3"]
    assert model.tenants == {"acme"}, "the caller's context reaches the model"
    assert await run(LogicalQueryTransformer(model), []) == []


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (3, 3), (None, 12), (99, 12)])
async def test_max_concurrency_is_reached_and_kept(run, model, limit, most):
    await run(LogicalQueryTransformer(model), [f"q{i}" for i in range(12)], max_concurrency=limit)
    assert model.most_running <= most
    assert (model.most_running == 1) == (most == 1)


async def test_a_failure_leaves_the_others_or_stops_what_has_not_begun(run, model):
    model.fails_on = "q1"
    with pytest.warns(TransformWarning) as caught:
        made = await run(LogicalQueryTransformer(model), ["q0", "q1", "q2", "q1"])
    assert [m.method for m in made] == ["llm", "dense", "llm", "dense"]
    assert len(caught) == 1
    with pytest.raises(LLMCallError):
        await run(LogicalQueryTransformer(model, on_failure="raise"), [f"q{i}" for i in range(40)], max_concurrency=2)
    await asyncio.sleep(0.1)
    assert len(model.asked) < 13


@pytest.mark.parametrize(
    ("questions", "limit", "problem"),
    [
        (["a", " ", "c"], 8, "Question 2 of 3"),
        ([None], 8, "Question 1 of 1"),
        ("a question", 8, "questions is"),
        (b"x", 8, "questions is"),
        ({"a"}, 8, "questions is"),
        *[(["a"], limit, "max_concurrency") for limit in (0, -1, 1.5, True)],
    ],
)
async def test_a_bad_batch_is_refused_before_any_is_asked(run, model, questions, limit, problem):
    with pytest.raises((EmptyQuestionError, InvalidArgumentError), match=problem):
        await run(LogicalQueryTransformer(model), questions, max_concurrency=limit)
    assert not model.asked


async def test_a_cancelled_task_is_cancelled_and_not_a_failure():
    started = asyncio.Event()

    class Hanging(EchoModel):
        async def acomplete(self, messages):
            started.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(LogicalQueryTransformer(Hanging()).abatch(["a", "b"]))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_model_without_acomplete_does_not_block_the_loop():
    class Waiting(EchoModel):
        def complete(self, messages):
            assert released.wait(5), "the event loop was blocked"
            return super().complete(messages)

    released = threading.Event()
    task = asyncio.create_task(LogicalQueryTransformer(Waiting()).atransform("q"))
    await asyncio.sleep(0)
    released.set()
    assert (await task).query == parse('"q" AND NOT "q x"')


@pytest.mark.timeout(20)
async def test_a_model_that_raises_stop_iteration_is_a_typed_error(ask):
    class Exhausted:
        def complete(self, messages):
            return next(iter(()))

    with pytest.raises(LLMCallError, match="StopIteration"):
        await ask(LogicalQueryTransformer(Exhausted(), on_failure="raise"), "q")


# The cache


async def test_a_hit_is_marked_and_does_not_ask(ask):
    model = EchoModel()
    transformer = LogicalQueryTransformer(model)
    first, second = [await ask(transformer, "q") for _ in range(2)]
    assert (first.cached, second.cached, len(model.asked)) == (False, True, 1)
    assert (first.query, first.answers) == (second.query, second.answers)
    assert not (await ask(transformer, "q ")).cached
    other = LogicalQueryTransformer(model, prompt="{question}", cache=transformer.cache)
    assert not (await ask(other, "q")).cached, "another prompt is another question"
    assert (await ask(LogicalQueryTransformer(model, cache=transformer.cache), "q")).cached


async def test_failures_are_not_cached(ask):
    transformer = LogicalQueryTransformer(ScriptedChatModel([RuntimeError("quota"), BAD, BAD, GOOD]))
    for _ in range(2):
        with pytest.warns(TransformWarning):
            assert (await ask(transformer, QUESTION)).method == "dense"
    assert (await ask(transformer, QUESTION)).query == parse(GOOD)


@pytest.mark.parametrize(("setting", "asked"), [(True, 2), (2, 2), (1, 4), (False, 4), (0, 4)])
def test_the_size_of_the_cache(setting, asked):
    model = EchoModel()
    transformer = LogicalQueryTransformer(model, cache=setting)
    for question in "abab":
        transformer.transform(question)
    assert len(model.asked) == asked


def test_many_threads_share_a_transformer_and_its_cache_stays_bounded():
    transformer = LogicalQueryTransformer(EchoModel(), cache=5)
    wrong: list[Transformation] = []

    def work(seed):
        for i in range(20):
            made = transformer.transform(f"q{(i * seed) % 7}")
            if made.query != parse(f'"{made.question}" AND NOT "{made.question} x"'):
                wrong.append(made)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(transformer.cache) == 5


# Models that take too long


class Hanging:
    """Does not answer until it is let go."""

    def __init__(self):
        self.go = threading.Event()

    def complete(self, messages):
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


async def test_a_model_that_is_late_is_a_failed_call(ask):
    hanging, began = Hanging(), time.monotonic()
    with pytest.warns(TransformWarning, match=r"within 0\.1 seconds"):
        made = await ask(LogicalQueryTransformer(hanging, timeout=0.1), "tea, excluding milk")
    assert (made.method, time.monotonic() - began < 5) == ("dense", True)
    hanging.go.set()
    made = await ask(LogicalQueryTransformer(hanging, timeout=20), "tea, excluding milk")
    assert str(made.query) == '"tea" AND NOT "milk"'


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

    transformer = LogicalQueryTransformer(Slow(['"tea" AND'] * 9), timeout=0.5, max_repairs=8, on_failure="raise")
    with pytest.raises(LLMCallError, match=r"within 0\.5 seconds"):
        transformer.transform("tea")

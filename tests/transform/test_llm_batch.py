"""Batches, threads, tasks, and the cache between them."""

import asyncio
import threading
from contextvars import ContextVar

import pytest

from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError, LLMCallError
from logical_retriever.query import parse
from logical_retriever.testing import ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer, QueryCache, Transformation, TransformWarning
from logical_retriever.transform.cache import MAX_ENTRY

TENANT = ContextVar("TENANT", default="nobody")


class EchoModel:
    """Answers `"q" AND NOT "x"` for the question q, slowly enough that calls overlap, and counts them."""

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
            msg = "quota"
            raise RuntimeError(msg)
        return f'"{question}" AND NOT "x"'


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
    made = await run(LogicalQueryTransformer(model, cache=False), questions)
    assert [m.question for m in made] == questions
    assert [m.query for m in made] == [parse(f'"{q}" AND NOT "x"') for q in questions]
    assert sorted(model.asked) == ["q1", "q2", "q3"]


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (3, 3), (None, 12), (99, 12)])
async def test_max_concurrency_is_reached_and_kept(run, model, limit, most):
    await run(LogicalQueryTransformer(model), [f"q{i}" for i in range(12)], max_concurrency=limit)
    assert model.most_running <= most
    assert (model.most_running == 1) == (most == 1)


async def test_the_callers_context_reaches_the_model(run, model):
    token = TENANT.set("acme")
    await run(LogicalQueryTransformer(model), ["a", "b"])
    TENANT.reset(token)
    assert model.tenants == {"acme"}


async def test_one_failure_leaves_the_others_and_warns_once(run, model):
    model.fails_on = "q1"
    with pytest.warns(TransformWarning) as caught:
        made = await run(LogicalQueryTransformer(model), ["q0", "q1", "q2", "q1"])
    assert [m.method for m in made] == ["llm", "dense", "llm", "dense"]
    assert len(caught) == 1


async def test_raising_stops_what_has_not_begun(run, model):
    model.fails_on = "q0"
    with pytest.raises(LLMCallError):
        await run(LogicalQueryTransformer(model, on_failure="raise"), [f"q{i}" for i in range(40)], max_concurrency=2)
    assert len(model.asked) < 10


async def test_no_questions_give_no_transformations(run, model):
    assert await run(LogicalQueryTransformer(model), []) == []


async def test_a_bad_question_is_named_before_any_is_asked(run, model):
    with pytest.raises(EmptyQuestionError, match="Question 2 of 3"):
        await run(LogicalQueryTransformer(model), ["a", " ", "c"])
    with pytest.raises(InvalidArgumentError, match="Question 1 of 1"):
        await run(LogicalQueryTransformer(model), [None])
    assert not model.asked


@pytest.mark.parametrize("questions", ["a question", b"x", 7, {"a"}])
async def test_a_batch_is_a_sequence_of_questions(run, model, questions):
    with pytest.raises(InvalidArgumentError, match="questions is"):
        await run(LogicalQueryTransformer(model), questions)


@pytest.mark.parametrize("limit", [0, -1, 1.5, True])
async def test_a_limit_below_one_is_refused(run, model, limit):
    with pytest.raises(InvalidArgumentError, match="max_concurrency"):
        await run(LogicalQueryTransformer(model), ["a"], max_concurrency=limit)


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
    assert (await task).query == parse('"q" AND NOT "x"')


@pytest.mark.timeout(20)
async def test_a_model_that_raises_stop_iteration_in_a_thread_does_not_hang():
    class Exhausted:
        def complete(self, messages):
            return next(iter(()))

    with pytest.raises(LLMCallError, match="StopIteration"):
        await LogicalQueryTransformer(Exhausted(), on_failure="raise").atransform("q")


async def test_a_complete_that_is_a_coroutine_function_is_a_typed_error():
    class Wrong:
        async def complete(self, messages):
            return "x"

    with pytest.raises(LLMCallError, match="coroutine"):
        LogicalQueryTransformer(Wrong(), on_failure="raise").transform("q")


def test_a_hit_is_marked_and_does_not_ask():
    model = EchoModel()
    transformer = LogicalQueryTransformer(model)
    first, second = transformer.transform("q"), transformer.transform("q")
    assert (first.cached, second.cached, len(model.asked)) == (False, True, 1)
    assert (first.query, first.answers) == (second.query, second.answers)


def test_a_cache_tells_prompts_apart_and_questions_exactly():
    cache, model = QueryCache(), EchoModel()
    for prompt in ("default", "itlr", "{question}"):
        transformer = LogicalQueryTransformer(
            EchoModel() if prompt == "default" else ScriptedChatModel(['"a" OR "b"']), prompt=prompt, cache=cache
        )
        assert not transformer.transform("q").cached
    assert len(cache) == 3
    transformer = LogicalQueryTransformer(model, cache=cache)
    assert transformer.transform("q").cached
    assert not transformer.transform("q ").cached


def test_the_least_recently_used_goes_first():
    cache = QueryCache(2)
    a, b, c = (Transformation(q, parse(q), "llm") for q in "abc")
    for made in (a, b):
        cache.put(made, "p")
    assert cache.get("a", "p") is not None
    cache.put(c, "p")
    assert [cache.get(q, "p") is not None for q in "abc"] == [True, False, True]
    cache.put(Transformation("a", parse("other"), "llm"), "p")
    assert cache.get("a", "p").query == parse("a"), "the first answer is kept"
    cache.clear()
    assert len(cache) == 0


def test_an_answer_that_is_too_long_is_not_remembered():
    cache = QueryCache()
    cache.put(Transformation("q", parse("a"), "llm", answers=("x" * MAX_ENTRY,)), "p")
    assert cache.get("q", "p") is None


@pytest.mark.parametrize("setting", [False, 0])
def test_without_a_cache_every_question_is_asked(setting):
    model = EchoModel()
    transformer = LogicalQueryTransformer(model, cache=setting)
    assert [transformer.transform("q").cached for _ in range(3)] == [False] * 3
    assert len(model.asked) == 3


@pytest.mark.parametrize("entries", [0, -1, True, 1.5, None])
def test_a_cache_has_a_positive_size(entries):
    with pytest.raises(InvalidArgumentError, match="entries"):
        QueryCache(entries)


def test_many_threads_share_a_transformer_and_its_cache_stays_bounded():
    cache, model = QueryCache(5), EchoModel()
    transformer = LogicalQueryTransformer(model, cache=cache)
    wrong: list[Transformation] = []

    def work(seed):
        for i in range(20):
            made = transformer.transform(f"q{(i * seed) % 7}")
            if made.query != parse(f'"{made.question}" AND NOT "x"'):
                wrong.append(made)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(cache) == 5


def test_the_scripted_model_tells_when_its_script_ends():
    model = ScriptedChatModel(["a"])
    assert model.complete([{"role": "user", "content": "x"}]) == "a"
    with pytest.raises(RuntimeError, match="call 2"):
        model.complete([])
    assert model.conversations == [({"role": "user", "content": "x"},), ()]

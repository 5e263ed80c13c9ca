"""Real clients over real HTTP, ``ChatOpenAI`` and ``OpenAILike``: a local server replays answers, good and bad."""

import asyncio
import json
import time

import pytest
import pytest_asyncio
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient
from replay_server import ReplayServer, Reply
from vitamin_texts import FORM, QUERY, QUESTION

from logical_retriever import FieldInfo
from logical_retriever.errors import LLMCallError
from logical_retriever.reading import TransformWarning

PROMPT_S = 20
"""What must not hang is over after this time, on a busy machine; a reply that is meant to hang takes a minute."""
TEXTS = {"mood": ("vitamin D benefits for mood", {}), "calcium": ("calcium and bone health", {})}
NEVER = Reply("too late", delay_s=60)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest_asyncio.fixture
async def serve(framework):
    """Replies -> the server, and a transformer that asks it through the real client."""
    servers = []
    with DefaultHttpxClient() as http:
        async with DefaultAsyncHttpxClient() as ahttp:

            def serve(*replies, on_failure="raise", fields=None, **client):
                servers.append(server := ReplayServer(replies))
                server.__enter__()
                settings = {"timeout": 10, "max_retries": 0, **client}
                llm = framework.client(server.base_url, http, ahttp, **settings)
                return server, framework.package.LogicalQueryTransformer(
                    llm, on_failure=on_failure, cache=0, fields=fields
                )

            yield serve
    for server in servers:
        server.__exit__(None, None, None)


@pytest.fixture(params=["sync", "async"])
def ask(request, framework):
    """A question, as a coroutine whatever the path."""

    async def ask(transformer, question=QUESTION):
        if request.param == "sync":
            return framework.transform(transformer, question)
        return await framework.atransform(transformer, question)

    return ask


@pytest.fixture
def in_time():
    """Nothing hangs: the time of the block is bounded."""
    started = time.monotonic()
    yield
    assert time.monotonic() - started < PROMPT_S


async def arrived(server, number):
    """Wait until the server has seen so many requests: a call that never left needs no hanging up."""
    while len(server.requests) < number:
        await asyncio.sleep(0.01)


async def test_a_malformed_answer_is_repaired_in_the_same_conversation(serve, ask):
    server, transformer = serve('"vitamin D benefits" AND NOT', f"Query: {QUERY}")
    assert str((await ask(transformer)).query) == QUERY
    assert server.requests[0]["model"] == "replayed"
    assert QUESTION in server.requests[0]["messages"][1]["content"]
    roles = [message["role"] for message in server.requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "NOT has nothing" in server.requests[1]["messages"][3]["content"]


async def test_a_form_is_offered_and_read(serve, ask, framework):
    server, transformer = serve(json.dumps(FORM), **framework.fills_forms)
    assert str((await ask(transformer)).query) == QUERY
    assert "alternatives" in json.dumps(server.requests[0][framework.form])


async def test_a_server_without_forms_is_asked_for_text(serve, ask, framework):
    server, transformer = serve(Reply("not supported", status=400), QUERY, **framework.fills_forms)
    assert str((await ask(transformer)).query) == QUERY
    assert [framework.form in request for request in server.requests] == [True, False]


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (Reply("Overloaded.", status=500), "Overloaded"),
        (Reply("Bad key.", status=401), "Bad key"),
        (Reply("x" * 1000, cut_off=True), "onnection"),
        (NEVER, "imed out"),
    ],
    ids=["500", "401", "cut off", "slow"],
)
async def test_a_server_that_keeps_failing_is_a_typed_error(serve, ask, in_time, failure, said):
    server, transformer = serve(failure, timeout=0.3 if failure is NEVER else 10)
    with pytest.raises(LLMCallError, match=said) as caught:
        await ask(transformer)
    assert type(caught.value.__cause__).__module__.split(".")[0] in ("openai", "langchain_openai")
    assert len(server.requests) == 1, "a failed call is not a malformed answer: the model is not asked to repair"


async def test_a_model_that_fails_does_not_fail_the_search(serve, framework, hashing, in_time):
    for failure in (Reply("Overloaded.", status=500), NEVER):
        _, transformer = serve(failure, on_failure="dense", timeout=0.3)
        retriever = framework.package.LogicalRetriever(framework.store(TEXTS, hashing), transformer=transformer)
        with pytest.warns(TransformWarning, match="plain question"):
            assert next(iter(await framework.aask(retriever, "calcium and bone health"))) == "calcium"


async def test_a_late_model_leaves_the_reading_of_the_tagger(serve, framework, hashing, in_time):
    fields = [FieldInfo("topic", "string")]  # so that the model is always asked
    _, llm = serve(NEVER, on_failure="dense", fields=fields, timeout=0.3)
    retriever = framework.package.LogicalRetriever(framework.store(TEXTS, hashing), llm=llm)
    with pytest.warns(TransformWarning, match="imed out"):
        assert next(iter(await framework.aask(retriever, QUESTION))) == "mood"


@pytest.mark.parametrize("on_failure", ["raise", "dense"])
async def test_cancellation_is_prompt_and_reaches_the_server(serve, framework, hashing, in_time, on_failure):
    """A cancelled call is not a failed one: no fallback, no retry, and the connection is closed."""
    server, transformer = serve(NEVER, NEVER, timeout=60, max_retries=5, on_failure=on_failure)
    retriever = framework.package.LogicalRetriever(framework.store(TEXTS, hashing), transformer=transformer)
    for number, call in enumerate((framework.atransform, framework.aask), start=1):
        task = asyncio.ensure_future(call(transformer if number == 1 else retriever, QUESTION))
        await arrived(server, number)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(task, timeout=0.05)
        assert task.cancelled()
        assert await asyncio.to_thread(server.wait_for_hang_up, PROMPT_S)
    assert len(server.requests) == 2

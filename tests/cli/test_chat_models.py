"""Chat models by name: one HTTP client for all providers that speak OpenAI's language."""

import json

import pytest
from replay_server import ReplayServer, Reply

from logical_retriever.errors import LLMCallError
from logical_retriever.reading import LogicalQueryTransformer
from logical_retriever.reading.chat_models import PROVIDERS, chat_model_from_name

QUESTION = "What is vitamin D good for, other than bones?"
UNSURE = '"vitamin D" AND NOT "bones" AND'
ANSWER = '"what vitamin D is good for" AND NOT "bones"'


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_provider_and_its_key(provider, monkeypatch):
    variable = PROVIDERS[provider][1]
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    if variable:
        monkeypatch.delenv(variable, raising=False)
        with pytest.raises(LLMCallError, match="needs a key") as caught:
            chat_model_from_name(f"{provider}:x")
        assert variable in caught.value.hint
        monkeypatch.setenv(variable, "secret")
    assert chat_model_from_name(f" {provider.upper()}:ft:gpt:7 ").model_name == f"{provider}:ft:gpt:7"


def test_a_model_that_cannot_be_had_is_said_before_anything_is_encoded(run, encoder, corpus, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for command in (["ask", QUESTION, "--llm"], ["ask", QUESTION, "--verify"], ["serve", "--verify"]):
        for name, problem in (("openai:gpt-4o-mini", "Set OPENAI_API_KEY"), ("openai:", "PROVIDER:MODEL")):
            result = run(*command, name, "--corpus", corpus)
            assert result.exit_code != 0
            assert problem in result.stderr
    assert encoder.loaded == []


@pytest.fixture
def served(monkeypatch):
    """Replies -> a server, and the command line's model, a client of it."""
    servers = []

    def served(*replies):
        servers.append(server := ReplayServer(replies))
        server.__enter__()
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        return server, chat_model_from_name("openai:replayed")

    yield served
    for server in servers:
        server.__exit__(None, None, None)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_question_and_its_answer(served, asynchronous):
    server, model = served(ANSWER)
    transformer = LogicalQueryTransformer(model, on_failure="raise")
    made = await transformer.atransform(QUESTION) if asynchronous else transformer.transform(QUESTION)
    assert str(made.query) == ANSWER
    [request] = server.requests
    assert request["model"] == "replayed"
    assert QUESTION in request["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply("Overloaded.", status=500), "500.*Overloaded"),
        (Reply("Bad key.", status=401), "401.*Bad key"),
        (Reply("x" * 100, cut_off=True), "Incomplete|JSON"),
        ("", "answered nothing"),
    ],
)
def test_a_server_that_fails(served, reply, problem):
    server, model = served(reply)
    with pytest.raises(LLMCallError, match=problem):
        LogicalQueryTransformer(model, on_failure="raise").transform(QUESTION)
    assert len(server.requests) == 1


@pytest.mark.parametrize(("answer", "method"), [('"vitamin D" AND NOT "bones"', "llm"), ("AND AND", "tagger")])
def test_ask_with_a_model(run, encoder, corpus, served, answer, method):
    served(answer, answer)
    result = run("ask", UNSURE, "--corpus", corpus, "--llm", "openai:x", "--json")
    told = json.loads(result.stdout)
    assert told["method"] == method
    assert ("Warning: " in result.stderr) == (method == "tagger")
    if method == "llm":
        assert told["logical_query"] == answer


def test_ask_has_a_model_read_what_would_be_shown(run, encoder, corpus, served):
    command = ("ask", "vitamin D, excluding infections", "--corpus", corpus, "--k", 3, "--json")
    first, second = (
        [{"number": number, "state": state, "about": state == "has"} for number, state in enumerate(states, start=1)]
        for states in (["has"] * 3, ["absent"])
    )
    server, _ = served(json.dumps({"verdicts": first}), json.dumps({"verdicts": second}))
    told = json.loads(run(*command, "--verify", "openai:x").stdout)
    assert [document["id"] for document in told["documents"]] == ["jazz"]
    assert told["second_opinion"]["calls"] == len(server.requests) == 2

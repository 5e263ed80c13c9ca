"""Chat models by name: LangChain's own models behind the one method that the transformer asks for."""

import asyncio
import json
import sys
import types

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from replay_server import ReplayServer, Reply

from logical_retriever.errors import InvalidArgumentError, LLMCallError, MissingPackageError
from logical_retriever.transform import LogicalQueryTransformer
from logical_retriever.transform.chat_models import chat_model_from_name

QUESTION = "What is vitamin D good for, other than bones?"
UNSURE = '"vitamin D" AND NOT'
FORM = {"alternatives": [{"all_of": ["what vitamin D is good for"], "none_of": ["bones"]}]}
ANSWER = '"what vitamin D is good for" AND NOT "bones"'


@pytest.fixture
def without_langchain(monkeypatch):
    monkeypatch.setitem(sys.modules, "langchain", None)
    monkeypatch.delitem(sys.modules, "langchain.chat_models", raising=False)


@pytest.fixture
def langchain(monkeypatch):
    """``langchain.chat_models`` whose ``init_chat_model`` the test sets; the models are LangChain's."""
    chat_models = types.ModuleType("langchain.chat_models")
    monkeypatch.setitem(sys.modules, "langchain", types.ModuleType("langchain"))
    monkeypatch.setitem(sys.modules, "langchain.chat_models", chat_models)
    return chat_models


@pytest.mark.parametrize("name", ["foo", "", ":", "openai:", ":gpt", "openai: "])
def test_a_name_of_another_form(name):
    with pytest.raises(InvalidArgumentError, match="not of the form PROVIDER:MODEL"):
        chat_model_from_name(name)


@pytest.mark.parametrize(
    ("name", "install"),
    [
        ("openai:gpt-4o-mini", "pip install langchain langchain-openai"),
        ("Google-GenAI:gemini", "pip install langchain langchain-google-genai"),
        ("bedrock_mantle_openai:x", 'pip install langchain "langchain-aws[openai]"'),
        ("unheard_of:x", "pip install langchain"),
    ],
)
def test_without_langchain_both_packages_are_named(without_langchain, name, install):
    with pytest.raises(MissingPackageError) as caught:
        chat_model_from_name(name)
    assert caught.value.install == install
    assert repr(name) in caught.value.message


def test_on_the_command_line(run, encoder, corpus, without_langchain):
    result = run("ask", QUESTION, "--corpus", corpus, "--llm", "openai:gpt-4o-mini")
    assert result.exit_code == 2
    assert "Run: pip install langchain langchain-openai" in result.stderr
    assert encoder.loaded == []


def test_without_the_providers_package_that_is_named(langchain):
    def init_chat_model(model, *, model_provider):
        raise ImportError(f"Initializing ChatX requires the langchain-{model_provider} package.")

    langchain.init_chat_model = init_chat_model
    with pytest.raises(MissingPackageError) as caught:
        chat_model_from_name("ollama:llama3.1")
    assert caught.value.install == "pip install langchain-ollama"
    with pytest.raises(MissingPackageError, match="requires the langchain-newest package"):
        chat_model_from_name("newest:x")


def test_an_unknown_provider_and_one_that_cannot_be_set_up(langchain):
    def init_chat_model(model, *, model_provider):
        raise ValueError(f"Unsupported provider='{model_provider}'.")

    langchain.init_chat_model = init_chat_model
    with pytest.raises(InvalidArgumentError, match="no provider 'opnai'") as caught:
        chat_model_from_name("opnai:x")
    assert "Did you mean 'openai'?" in caught.value.hint
    with pytest.raises(LLMCallError, match="could not be set up: ValueError"):
        chat_model_from_name("openai:x")


def test_a_langchain_model_answers(langchain):
    asked = []

    def init_chat_model(model, *, model_provider):
        asked.append((model_provider, model))
        blocks = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "in blocks"}]
        return GenericFakeChatModel(messages=iter([AIMessage("plain"), AIMessage(blocks), AIMessage("async")]))

    langchain.init_chat_model = init_chat_model
    model = chat_model_from_name(" Azure-OpenAI:ft:gpt:7 ")
    assert asked == [("azure_openai", "ft:gpt:7")]
    assert model.model_name == "azure_openai:ft:gpt:7"
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    assert model.complete(messages) == "plain"
    assert model.complete(messages) == "in blocks"
    assert asyncio.run(model.acomplete(messages)) == "async"


@pytest.mark.parametrize(("answer", "method"), [('"vitamin D" AND NOT "skelettet"', "llm"), ("AND AND", "tagger")])
def test_ask_with_a_model(run, encoder, corpus, langchain, answer, method):
    langchain.init_chat_model = lambda model, *, model_provider: GenericFakeChatModel(
        messages=iter([AIMessage(answer), AIMessage(answer)])
    )
    result = run("ask", UNSURE, "--corpus", corpus, "--llm", "openai:x", "--json")
    told = json.loads(result.stdout)
    assert told["method"] == method
    assert ("Warning: " in result.stderr) == (method == "tagger")
    if method == "llm":
        assert told["logical_query"] == answer


def test_ask_asks_no_model_for_what_the_tagger_is_sure_of(run, encoder, corpus, langchain):
    langchain.init_chat_model = lambda model, *, model_provider: GenericFakeChatModel(messages=iter([]))
    result = run("ask", QUESTION, "--corpus", corpus, "--llm", "openai:x", "--json")
    assert (json.loads(result.stdout)["method"], result.stderr) == ("tagger", "")


@pytest.fixture
def served(langchain, monkeypatch):
    """Replies -> a server, and the command line's model, a real client of it."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    servers = []

    def served(*replies):
        servers.append(server := ReplayServer(replies))
        server.__enter__()
        langchain.init_chat_model = lambda model, *, model_provider: ChatOpenAI(
            model=model, api_key="none", base_url=server.base_url, max_retries=0, timeout=10
        )
        return server, chat_model_from_name("openai:replayed")

    yield served
    for server in servers:
        server.__exit__(None, None, None)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_server_that_fills_forms_is_sent_one(served, asynchronous):
    server, model = served(json.dumps(FORM))
    transformer = LogicalQueryTransformer(model, on_failure="raise")
    made = asyncio.run(transformer.atransform(QUESTION)) if asynchronous else transformer.transform(QUESTION)
    assert str(made.query) == ANSWER
    [request] = server.requests
    assert "alternatives" in request["response_format"]["json_schema"]["schema"]["properties"]


def test_a_server_that_refuses_forms_is_asked_for_text_from_then_on(served):
    server, model = served(Reply("response_format is not supported", status=400), ANSWER, ANSWER)
    transformer = LogicalQueryTransformer(model, on_failure="raise", cache=False)
    assert [str(transformer.transform(QUESTION).query) for _ in range(2)] == [ANSWER] * 2
    assert ["response_format" in request for request in server.requests] == [True, False, False]


def test_a_server_that_fails_is_not_taken_for_one_that_refuses_forms(served):
    _, model = served(Reply("Overloaded.", status=500))
    with pytest.raises(LLMCallError):
        LogicalQueryTransformer(model, on_failure="raise").transform(QUESTION)
    assert model.structured


def test_ask_has_a_model_look_at_passages_in_doubt(run, encoder, corpus, served):
    server, _ = served(json.dumps({"verdicts": [{"number": 1, "label": "not"}, {"number": 2, "label": "about"}]}))
    command = ("ask", "vitamin D, excluding infections", "--corpus", corpus, "--k", 3, "--json")
    told = json.loads(run(*command, "--verify", "openai:x").stdout)
    assert {document["id"] for document in told["documents"]} == {"bone", "mood", "jazz"}
    assert told["second_opinion"]["calls"] == len(server.requests) == 1
    assert "cold" in {document["id"] for document in json.loads(run(*command).stdout)["documents"]}


def test_ask_never_shows_what_is_always_excluded(run, encoder, corpus):
    never = ("--always-exclude", "colds", "--always-exclude", "Miles Davis")
    result = run("ask", "vitamin D", "--corpus", corpus, *never, "--json")
    assert {document["id"] for document in json.loads(result.stdout)["documents"]} == {"bone", "mood"}


@pytest.mark.parametrize("command", ["ask", "serve"])
def test_a_verifier_that_cannot_be_had_is_said_before_anything_is_encoded(run, encoder, corpus, command):
    question = ["vitamin D"] if command == "ask" else []
    result = run(command, *question, "--corpus", corpus, "--verify", "openai:")
    assert result.exit_code == 2
    assert "is not of the form PROVIDER:MODEL" in result.stderr
    assert encoder.loaded == []

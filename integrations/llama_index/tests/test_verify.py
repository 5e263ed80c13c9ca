"""LlamaIndex' LLMs as verifiers, and standing exclusions: in the retriever, the postprocessor and the tool."""

import json
from functools import partial

import pytest
from llama_index.llms.openai_like import OpenAILike
from replay_server import ReplayServer
from verifying import judged, pairs_in

from llama_index.retrievers.logical import (
    ChatVerifier,
    LogicalPostprocessor,
    LogicalRetriever,
    create_logical_search_tool,
)
from logical_retriever.errors import InvalidArgumentError

QUESTION = "vitamin D benefits other than health"
QUERY = '"vitamin D benefits" AND NOT "health"'
OF_BONE_HEALTH = ("health", "vitamin D benefits for bone health")
OF_BONES = partial(judged, word="bone")


def asked(llm):
    return [pairs_in(prompt) for prompt in llm.prompts]


@pytest.fixture(params=["sync", "async"])
def retrieve(request, names):
    async def retrieve(retriever, question=QUESTION):
        return names(retriever.retrieve(question) if request.param == "sync" else await retriever.aretrieve(question))

    return retrieve


@pytest.fixture(params=["sync", "async"])
def last_stage(request, names, simple_index):
    """What a postprocessor makes of all nodes, in the order of a plain retriever."""
    nodes = simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)

    async def last_stage(postprocessor, question=QUESTION):
        if request.param == "sync":
            return names(postprocessor.postprocess_nodes(nodes, query_str=question))
        return names(await postprocessor.apostprocess_nodes(nodes, query_str=question))

    return last_stage


async def test_an_llm_itself_is_the_verifier_and_reads_what_would_be_shown(simple_index, scripted, retrieve):
    llm = scripted(OF_BONES)
    assert "bone" in await retrieve(LogicalRetriever.from_index(simple_index, similarity_top_k=3))
    retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=3, verify=llm)
    assert "bone" not in await retrieve(retriever)
    assert OF_BONE_HEALTH in asked(llm)[0]
    await retrieve(retriever, "vitamin D benefits")
    assert len(llm.prompts) <= 2


async def test_true_is_the_retrievers_own_llm(simple_index, scripted, retrieve):
    llm = scripted(OF_BONES, OF_BONES)
    retriever = LogicalRetriever.from_index(simple_index, llm=llm, similarity_top_k=3, verify=True)
    assert "bone" not in await retrieve(retriever, QUERY)
    assert OF_BONE_HEALTH in asked(llm)[0]
    with pytest.raises(InvalidArgumentError, match="verify=True needs a language model"):
        LogicalRetriever.from_index(simple_index, verify=True)


async def test_a_call_brings_its_own_verifier_and_exclusions(simple_index, scripted, names):
    retriever, llm = LogicalRetriever.from_index(simple_index, always_exclude=["mood"]), scripted(OF_BONES, OF_BONES)
    for found in (
        retriever.retrieve(QUERY, verify=llm, always_exclude=["coffee"]),
        await retriever.aretrieve(QUERY, verify=llm, always_exclude=["coffee"]),
    ):
        assert not {"bone", "mood", "coffee"} & set(names(found))
    assert 2 <= len(llm.prompts) <= 4


def test_a_real_client_is_asked_over_http(simple_index, names, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ReplayServer(["1: not\n2: not\n3: about", "1: not"]) as server:
        llm = OpenAILike(model="m", is_chat_model=True, api_key="none", api_base=server.base_url, max_retries=0)
        retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=3, verify=ChatVerifier(llm))
        assert "bone" not in names(retriever.retrieve(QUESTION))
    first = server.requests[0]["messages"][-1]["content"].splitlines()
    assert [json.loads(line)["topic"] for line in first] == ["health"] * 3


def test_an_agents_tool_asks_the_verifier(simple_index, scripted):
    llm = scripted(OF_BONES)
    tool = create_logical_search_tool(LogicalRetriever.from_index(simple_index, verify=llm, always_exclude=["mood"]))
    said = str(tool.call(all_of=["vitamin D benefits"], none_of=["health"]))
    assert "for immunity" in said
    assert "for bone health" not in said
    assert 'about "mood", which is never shown' in said


async def test_a_postprocessor_verifies_what_was_found(simple_index, scripted, last_stage):
    llm = scripted(OF_BONES)
    assert "bone" in await last_stage(LogicalPostprocessor(simple_index))
    assert "bone" not in await last_stage(LogicalPostprocessor(simple_index, verify=llm))
    assert OF_BONE_HEALTH in asked(llm)[0]


async def test_a_postprocessor_never_lets_through_what_is_always_excluded(simple_index, last_stage):
    postprocessor = LogicalPostprocessor(simple_index, always_exclude=["mood"])
    for question in ("vitamin D benefits", "vitamin D for mood", QUESTION):
        found = await last_stage(postprocessor, question)
        assert "mood" not in found
        assert "immune" in found
    assert await last_stage(postprocessor, "mood") == []


async def test_a_postprocessor_without_logic_asks_nobody(simple_index, scripted, last_stage):
    llm = scripted()
    found = await last_stage(LogicalPostprocessor(simple_index, verify=llm), "vitamin D benefits")
    assert len(found) == 6

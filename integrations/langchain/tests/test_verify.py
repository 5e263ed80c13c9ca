"""LangChain's chat models as verifiers, and standing exclusions: in the retriever, the compressor and the tool."""

import copy
from functools import partial

import pytest
from langchain_core.runnables import RunnableLambda
from verifying import judged, pairs_in

from langchain_logical_retriever import (
    LogicalCompressor,
    LogicalQueryTransformer,
    LogicalRetriever,
    create_logical_search_tool,
)
from langchain_logical_retriever.chat_model import LangChainChatModel
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.verify import ChatVerifier

QUESTION = "vitamin D benefits other than health"
OF_BONE_HEALTH = ("health", "vitamin D benefits for bone health")
OF_BONES = partial(judged, word="bone")


def ids(documents):
    return [document.id for document in documents]


def asked(model):
    return [pairs_in(str(messages[-1].content)) for messages in model.asked]


@pytest.fixture(params=["sync", "async"])
def way(request):
    return request.param


@pytest.fixture
def ask(way):
    async def ask(retriever, question=QUESTION, **settings):
        call = retriever.invoke if way == "sync" else retriever.ainvoke
        return call(question, **settings) if way == "sync" else await call(question, **settings)

    return ask


async def test_a_chat_model_itself_is_the_verifier_and_reads_what_would_be_shown(in_memory, model, ask, way):
    llm = model(OF_BONES)
    retriever = LogicalRetriever(vectorstore=in_memory, k=3, verify=llm)
    assert "bone" in ids(await ask(retriever, verify=False))
    assert llm.asked == []
    assert "bone" not in ids(await ask(retriever))
    assert OF_BONE_HEALTH in asked(llm)[0]
    assert set(llm.ways) == {way}
    assert await ask(retriever, "vitamin D benefits") == await ask(retriever, "vitamin D benefits", verify=False)
    assert len(llm.asked) <= 2


async def test_true_is_the_retrievers_own_model(in_memory, model, ask):
    llm = model(OF_BONES)
    for retriever in (
        LogicalRetriever.from_vectorstore(in_memory, llm=llm, k=3, verify=True),
        LogicalRetriever(in_memory, LogicalQueryTransformer(llm), k=3, verify=True),
    ):
        assert "bone" not in ids(await ask(retriever, '"vitamin D benefits" AND NOT "health"'))
        assert OF_BONE_HEALTH in asked(llm)[-2]
    with pytest.raises(InvalidArgumentError, match="verify=True needs a language model"):
        LogicalRetriever.from_vectorstore(in_memory, verify=True)


async def test_a_call_brings_its_own_verifier_and_exclusions(in_memory, model, ask):
    retriever, llm = LogicalRetriever(vectorstore=in_memory, k=3, always_exclude=["mood"]), model(OF_BONES)
    found = await ask(retriever, verify=llm, always_exclude=["coffee"])
    assert not {"bone", "mood", "coffee"} & set(ids(found))
    assert {term for term, _ in asked(llm)[0]} >= {"health"}
    assert "mood" not in ids(await ask(retriever, "vitamin D mood", always_exclude=[]))


async def test_any_runnable_and_a_verifier_itself(in_memory, model, ask):
    llm = model(OF_BONES)
    chain = llm | RunnableLambda(lambda message: message.content)
    for verify in (chain, ChatVerifier(LangChainChatModel(llm))):
        assert "bone" not in ids(await ask(LogicalRetriever(vectorstore=in_memory, k=3, verify=verify)))
    assert OF_BONE_HEALTH in asked(llm)[0]


async def test_an_agents_tool_asks_the_verifier(in_memory, model, way):
    llm = model(OF_BONES)
    tool = create_logical_search_tool(LogicalRetriever(vectorstore=in_memory, verify=llm, always_exclude=["mood"]))
    call = {"all_of": ["vitamin D benefits"], "none_of": ["health"]}
    said = tool.invoke(call) if way == "sync" else await tool.ainvoke(call)
    assert "for immunity" in said
    assert "for bone health" not in said
    assert 'about "mood", which is never shown' in said
    assert llm.ways == [way]


async def test_a_compressor_verifies_what_was_found(in_memory, documents, model, way):
    async def kept(**settings):
        compressor = LogicalCompressor(in_memory, **settings)
        if way == "sync":
            return ids(compressor.compress_documents(documents, QUESTION))
        return ids(await compressor.acompress_documents(documents, QUESTION))

    llm = model(OF_BONES)
    assert "bone" in await kept()
    assert "bone" not in await kept(verify=llm, exclusion="drop")
    assert OF_BONE_HEALTH in asked(llm)[0]
    assert set(llm.ways) == {way}


async def test_a_compressor_never_lets_through_what_is_always_excluded(in_memory, documents, model, way):
    compressor = LogicalCompressor(vectorstore=in_memory, always_exclude=["mood"])
    for question in ("vitamin D benefits", "vitamin D for mood", QUESTION):
        if way == "sync":
            found = compressor.compress_documents(documents, question)
        else:
            found = await compressor.acompress_documents(documents, question)
        assert "mood" not in ids(found)
        assert "immune" in ids(found)
    assert compressor.compress_documents(documents, "mood") == []


def test_a_compressor_without_logic_asks_nobody_and_keeps_the_order(in_memory, documents, model):
    llm = model(OF_BONES)
    compressor = LogicalCompressor(vectorstore=in_memory, verify=llm, exclusion="drop")
    assert ids(compressor.compress_documents(documents, "vitamin D benefits")) == ids(documents)
    assert llm.asked == []


def test_copies_share_the_verifier(in_memory, model):
    llm = model(OF_BONES)
    retriever = LogicalRetriever(vectorstore=in_memory, k=3, verify=llm)
    for other in (retriever.model_copy(), copy.copy(retriever), retriever.with_config(tags=["a"])):
        assert "bone" not in ids(other.invoke(QUESTION))
    assert sum(OF_BONE_HEALTH in pairs for pairs in asked(llm)) == 3


@pytest.mark.parametrize("bad", [{"verify": 3}, {"verify": ChatVerifier}, {"always_exclude": "mood"}])
def test_what_is_no_verifier_is_refused(in_memory, bad):
    for kind in (LogicalRetriever, LogicalCompressor):
        with pytest.raises(InvalidArgumentError):
            kind(vectorstore=in_memory, **bad)
    with pytest.raises(InvalidArgumentError):
        LogicalRetriever(vectorstore=in_memory).invoke(QUESTION, **bad)

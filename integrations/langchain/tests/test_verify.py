"""Verifiers of LangChain's own kinds; what both frameworks have is tested in tests/frameworks."""

import copy

from langchain_core.runnables import RunnableLambda
from verifying import judged, pairs_in

from langchain_logical_retriever import LogicalRetriever
from langchain_logical_retriever.chat_model import LangChainChatModel
from logical_retriever.reading.passages import ChatVerifier

QUESTION = "vitamin D benefits other than skeletons"
OF_BONE_HEALTH = ("skeletons", "vitamin D benefits for bone health")


def ids(documents):
    return [document.id for document in documents]


def asked(model):
    return [pairs_in(str(messages[-1].content)) for messages in model.asked]


async def test_any_runnable_and_a_verifier_itself(in_memory, model, ask):
    llm = model(judged)
    chain = llm | RunnableLambda(lambda message: message.content)
    for verify in (chain, ChatVerifier(LangChainChatModel(llm))):
        assert "bone" not in ids(await ask(LogicalRetriever(vectorstore=in_memory, k=3, verify=verify), QUESTION))
    assert OF_BONE_HEALTH in asked(llm)[0]


def test_copies_share_the_verifier(in_memory, model):
    llm = model(judged)
    retriever = LogicalRetriever(vectorstore=in_memory, k=3, verify=llm)
    for other in (retriever.model_copy(), copy.copy(retriever), retriever.with_config(tags=["a"])):
        assert "bone" not in ids(other.invoke(QUESTION))
    assert sum(OF_BONE_HEALTH in pairs for pairs in asked(llm)) == 3

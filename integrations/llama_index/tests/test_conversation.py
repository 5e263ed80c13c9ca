"""A chat's own message list as history: the follow-up is read with it in one call of the LLM."""

import asyncio

import pytest
from llama_index.core.llms import ChatMessage, MessageRole
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.schema import QueryBundle

from llama_index.retrievers.logical import LlamaIndexChatModel, LogicalQueryBundle, LogicalRetriever, QuestionReader
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.transform.forms import form_class

HISTORY = [
    ChatMessage("You are a helpful bot.", role=MessageRole.SYSTEM),
    ChatMessage("What does vitamin D do?", role=MessageRole.USER),
    ChatMessage("It helps the mood, the bones and more.", role=MessageRole.ASSISTANT),
]
FOLLOW_UP = "and not the bone health?"
STANDALONE = "What does vitamin D do, bone health aside?"
QUERY = '"vitamin D benefits" AND NOT "bone health"'
ANSWER = f"Question: {STANDALONE}\nQuery: {QUERY}"


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_follow_up_is_read_with_the_conversation(scripted, asynchronous):
    llm = scripted(ANSWER)
    reader = QuestionReader(llm)
    if asynchronous:
        made = asyncio.run(reader.atransform(FOLLOW_UP, history=HISTORY))
    else:
        made = reader.transform(FOLLOW_UP, history=HISTORY)
    assert (str(made.query), made.standalone) == (QUERY, STANDALONE)
    [prompt] = llm.prompts
    assert "user: What does vitamin D do?\nassistant: It helps the mood" in prompt
    assert "helpful bot" not in prompt


def test_a_query_transform_takes_it_as_metadata_and_the_retriever_its_bundle(simple_index, scripted, names):
    bundle = QuestionReader(scripted(ANSWER)).run(QueryBundle(FOLLOW_UP), metadata={"history": HISTORY})
    assert bundle.query_str == STANDALONE
    nodes = LogicalRetriever.from_index(simple_index, similarity_top_k=2).retrieve(bundle)
    assert set(names(nodes)) == {"mood", "immune"}


def test_an_llm_that_calls_functions_is_offered_the_form_with_the_question():
    offered = []

    class Offered(MockFunctionCallingLLM):
        def chat_with_tools(self, tools, **kwargs):
            offered.append(tools[0].metadata.fn_schema.model_json_schema())
            return super().chat_with_tools(tools, **kwargs)

    model = LlamaIndexChatModel(Offered(is_chat_model=True))
    for in_conversation in (False, True):
        form = form_class(in_conversation, False)
        model.complete_structured([{"role": "user", "content": "tea"}], form)
    assert [sorted(one["required"]) for one in offered] == [["alternatives"], ["alternatives", "question"]]


async def test_a_retriever_takes_the_messages_of_the_call(simple_index, scripted, names):
    llm = scripted(ANSWER, ANSWER)
    retriever = LogicalRetriever.from_index(simple_index, transformer=QuestionReader(llm), similarity_top_k=2)
    for nodes in (
        retriever.retrieve(FOLLOW_UP, history=HISTORY),
        await retriever.aretrieve(FOLLOW_UP, history=HISTORY),
    ):
        assert set(names(nodes)) == {"mood", "immune"}
    assert str(retriever.explain(FOLLOW_UP, history=HISTORY).transformation.query) == QUERY
    with pytest.raises(InvalidArgumentError, match="history"):
        retriever.retrieve(FOLLOW_UP, history="What does vitamin D do?")


@pytest.mark.parametrize("history", [HISTORY, [{"role": "user", "content": "What does vitamin D do?"}]])
def test_a_follow_up_that_only_excludes_needs_no_model(simple_index, names, history):
    retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=6)
    question = "and not bone health"
    assert "bone" in names(retriever.retrieve("What does vitamin D do?", exclusion="rank"))
    nodes = retriever.retrieve(question, history=history)
    assert "bone" not in names(nodes)
    assert nodes
    bundle = LogicalQueryBundle(query_str=question, history=history)
    assert names(retriever.retrieve(bundle)) == names(nodes)

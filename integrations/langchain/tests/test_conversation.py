"""A chain's own message list as history: the follow-up is read with it in one call of the chat model."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_logical_retriever import LogicalRetriever, QuestionReader
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.transform import RecordedQueryTransformer

HISTORY = [
    SystemMessage("You are a helpful bot."),
    HumanMessage("What does vitamin D do?"),
    AIMessage("It helps the mood, the bones and more."),
    ToolMessage("found", tool_call_id="1"),
]
FOLLOW_UP = "and not the bone health?"
QUERY = '"vitamin D benefits" AND NOT "bone health"'
ANSWER = f"Question: What does vitamin D do, bone health aside?\nQuery: {QUERY}"


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_the_retriever_reads_a_follow_up_with_the_conversation(vectorstore, model, asynchronous):
    llm = model(ANSWER)
    retriever = LogicalRetriever.from_vectorstore(vectorstore, llm=llm, k=2)
    if asynchronous:
        found = await retriever.ainvoke(FOLLOW_UP, None, history=HISTORY)
    else:
        found = retriever.invoke(FOLLOW_UP, None, history=HISTORY)
    assert {document.id for document in found} == {"mood", "immune"}
    assert found[0].metadata["logical_query"] == QUERY
    [asked] = llm.asked
    assert "user: What does vitamin D do?\nassistant: It helps the mood" in asked[-1].content
    assert "helpful bot" not in str(asked)


async def test_the_reader_says_what_the_question_is_in_words_that_stand_alone(model):
    reader = QuestionReader(llm=model(ANSWER))
    made = reader.get_transformation(FOLLOW_UP, history=HISTORY)
    assert (made.question, made.standalone) == (FOLLOW_UP, "What does vitamin D do, bone health aside?")
    assert await reader.aget_transformation(FOLLOW_UP, history=HISTORY) == reader.get_transformation(
        FOLLOW_UP, history=HISTORY
    )
    assert str(reader.invoke(FOLLOW_UP, history=HISTORY)) == QUERY
    assert str(await reader.ainvoke(FOLLOW_UP, history=[{"role": "user", "content": "vitamin D?"}])) == QUERY


def test_without_a_model_or_a_conversation_the_question_is_read_as_it_stands(in_memory):
    retriever = LogicalRetriever.from_vectorstore(in_memory, k=1)
    question = "vitamin D benefits, excluding bone health"
    assert retriever.invoke(question, None, history=HISTORY) == retriever.invoke(question)


def test_a_transformer_that_reads_each_question_for_itself_says_so(in_memory, model):
    for transformer in (RecordedQueryTransformer({}), model("x") | (lambda message: message.text)):
        retriever = LogicalRetriever.from_vectorstore(in_memory, transformer=transformer)
        with pytest.raises(InvalidArgumentError, match="reads each question for itself"):
            retriever.invoke(FOLLOW_UP, None, history=HISTORY)

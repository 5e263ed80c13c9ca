"""The transformer as a Runnable over chat models of every kind."""

import pytest
from langchain_core.language_models import FakeListChatModel, FakeListLLM, GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import ConfigurableField, RunnableLambda

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, LLMAnswerError, LLMCallError
from logical_retriever.query import parse

QUESTION = "green tea without {caffeine}"
QUERY = parse('"green tea" AND NOT "caffeine"')


@pytest.mark.parametrize(
    "llm",
    [
        FakeListChatModel(responses=[str(QUERY)]),
        FakeListLLM(responses=[str(QUERY)]),
        FakeListChatModel(responses=[str(QUERY)]) | StrOutputParser(),
        RunnableLambda(lambda messages: str(QUERY)),
        FakeListChatModel(responses=[f"```\nQuery: {QUERY}\n```"]),
    ],
    ids=["chat", "text", "chain", "lambda", "fenced"],
)
async def test_any_model_will_do(llm):
    transformer = LogicalQueryTransformer(llm=llm, cache=0)
    assert transformer.invoke(QUESTION) == QUERY
    assert await transformer.ainvoke(QUESTION) == QUERY
    assert transformer.batch([QUESTION, QUESTION]) == [QUERY, QUERY]
    assert await transformer.abatch([QUESTION, QUESTION]) == [QUERY, QUERY]


def test_blocks_that_are_not_text_are_no_part_of_the_answer():
    blocks = [{"type": "reasoning", "reasoning": '"caffeine"'}, {"type": "text", "text": str(QUERY)}]
    llm = GenericFakeChatModel(messages=iter([AIMessage(content=blocks)]))
    assert LogicalQueryTransformer(llm=llm).invoke(QUESTION) == QUERY


def test_messages_keep_roles_and_braces(model):
    llm = model("not a query ((", str(QUERY))
    transformer = LogicalQueryTransformer(llm=llm, prompt="[system]\nBe brief.\n[user]\nQuestion: {question}")
    assert transformer.invoke(QUESTION) == QUERY
    first, second = llm.asked
    assert [type(message) for message in first] == [SystemMessage, HumanMessage]
    assert QUESTION in first[1].text
    assert second[: len(first)] == first
    assert [type(message) for message in second[len(first) :]] == [AIMessage, HumanMessage]


async def test_composes(in_memory, model):
    retriever = LogicalRetriever.from_vectorstore(in_memory, k=2)
    transformer = LogicalQueryTransformer(llm=model('"vitamin D benefits" AND NOT "bone health"'))
    chain = transformer | RunnableLambda(retriever.search, retriever.asearch)
    found = chain.invoke("any")
    assert {document.id for document in found} == {"mood", "immune"}
    assert await chain.ainvoke("any") == found


def test_the_model_chosen_by_a_call_answers_that_call(model):
    tea, coffee = model('"tea" OR "water"'), model('"coffee" OR "water"')
    llm = tea.configurable_alternatives(ConfigurableField(id="model"), default_key="tea", coffee=coffee)
    transformer = LogicalQueryTransformer(llm=llm)
    assert transformer.invoke("tea, coffee or water") == parse('"tea" OR "water"')
    chosen = {"configurable": {"model": "coffee"}}
    assert transformer.invoke("tea, coffee or water", chosen) == parse('"coffee" OR "water"')
    assert transformer.invoke("tea, coffee or water") == parse('"tea" OR "water"')


async def test_configurable_values_reach_the_model_through_the_retriever(in_memory, model, ask):
    llm = model('"tea" AND NOT "water"').configurable_alternatives(
        ConfigurableField(id="model"), default_key="tea", coffee=model('"coffee" AND NOT "water"')
    )
    retriever = LogicalRetriever.from_vectorstore(in_memory, transformer=LogicalQueryTransformer(llm=llm), k=1)
    chosen = {"configurable": {"model": "coffee"}}
    found = await ask(retriever, "tea, coffee or water", chosen)
    assert found[0].id == "coffee"


def test_what_is_no_message_and_no_text_is_no_answer():
    with pytest.raises(LLMCallError, match=r"^The model returned dict"):
        LogicalQueryTransformer(llm=RunnableLambda(lambda _: {"a": 1}), on_failure="raise").invoke(QUESTION)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"llm": "openai:gpt-5"}, "must be a LangChain chat model"),
        ({}, "must be a LangChain chat model, got NoneType"),
        ({"promt": "default"}, "no argument 'promt'"),
    ],
)
def test_bad_arguments_are_refused_with_a_hint(model, arguments, match):
    defaults = {} if not arguments or "llm" in arguments else {"llm": model("x")}
    with pytest.raises(InvalidArgumentError, match=match) as error:
        LogicalQueryTransformer(**defaults, **arguments)
    assert error.value.hint


def test_a_copy_follows_its_update(model):
    strict = LogicalQueryTransformer(model("((")).model_copy(update={"on_failure": "raise"})
    with pytest.raises(LLMAnswerError):
        strict.invoke(QUESTION)
    with pytest.raises(InvalidArgumentError, match="no argument 'promt'"):
        strict.model_copy(update={"promt": "default"})

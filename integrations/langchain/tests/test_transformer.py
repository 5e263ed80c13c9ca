"""The transformer as a Runnable over chat models of every kind: structured output where they have it, else text."""

from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel, FakeListChatModel, FakeListLLM, GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_core.utils.function_calling import convert_to_json_schema
from langchain_openai import ChatOpenAI

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever
from langchain_logical_retriever.chat_model import LangChainChatModel
from logical_retriever.errors import InvalidArgumentError, LLMAnswerError, LLMCallError
from logical_retriever.query import parse
from logical_retriever.reading.questions.answer import form_class

QUESTION = "green tea without {caffeine}"
QUERY = parse('"green tea" AND NOT "caffeine"')
FORM = {"alternatives": [{"all_of": ["green tea"], "none_of": ["caffeine"]}]}


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


# ---- Structured output ----


class ToolCaller(BaseChatModel):
    """A chat model that answers with calls of tools, as providers' models do."""

    answer: Any
    tools: list
    metadata_of: dict

    @property
    def _llm_type(self):
        return "tool-caller"

    def bind_tools(self, tools, **kwargs):
        self.tools.append(tools)
        return self.bind(tools=tools)

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        if isinstance(self.answer, str):
            message = AIMessage(self.answer, response_metadata=self.metadata_of)
        else:
            call = {"name": "LogicalQuery", "args": self.answer, "id": "1", "type": "tool_call"}
            message = AIMessage("", tool_calls=[call], response_metadata=self.metadata_of)
        return ChatResult(generations=[ChatGeneration(message=message)])


def caller(answer, **said):
    return ToolCaller(answer=answer, tools=[], metadata_of=said)


async def test_a_model_with_tools_fills_the_form_or_its_text_is_read_by_the_grammar(ask):
    llm = caller(FORM)
    assert await ask(LogicalQueryTransformer(llm=llm), QUESTION) == QUERY
    assert llm.tools == [[convert_to_json_schema(form_class(False, False))]]
    assert await ask(LogicalQueryTransformer(llm=caller(str(QUERY))), QUESTION) == QUERY


def test_which_models_are_asked_for_a_form():
    def fills(llm):
        return LangChainChatModel(llm).structured

    openai = ChatOpenAI(model="gpt-4o-mini", api_key="none")
    assert fills(openai)
    assert fills(caller(FORM))
    assert not fills(FakeListChatModel(responses=["x"]))
    assert not fills(openai.bind(stop=["x"]))
    assert not fills(openai | (lambda message: message.text))


@pytest.mark.parametrize(
    "said", [{"finish_reason": "length"}, {"stop_reason": "max_tokens"}, {"done_reason": "length"}]
)
async def test_an_answer_that_was_cut_off_is_none(ask, said):
    """Cut off, this text is a query that has lost its NOT."""
    llm = caller('"green tea"', **said)
    for model in (llm, caller(FORM, **said), llm.bind(stop=["."])):
        with pytest.raises(LLMCallError, match="cut off"):
            await ask(LogicalQueryTransformer(model, on_failure="raise"), QUESTION)

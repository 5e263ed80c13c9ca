"""Structured output where the chat model has it, text where it has not."""

from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_json_schema
from langchain_openai import ChatOpenAI
from vitamin_texts import FORM, QUERY, QUESTION

from langchain_logical_retriever import LogicalQueryTransformer
from langchain_logical_retriever.chat_model import LangChainChatModel
from logical_retriever.errors import LLMCallError
from logical_retriever.reading.questions.answer import form_class


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


async def test_a_model_with_tools_fills_the_form(ask):
    llm = caller(FORM)
    assert str(await ask(LogicalQueryTransformer(llm=llm), QUESTION)) == QUERY
    assert llm.tools == [[convert_to_json_schema(form_class(False, False))]]


async def test_a_text_in_place_of_the_form_is_read_by_the_grammar(ask):
    assert str(await ask(LogicalQueryTransformer(llm=caller(QUERY)), QUESTION)) == QUERY


def test_which_models_are_asked_for_a_form():
    def fills(llm):
        return LangChainChatModel(llm).structured

    openai = ChatOpenAI(model="gpt-4o-mini", api_key="none")
    assert fills(openai)
    assert fills(caller(QUERY))
    assert not fills(FakeListChatModel(responses=["x"]))
    assert not fills(openai.bind(stop=["x"]))
    assert not fills(openai | (lambda message: message.text))


@pytest.mark.parametrize(
    "said", [{"finish_reason": "length"}, {"stop_reason": "max_tokens"}, {"done_reason": "length"}]
)
async def test_an_answer_that_was_cut_off_is_none(ask, said):
    """Cut off, this text is a query that has lost its NOT."""
    llm = caller('"vitamin D benefits"', **said)
    for model in (llm, caller(FORM, **said), llm.bind(stop=["."])):
        with pytest.raises(LLMCallError, match="cut off"):
            await ask(LogicalQueryTransformer(model, on_failure="raise"), QUESTION)

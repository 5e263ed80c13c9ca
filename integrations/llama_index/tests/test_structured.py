"""Filled forms from LLMs that call functions, text from the others."""

import json

import pytest
from llama_index.core.llms import ChatMessage, ChatResponse, MockLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.llms.openai_like import OpenAILike
from vitamin_texts import FORM, QUERY, QUESTION

from llama_index.retrievers.logical import LlamaIndexChatModel, LogicalQueryTransformer
from logical_retriever.errors import LLMCallError


class Caller(MockFunctionCallingLLM):
    """LlamaIndex's own stand-in for function calling, whose answer is prepared: arguments of a call, or a text."""

    answer: dict | str
    asked: list
    raw_of: dict | None

    def chat(self, messages, **kwargs):
        self.asked.append((messages, kwargs))
        text, more = (self.answer, {}) if isinstance(self.answer, str) else ("", {"arguments": self.answer})
        message = ChatMessage(role="assistant", content=text, additional_kwargs=more)
        return ChatResponse(message=message, raw=self.raw_of)

    async def achat(self, messages, **kwargs):
        return self.chat(messages, **kwargs)

    def _validate_chat_with_tools_response(self, response, tools, **kwargs):
        return response

    def get_tool_calls_from_response(self, response, error_on_no_tool_call=True, **kwargs):
        given = response.message.additional_kwargs.get("arguments")
        return [] if given is None else [ToolSelection(tool_id="1", tool_name="LogicalQuery", tool_kwargs=given)]


def caller(answer, raw=None):
    return Caller(answer=answer, asked=[], raw_of=raw, is_chat_model=True)


@pytest.fixture(params=["sync", "async"])
def ask(request):
    async def ask(transformer, question=QUESTION):
        return transformer.transform(question) if request.param == "sync" else await transformer.atransform(question)

    return ask


async def test_an_llm_that_calls_functions_fills_the_form(ask):
    llm = caller(FORM)
    made = await ask(LogicalQueryTransformer(llm))
    assert (str(made.query), json.loads(made.answers[0])) == (QUERY, FORM)
    [(messages, kwargs)] = llm.asked
    assert [tool.metadata.name for tool in kwargs["tools"]] == ["LogicalQuery"]
    assert "none_of" in messages[0].content


async def test_a_text_in_place_of_the_form_is_read_by_the_grammar(ask):
    assert str((await ask(LogicalQueryTransformer(caller(QUERY)))).query) == QUERY


def test_which_llms_are_asked_for_a_form():
    assert LlamaIndexChatModel(caller(QUERY)).structured
    assert not LlamaIndexChatModel(MockLLM()).structured
    assert not LlamaIndexChatModel(OpenAILike(model="m", api_key="none")).structured
    assert LlamaIndexChatModel(OpenAILike(model="m", api_key="none", is_function_calling_model=True)).structured


@pytest.mark.parametrize("raw", [{"choices": [{"finish_reason": "length"}]}, {"stop_reason": "max_tokens"}])
async def test_an_answer_that_was_cut_off_is_none(ask, raw):
    for llm in (caller('"vitamin D benefits"', raw=raw), caller(FORM, raw=raw)):
        with pytest.raises(LLMCallError, match="cut off"):
            await ask(LogicalQueryTransformer(llm, on_failure="raise"))

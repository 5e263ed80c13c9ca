"""The transformer over an LLM, its prompt, its place in pipelines, and the forms that LLMs with functions fill."""

import json

import pytest
from llama_index.core import QueryBundle
from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole, MockLLM, TextBlock
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate, RichPromptTemplate
from llama_index.core.retrievers import TransformRetriever
from llama_index.llms.openai_like import OpenAILike
from vitamin_texts import FORM, QUERY, QUESTION

from llama_index.retrievers.logical import (
    LlamaIndexChatModel,
    LogicalQueryBundle,
    LogicalQueryTransformer,
    LogicalRetriever,
    QuestionReader,
)
from logical_retriever.errors import InvalidArgumentError, LLMCallError

ANSWER = '"vitamin D" AND NOT "bone health"'
KEY = "logical_query_prompt"
NESTED = f"transformer:{KEY}"


def chat(*blocks):
    """What chat() may return."""
    return ChatResponse(message=ChatMessage(role=MessageRole.ASSISTANT, blocks=list(blocks)))


def answering(scripted, response):
    llm = scripted()

    class Mine(type(llm)):
        def chat(self, messages, **kwargs):
            return response

    return Mine([])


def test_reasoning_is_no_part_of_the_answer(scripted):
    types = pytest.importorskip("llama_index.core.base.llms.types")
    if not hasattr(types, "ThinkingBlock"):
        pytest.skip("this llama-index-core has no reasoning blocks")
    response = chat(types.ThinkingBlock(content='"x" AND NOT "y"'), TextBlock(text=ANSWER))
    assert LlamaIndexChatModel(answering(scripted, response)).complete([]) == ANSWER


def test_an_answer_without_text_is_nothing(scripted):
    with pytest.raises(LLMCallError, match="answered nothing"):
        LogicalQueryTransformer(answering(scripted, chat()), on_failure="raise").transform("?")
    with pytest.raises(LLMCallError, match="returned str, not a ChatResponse"):
        LogicalQueryTransformer(answering(scripted, "text"), on_failure="raise").transform("?")


def test_the_prompt_is_shown_and_reads_back_as_itself(scripted, simple_index):
    transformer = LogicalQueryTransformer(scripted())
    shown = transformer.get_prompts()[KEY]
    assert isinstance(shown, PromptTemplate)
    assert shown.template_vars == ["question"]
    before = transformer.prompt
    transformer.update_prompts({KEY: shown})
    assert (transformer.prompt.system, transformer.prompt.user) == (before.system, before.user)
    assert set(LogicalRetriever.from_index(simple_index, transformer=transformer).get_prompts()) == {NESTED}
    assert LogicalRetriever.from_index(simple_index).get_prompts() == {}


def test_an_updated_prompt_is_what_the_model_is_asked(scripted, simple_index):
    llm = scripted(ANSWER, ANSWER)
    retriever = LogicalRetriever.from_index(simple_index, transformer=LogicalQueryTransformer(llm))
    retriever.retrieve("vitamin D sans bones?")
    retriever.update_prompts({NESTED: PromptTemplate("Write logic for {question}")})
    retriever.retrieve("vitamin D sans bones?")  # the cache knows the old prompt's answer alone
    assert "Write logic for" not in llm.asked[0]
    assert "Write logic for <question>\nvitamin D sans bones?\n</question>" in llm.asked[1]


@pytest.mark.parametrize(
    ("template", "system", "user"),
    [
        (PromptTemplate("Ask {question}"), "", "Ask {question}"),
        (PromptTemplate("Ask {query_str}"), "", "Ask {question}"),
        (PromptTemplate("Ask {q}", template_var_mappings={"question": "q"}), "", "Ask {question}"),
        (PromptTemplate("In {area}: {question}").partial_format(area="law"), "", "In law: {question}"),
        (PromptTemplate('Like {"a": 1}: {question}'), "", 'Like {"a": 1}: {question}'),
        (PromptTemplate("[system]\nBe brief.\n[user]\n{question}"), "Be brief.", "{question}"),
    ],
)
def test_templates(scripted, template, system, user):
    transformer = LogicalQueryTransformer(scripted(), prompt=template)
    assert (transformer.prompt.system, transformer.prompt.user) == (system, user)


@pytest.mark.parametrize(
    "template",
    [
        PromptTemplate("no question"),
        PromptTemplate("{question} {question}"),
        ChatPromptTemplate.from_messages([("user", "{question}")]),
        RichPromptTemplate("{{ question }}"),
    ],
)
def test_templates_that_cannot_be_used(scripted, template):
    transformer = LogicalQueryTransformer(scripted())
    before = transformer.prompt
    with pytest.raises(InvalidArgumentError):
        transformer.update_prompts({KEY: template})
    assert transformer.prompt == before


def test_as_a_query_transform_it_keeps_the_question(scripted):
    bundle = LogicalQueryTransformer(scripted(ANSWER))("\ninput is vitamin D sans bones?\n")
    assert isinstance(bundle, LogicalQueryBundle)
    assert bundle.query_str == "\ninput is vitamin D sans bones?\n"
    assert bundle.read.question == "vitamin D sans bones?"
    assert str(bundle.read.query) == ANSWER
    assert bundle.embedding_strs == [bundle.query_str]
    assert "bone health" in str(bundle.to_dict())


async def test_a_retriever_takes_the_query_from_the_bundle(scripted, simple_index):
    transform = LogicalQueryTransformer(scripted(ANSWER))
    retriever = TransformRetriever(LogicalRetriever.from_index(simple_index, metadata=True), transform)
    assert retriever.retrieve("vitamin D sans bones?")[0].metadata["logical_query"] == ANSWER
    [found, *_] = await LogicalRetriever.from_index(simple_index, metadata=True).aretrieve(
        transform("vitamin D sans bones?")
    )
    assert found.metadata["logical_query"] == ANSWER


def test_a_plain_bundle_is_not_changed(scripted):
    bundle = QueryBundle("vitamin D sans bones?")
    LogicalQueryTransformer(scripted(ANSWER)).run(bundle)
    assert bundle == QueryBundle("vitamin D sans bones?")


HISTORY = [ChatMessage("What does vitamin D do?", role=MessageRole.USER)]
FOLLOW_UP = "and not the bone health?"
STANDALONE = "What does vitamin D do, bone health aside?"
WITH_QUESTION = f"Question: {STANDALONE}\nQuery: {ANSWER}"


def test_a_query_transform_takes_it_as_metadata_and_the_retriever_its_bundle(simple_index, scripted, names):
    bundle = QuestionReader(scripted(WITH_QUESTION)).run(QueryBundle(FOLLOW_UP), metadata={"history": HISTORY})
    assert bundle.query_str == STANDALONE
    retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=2)
    for question in (bundle, LogicalQueryBundle(query_str=FOLLOW_UP, history=HISTORY)):
        assert set(names(retriever.retrieve(question))) == {"mood", "immune"}


# ---- Forms ----


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


async def test_an_llm_that_calls_functions_fills_the_form_or_its_text_is_read(ask):
    llm = caller(FORM)
    made = await ask(LogicalQueryTransformer(llm))
    assert (str(made.query), json.loads(made.answers[0])) == (QUERY, FORM)
    [(messages, kwargs)] = llm.asked
    assert [tool.metadata.name for tool in kwargs["tools"]] == ["LogicalQuery"]
    assert "none_of" in messages[0].content
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

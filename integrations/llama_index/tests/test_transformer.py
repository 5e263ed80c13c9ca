"""The transformer over an LLM, its prompt, and its place in pipelines."""

import pytest
from llama_index.core import QueryBundle
from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole, TextBlock
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate, RichPromptTemplate
from llama_index.core.retrievers import TransformRetriever

from llama_index.retrievers.logical import (
    LlamaIndexChatModel,
    LogicalQueryBundle,
    LogicalQueryTransformer,
    LogicalRetriever,
)
from logical_retriever.errors import InvalidArgumentError, LLMAnswerError, LLMCallError
from logical_retriever.transform import QueryTransformer, TransformWarning, load_prompt

ANSWER = '"vitamin D" AND NOT "bone health"'
KEY = "logical_query_prompt"
NESTED = f"transformer:{KEY}"


def test_it_turns_a_question_into_a_query(scripted):
    transformer = LogicalQueryTransformer(scripted(ANSWER))
    assert isinstance(transformer, QueryTransformer)
    made = transformer.transform("vitamin D sans bones?")
    assert (str(made.query), made.method, made.answers) == (ANSWER, "llm", (ANSWER,))
    assert transformer.transform("vitamin D sans bones?").cached


async def test_every_way_of_asking(scripted):
    llm = scripted('"a" OR "b"', '"c" AND NOT "d"')
    transformer = LogicalQueryTransformer(llm)
    assert str((await transformer.atransform("1")).query) == '"a" OR "b"'
    assert str(transformer.transform("2").query) == '"c" AND NOT "d"'
    assert (await transformer.atransform("1")).cached
    assert len(llm.prompts) == 2


def test_an_unreadable_answer_is_sent_back(scripted):
    llm = scripted('"a" AND', ANSWER)
    assert str(LogicalQueryTransformer(llm).transform("?").query) == ANSWER
    assert "Expected" in llm.prompts[1]
    with pytest.raises(LLMAnswerError):
        LogicalQueryTransformer(scripted('"a" AND', '"a" AND'), on_failure="raise").transform("?")
    with pytest.warns(TransformWarning):
        assert LogicalQueryTransformer(scripted('"a" AND', '"a" AND')).transform("?").method == "dense"


def test_the_shipped_prompts(scripted):
    llm = scripted(ANSWER)
    LogicalQueryTransformer(llm, prompt="itlr").transform("?")
    assert load_prompt("itlr").user[:40] in llm.prompts[0]


class Chat:
    """What chat() may return."""

    def __init__(self, *blocks):
        self.message = ChatMessage(role=MessageRole.ASSISTANT, blocks=list(blocks))

    @property
    def response(self):
        return ChatResponse(message=self.message)


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
    response = Chat(types.ThinkingBlock(content='"x" AND NOT "y"'), TextBlock(text=ANSWER)).response
    assert LlamaIndexChatModel(answering(scripted, response)).complete([]) == ANSWER


def test_an_answer_without_text_is_nothing(scripted):
    with pytest.raises(LLMCallError, match="answered nothing"):
        LogicalQueryTransformer(answering(scripted, Chat().response), on_failure="raise").transform("?")
    with pytest.raises(LLMCallError, match="returned str, not a ChatResponse"):
        LogicalQueryTransformer(answering(scripted, "text"), on_failure="raise").transform("?")


# Prompts


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
    assert "Write logic for" not in llm.prompts[0]
    assert "Write logic for <question>\nvitamin D sans bones?\n</question>" in llm.prompts[1]


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


# In pipelines


def test_as_a_query_transform_it_keeps_the_question(scripted):
    bundle = LogicalQueryTransformer(scripted(ANSWER))("\ninput is vitamin D sans bones?\n")
    assert isinstance(bundle, LogicalQueryBundle)
    assert bundle.query_str == "\ninput is vitamin D sans bones?\n"
    assert bundle.transformation.question == "vitamin D sans bones?"
    assert str(bundle.transformation.query) == ANSWER
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

"""Bad input is refused with a typed error that says what to do."""

from functools import partial
from typing import Any

import pytest
from llama_index.core import MockEmbedding, QueryBundle, StorageContext, VectorStoreIndex
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import ChatMessage, ChatResponse, CustomLLM, LLMMetadata
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import AsyncQdrantClient

from llama_index.retrievers.logical import (
    LogicalQueryTransformer,
    LogicalRetriever,
    create_logical_search_tool,
)
from logical_retriever.errors import (
    EmbeddingError,
    EmptyQuestionError,
    InvalidArgumentError,
    LLMCallError,
    StoreCapabilityError,
    StoreError,
)
from logical_retriever.transform import TransformWarning

QUESTION = "vitamin D, excluding bone health"

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever.from_index, semantics="product")


async def test_an_empty_index_answers_nothing(kind, make_index):
    retriever = over(make_index(kind))
    assert retriever.retrieve(QUESTION) == await retriever.aretrieve(QUESTION) == []


def test_an_index_built_without_embeddings(nodes):
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=8))
    with pytest.raises(InvalidArgumentError, match="encodes all texts alike"):
        LogicalRetriever.from_index(index)
    assert LogicalRetriever.from_index(index, embed_model=MockEmbedding(embed_dim=8)).retrieve("tea")


@pytest.mark.parametrize("kind", ["simple", "chroma"])
def test_where_all_nodes_are_excluded_the_answer_is_empty_and_says_so(kind, make_index):
    texts = {f"milk {i}": "tea with milk" for i in range(3)} | {f"word{i}": f"word{i} and other{i}" for i in range(40)}
    nodes = [TextNode(text=text, metadata={"kind": name.split()[0]}) for name, text in texts.items()]
    milk = MetadataFilters(filters=[MetadataFilter(key="kind", value="milk")])
    retriever = LogicalRetriever.from_index(make_index(kind, nodes), similarity_top_k=10**30, filters=milk)
    query = 'tea AND NOT "with milk"'
    assert retriever.retrieve(query) == []
    assert '3 documents were left out, being about what is excluded: "with milk"' in str(retriever.explain(query))
    answer = create_logical_search_tool(retriever).call(all_of=["tea"], none_of=["with milk"]).content
    assert answer.startswith("No passage was found")
    assert 'Left out: 3 passages about "with milk"' in answer


def test_a_store_searched_by_text(make_index, nodes, foreign):
    class ByText(foreign):
        is_embedding_query: bool = False

    index = VectorStoreIndex.from_vector_store(ByText(), embed_model=MockEmbedding(embed_dim=8))
    with pytest.raises(StoreCapabilityError, match="searched by text"):
        LogicalRetriever.from_index(index, embed_model=MockEmbedding(embed_dim=8))


def test_an_llm_that_fails(simple_index, scripted, names):
    retriever = LogicalRetriever.from_index(
        simple_index, transformer=LogicalQueryTransformer(scripted(OSError("no key"))), similarity_top_k=1
    )
    with pytest.warns(TransformWarning, match="no key"):
        found = retriever.retrieve("coffee and sleep")
    assert names(found) == ["coffee"]
    strict = LogicalQueryTransformer(scripted(OSError("no key"), ""), on_failure="raise")
    with pytest.raises(LLMCallError, match="no key"):
        LogicalRetriever.from_index(simple_index, transformer=strict).retrieve(QUESTION)
    with pytest.raises(LLMCallError, match="answered nothing"):
        strict.transform(QUESTION)


@pytest.mark.parametrize("question", ["", "  ", "\n\n", "\ninput is \n"])
async def test_an_empty_question(simple_index, question, scripted):
    llm = scripted()
    retriever = LogicalRetriever.from_index(simple_index, transformer=LogicalQueryTransformer(llm))
    with pytest.raises(EmptyQuestionError):
        retriever.retrieve(question)
    with pytest.raises(EmptyQuestionError):
        await retriever.aretrieve(QueryBundle(question))
    assert llm.prompts == []


def test_bundles_that_ask_for_something_else(simple_index):
    retriever = LogicalRetriever.from_index(simple_index)
    with pytest.raises(InvalidArgumentError, match="custom_embedding_strs"):
        retriever.retrieve(QueryBundle("tea", custom_embedding_strs=["a passage on tea", "tea"]))
    with pytest.raises(InvalidArgumentError, match="image"):
        retriever.retrieve(QueryBundle("tea", image_path="tea.png"))
    assert retriever.retrieve(QueryBundle("tea", custom_embedding_strs=["tea"]))


def test_a_model_of_another_dimension(index, hashing):
    retriever = over(index, embed_model=hashing(16))
    with pytest.raises(StoreError) as caught:
        retriever.retrieve("vitamin D")
    assert "embedding model" in caught.value.hint


def test_an_embedding_model_that_fails(simple_index, given):
    with pytest.raises(EmbeddingError, match="KeyError"):
        LogicalRetriever.from_index(simple_index, embed_model=given({})).retrieve("tea")


def test_documents_about_none_of_the_terms(index, kind, names):
    retriever = LogicalRetriever.from_index(index, similarity_top_k=6)
    if kind == "foreign":
        with pytest.raises(StoreCapabilityError, match="cannot be scanned"):
            retriever.retrieve('NOT "vitamin"')
    else:
        assert set(names(retriever.retrieve('NOT "vitamin"')[:3])) <= {"calcium", "tea", "coffee"}


@pytest.mark.parametrize("kind", ["simple", "chroma"])
def test_filters_that_a_store_cannot_apply(kind, make_index, nodes):
    nested = MetadataFilters(filters=[MetadataFilters(filters=[MetadataFilter(key="n", value=1)])])
    contains = MetadataFilters(
        filters=[MetadataFilter(key="n", value="x", operator=FilterOperator.TEXT_MATCH)], condition=FilterCondition.OR
    )
    retriever = LogicalRetriever.from_index(make_index(kind, nodes))
    with pytest.raises(InvalidArgumentError, match="cannot apply the filters"):
        retriever.retrieve("tea", filters=nested if kind == "simple" else contains)


def test_qdrant_with_an_asynchronous_client_alone(embedding, nodes):
    store = QdrantVectorStore("docs", aclient=AsyncQdrantClient(":memory:"))
    index = VectorStoreIndex(
        [], storage_context=StorageContext.from_defaults(vector_store=store), embed_model=embedding
    )
    with pytest.raises(StoreCapabilityError, match="asynchronous client alone"):
        LogicalRetriever.from_index(index)


class Answering(CustomLLM):
    """Gives chat() something that is no readable answer."""

    _answer: Any = PrivateAttr()

    def __init__(self, answer):
        super().__init__()
        self._answer = answer

    @property
    def metadata(self):
        return LLMMetadata(model_name="odd")

    def chat(self, messages, **kwargs):
        return self._answer() if callable(self._answer) else self._answer

    async def achat(self, messages, **kwargs):
        return self.chat(messages)

    def complete(self, prompt, formatted=False, **kwargs):
        raise NotImplementedError

    stream_complete = complete


def tokens():
    yield "vitamin"


def no_route():
    raise TimeoutError("after 30 s")


ODD = {
    "raises": (no_route, "TimeoutError: after 30 s"),
    "streams": (tokens, "returned generator, not a ChatResponse"),
    "refuses": (ChatResponse(message=ChatMessage("I cannot help with that.", role="assistant")), "No logical query"),
    "calls tools": (
        ChatResponse(message=ChatMessage(role="assistant", blocks=[ToolCallBlock(tool_name="x", tool_kwargs={})])),
        "answered nothing",
    ),
}


@pytest.mark.parametrize(("answer", "said"), ODD.values(), ids=ODD)
async def test_a_model_that_does_not_answer_leaves_the_reading_without_it(simple_index, names, answer, said):
    question = '"calcium" AND ('  # nothing but a model can read it
    retriever = LogicalRetriever.from_index(simple_index, Answering(answer))
    with pytest.warns(TransformWarning, match=said):
        nodes = retriever.retrieve(question)
    with pytest.warns(TransformWarning, match=said):
        assert names(await retriever.aretrieve(question)) == names(nodes)
    assert names(nodes)[0] == "calcium"
    assert said in nodes[0].metadata["logical_problem"]

"""Bad input is refused with a typed error that says what to do."""

from functools import partial

import pytest
from llama_index.core import MockEmbedding, QueryBundle, StorageContext, SummaryIndex, VectorStoreIndex
from llama_index.core.llms import MockLLM
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    SimpleVectorStore,
)
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import AsyncQdrantClient

from llama_index.retrievers.logical import (
    LogicalQueryTransformer,
    LogicalRerank,
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
    UnsupportedStoreError,
)
from logical_retriever.stores import InMemoryStore
from logical_retriever.transform import QuestionReader as CoreReader, TransformWarning

QUESTION = "vitamin D, excluding bone health"

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever.from_index, semantics="product")


async def test_an_empty_index_answers_nothing(kind, make_index):
    retriever = over(make_index(kind))
    assert retriever.retrieve(QUESTION) == await retriever.aretrieve(QUESTION) == []


def test_an_index_without_vectors(nodes, embedding):
    with pytest.raises(UnsupportedStoreError, match="A SummaryIndex has no vectors") as caught:
        LogicalRetriever.from_index(SummaryIndex(nodes), embed_model=embedding)
    assert "VectorStoreIndex" in caught.value.hint
    with pytest.raises(UnsupportedStoreError, match="SimpleVectorStore alone"):
        LogicalRetriever.from_index(SimpleVectorStore(), embed_model=embedding)
    with pytest.raises(UnsupportedStoreError, match=r"builtins\.list"):
        LogicalRetriever.from_index([1], embed_model=embedding)
    with pytest.raises(UnsupportedStoreError, match=r"builtins\.type"):
        LogicalRetriever.from_index(InMemoryStore, embed_model=embedding)
    with pytest.raises(InvalidArgumentError, match="The SummaryIndex has no embedding model"):
        LogicalRetriever.from_index(SummaryIndex(nodes))


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
    assert 'Left out: 3 passages that are about "with milk"' in answer


@pytest.mark.parametrize("value", [1.5, True])
def test_a_least_relevance_that_is_no_number_from_0_to_1(simple_index, value):
    with pytest.raises(InvalidArgumentError, match="min_relevance must be a number from 0 to 1"):
        LogicalRetriever.from_index(simple_index, min_relevance=value)
    with pytest.raises(InvalidArgumentError, match="min_relevance must be a number from 0 to 1"):
        LogicalRetriever.from_index(simple_index).search("tea", min_relevance=value)


def test_a_store_searched_by_text(make_index, nodes, foreign):
    class ByText(foreign):
        is_embedding_query: bool = False

    index = VectorStoreIndex.from_vector_store(ByText(), embed_model=MockEmbedding(embed_dim=8))
    with pytest.raises(StoreCapabilityError, match="searched by text"):
        LogicalRetriever.from_index(index, embed_model=MockEmbedding(embed_dim=8))


@pytest.mark.parametrize("llm", ["gpt", 0, MockLLM, object()])
def test_an_llm_that_is_none(simple_index, llm):
    for make in (lambda: LogicalQueryTransformer(llm), lambda: LogicalRetriever.from_index(simple_index, llm)):
        with pytest.raises(InvalidArgumentError, match="llm must be a LlamaIndex LLM"):
            make()


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"similarity_top_k": 0}, "similarity_top_k must be"),
        ({"similarity_top_k": 2.5}, "similarity_top_k must be"),
        ({"fetch_k": 0}, "fetch_k must be"),
        ({"semantics": "produkt"}, "no semantics 'produkt'"),
        ({"metadata_key": ""}, "metadata_key is ''"),
        ({"metadata_key": 3}, "metadata_key is 3"),
        ({"top_k": 3}, "no argument 'top_k'"),
        ({"k": 3}, "no argument 'k'"),
        ({"evidence": "dense"}, "no argument 'evidence'"),
        ({"mode": "sqo"}, "no argument 'mode'"),
        ({"filters": {"topic": "b"}}, "filters must be MetadataFilters, got dict"),
        ({"transformer": "cues"}, "transformer must be"),
        ({"transformer": CoreReader}, "transformer must be"),
        ({"embed_model": "local"}, "embed_model must be"),
        ({"llm": MockLLM(), "transformer": CoreReader()}, "Both llm and transformer"),
    ],
)
def test_arguments_are_checked(simple_index, arguments, said):
    with pytest.raises(InvalidArgumentError, match=said) as caught:
        LogicalRetriever.from_index(simple_index, **arguments)
    assert caught.value.hint


def test_unknown_arguments_are_refused(simple_index, embedding):
    with pytest.raises(InvalidArgumentError, match="no argument 'kind'"):
        LogicalRetriever(simple_index, kind=3)
    with pytest.raises(InvalidArgumentError, match="no argument 'drop_excluded'") as caught:
        LogicalRetriever.from_index(simple_index).search("tea", drop_excluded=True)
    assert "Did you mean 'exclusion'?" in caught.value.hint
    with pytest.raises(TypeError, match="k"):
        LogicalRerank(embedding, k=3)


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
            retriever.search('NOT "vitamin"')
    else:
        assert set(names(retriever.search('NOT "vitamin"')[:3])) <= {"calcium", "tea", "coffee"}


@pytest.mark.parametrize("kind", ["simple", "chroma"])
def test_filters_that_a_store_cannot_apply(kind, make_index, nodes):
    nested = MetadataFilters(filters=[MetadataFilters(filters=[MetadataFilter(key="n", value=1)])])
    contains = MetadataFilters(
        filters=[MetadataFilter(key="n", value="x", operator=FilterOperator.TEXT_MATCH)], condition=FilterCondition.OR
    )
    retriever = LogicalRetriever.from_index(make_index(kind, nodes))
    with pytest.raises(InvalidArgumentError, match="cannot apply the filters"):
        retriever.search("tea", filters=nested if kind == "simple" else contains)


def test_qdrant_with_an_asynchronous_client_alone(embedding, nodes):
    store = QdrantVectorStore("docs", aclient=AsyncQdrantClient(":memory:"))
    index = VectorStoreIndex(
        [], storage_context=StorageContext.from_defaults(vector_store=store), embed_model=embedding
    )
    with pytest.raises(StoreCapabilityError, match="asynchronous client alone"):
        LogicalRetriever.from_index(index)

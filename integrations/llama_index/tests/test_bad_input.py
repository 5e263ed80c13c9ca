"""Bad input is refused with a typed error that says what to do."""

import pytest
from llama_index.core import MockEmbedding, QueryBundle, StorageContext, VectorStoreIndex
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import AsyncQdrantClient

from llama_index.retrievers.logical import LogicalRetriever
from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError, StoreCapabilityError


def test_an_index_built_without_embeddings(nodes):
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=8))
    with pytest.raises(InvalidArgumentError, match="encodes all texts alike"):
        LogicalRetriever.from_index(index)
    assert LogicalRetriever.from_index(index, embed_model=MockEmbedding(embed_dim=8)).retrieve("tea")


def test_a_store_searched_by_text(make_index, nodes, foreign):
    class ByText(foreign):
        is_embedding_query: bool = False

    index = VectorStoreIndex.from_vector_store(ByText(), embed_model=MockEmbedding(embed_dim=8))
    with pytest.raises(StoreCapabilityError, match="searched by text"):
        LogicalRetriever.from_index(index, embed_model=MockEmbedding(embed_dim=8))


async def test_an_empty_question_of_a_tool(simple_index):
    retriever = LogicalRetriever.from_index(simple_index)
    with pytest.raises(EmptyQuestionError):
        retriever.retrieve("\ninput is \n")
    with pytest.raises(EmptyQuestionError):
        await retriever.aretrieve(QueryBundle("\ninput is \n"))


def test_bundles_that_ask_for_something_else(simple_index):
    retriever = LogicalRetriever.from_index(simple_index)
    with pytest.raises(InvalidArgumentError, match="custom_embedding_strs"):
        retriever.retrieve(QueryBundle("tea", custom_embedding_strs=["a passage on tea", "tea"]))
    with pytest.raises(InvalidArgumentError, match="image"):
        retriever.retrieve(QueryBundle("tea", image_path="tea.png"))
    assert retriever.retrieve(QueryBundle("tea", custom_embedding_strs=["tea"]))


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

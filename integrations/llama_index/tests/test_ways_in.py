"""Ways to a retriever; what each wrong thing that people give in place of an index, or to one, is told."""

import chromadb
import pytest
from llama_index.core import (
    Document,
    MockEmbedding,
    QueryBundle,
    StorageContext,
    SummaryIndex,
    VectorStoreIndex,
    load_index_from_storage,
)
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters, SimpleVectorStore
from llama_index.vector_stores.chroma import ChromaVectorStore
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import AsyncQdrantClient

from llama_index.retrievers.logical import LogicalPostprocessor, LogicalRetriever
from logical_retriever.errors import (
    EmptyQuestionError,
    InvalidArgumentError,
    StoreCapabilityError,
    UnsupportedStoreError,
)
from logical_retriever.stores import InMemoryStore, StoredDocument

QUESTION = "benefits of vitamin D other than bone health"
TEXTS = ["Vitamin D lifts the mood.", "Vitamin D benefits bone health.", "Calcium is good for bone health."]


@pytest.fixture
def chroma(tmp_path):
    client = chromadb.PersistentClient(str(tmp_path))
    return ChromaVectorStore(chroma_collection=client.create_collection("passages"))


def texts(nodes):
    return [node.text for node in nodes]


@pytest.mark.slow
def test_every_way_answers_the_same(minilm, chroma, tmp_path):
    """With the real encoder: what is excluded is not shown."""
    nodes = [TextNode(text=text) for text in TEXTS]
    index, answers = VectorStoreIndex(nodes, embed_model=minilm), [TEXTS[0]]
    assert texts(LogicalRetriever(index).retrieve(QUESTION)) == answers
    assert texts(LogicalRetriever.from_index(index).retrieve(QUESTION)) == answers
    documents = [Document(text=text) for text in TEXTS]
    assert texts(LogicalRetriever.from_documents(documents, minilm).retrieve(QUESTION)) == answers
    context = StorageContext.from_defaults(vector_store=chroma)
    filled = LogicalRetriever.from_documents(documents, minilm, storage_context=context)
    assert texts(filled.retrieve(QUESTION)) == answers
    assert texts(LogicalRetriever.from_vector_store(chroma, minilm).retrieve(QUESTION)) == answers
    stored = InMemoryStore([StoredDocument(t, t) for t in TEXTS], minilm.get_text_embedding_batch(TEXTS))
    assert texts(LogicalRetriever(stored, minilm).retrieve(QUESTION)) == answers
    index.storage_context.persist(str(tmp_path / "index"))
    context = StorageContext.from_defaults(persist_dir=str(tmp_path / "index"))
    loaded = load_index_from_storage(context, embed_model=minilm)
    assert texts(LogicalRetriever.from_index(loaded, similarity_top_k=9).retrieve(QUESTION)) == answers


WRONG = {
    "SummaryIndex": (lambda nodes, model: SummaryIndex(nodes), "Build a VectorStoreIndex"),
    "SimpleVectorStore": (lambda nodes, model: SimpleVectorStore(), "from_vector_store(vector_store, embed_model)"),
    "VectorIndexRetriever": (lambda nodes, model: VectorStoreIndex(nodes, embed_model=model).as_retriever(), "over"),
    "MockEmbedding": (lambda nodes, model: MockEmbedding(8), "Give the index first"),
    "str": (lambda nodes, model: "./storage", "load_index_from_storage"),
    "list": (lambda nodes, model: [1], "Pass a VectorStoreIndex"),
    "type": (lambda nodes, model: InMemoryStore, "Pass a VectorStoreIndex"),
    "NoneType": (lambda nodes, model: None, "Pass a VectorStoreIndex"),
}


@pytest.mark.parametrize(("make", "hint"), WRONG.values(), ids=WRONG)
def test_what_is_no_index_says_what_to_give_instead(nodes, embedding, make, hint, request):
    wrong = make(nodes, embedding)
    for way in (LogicalRetriever.from_index, LogicalRetriever, LogicalPostprocessor):
        if wrong is None and way is LogicalPostprocessor:
            continue
        with pytest.raises(UnsupportedStoreError) as caught:
            way(wrong)
        assert type(wrong).__name__ in caught.value.message
        assert hint in caught.value.hint
    if not isinstance(wrong, SimpleVectorStore):
        with pytest.raises(UnsupportedStoreError) as caught:
            LogicalRetriever.from_vector_store(wrong, embedding)
        assert hint in caught.value.hint


def test_what_a_vector_store_and_documents_need(embedding, chroma, simple_index):
    with pytest.raises(InvalidArgumentError, match="SimpleVectorStore keeps no texts") as caught:
        LogicalRetriever.from_vector_store(SimpleVectorStore(), embedding)
    assert "from_index" in caught.value.hint
    with pytest.raises(UnsupportedStoreError, match="VectorStoreIndex is an index") as caught:
        LogicalRetriever.from_vector_store(simple_index, embedding)
    assert "LogicalRetriever.from_index(index)" in caught.value.hint
    for model in ("BAAI/bge-small-en", 3, None):
        for way in (
            lambda model: LogicalRetriever.from_vector_store(chroma, model),
            lambda model: LogicalRetriever.from_documents([Document(text="tea")], model),
        ):
            with pytest.raises(InvalidArgumentError, match="embed"):
                way(model)
    for documents in (["tea"], "tea", [None]):
        with pytest.raises(InvalidArgumentError, match="must be a list of LlamaIndex documents") as caught:
            LogicalRetriever.from_documents(documents, embedding)
        assert "Document(text=" in caught.value.hint


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
    contains = MetadataFilters(filters=[MetadataFilter(key="n", value="x", operator="text_match")], condition="or")
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

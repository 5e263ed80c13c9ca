"""Both frameworks give the same ranking for the same model answer, store content and settings."""

import chromadb
import pytest
from both_frameworks import LangChain, LlamaIndex
from langchain_chroma import Chroma
from langchain_core.language_models import FakeListChatModel
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.llms import CustomLLM
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.vector_stores.chroma import ChromaVectorStore

import langchain_logical_retriever as langchain_side
from llama_index.retrievers import logical as llama_index_side
from logical_retriever.demo import load_passages
from logical_retriever.encoders import SentenceTransformerEmbedder

QUESTION = "What is good about vitamin D, bone health aside?"
ANSWERS = {
    "exclusion": '"benefits of vitamin D" AND NOT "bone health"',
    "nested": '("green tea" OR "coffee") AND NOT ("caffeine" OR "sleep")',
    "both": '"vitamin D" AND "winter"',
    "plain": f'"{QUESTION}"',
    "no query at all": "I would rather not.",
}


@pytest.fixture(scope="module")
def encoder():
    return SentenceTransformerEmbedder()


@pytest.fixture(scope="module")
def corpus(encoder):
    documents = load_passages()
    return documents, encoder.embed_documents([document.text for document in documents])


class Says(CustomLLM):
    answer: str

    @property
    def metadata(self):
        return LLMMetadata(model_name="scripted")

    def complete(self, prompt, formatted=False, **kwargs):
        return CompletionResponse(text=self.answer)

    def stream_complete(self, prompt, formatted=False, **kwargs):
        raise NotImplementedError


@pytest.fixture(scope="module")
def in_memory(encoder, corpus):
    documents, vectors = corpus
    vectorstore = InMemoryVectorStore(LangChain.embeddings(encoder))
    vectorstore.add_texts([d.text for d in documents], ids=[d.id for d in documents])
    return vectorstore, _index(encoder, SimpleVectorStore(), documents, vectors)


@pytest.fixture(scope="module")
def chroma(encoder, corpus, tmp_path_factory):
    documents, vectors = corpus
    client = chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))
    vectorstore = Chroma("langchain", LangChain.embeddings(encoder), client=client)
    vectorstore.add_texts([d.text for d in documents], ids=[d.id for d in documents])
    collection = client.create_collection("llama_index", embedding_function=None)
    return vectorstore, _index(encoder, ChromaVectorStore(chroma_collection=collection), documents, vectors)


def _index(encoder, vector_store, documents, vectors):
    nodes = [TextNode(id_=d.id, text=d.text, embedding=v.tolist()) for d, v in zip(documents, vectors, strict=True)]
    context = StorageContext.from_defaults(vector_store=vector_store)
    return VectorStoreIndex(nodes, storage_context=context, embed_model=LlamaIndex.embeddings(encoder))


@pytest.mark.filterwarnings(
    "ignore:The plain question is used"
)  # "no query at all": that it is warned of is tested elsewhere
@pytest.mark.parametrize("semantics", ["calibrated", "itlr"])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("stores", ["in_memory", "chroma"])
async def test_rankings_are_equal(stores, answer, semantics, request):
    vectorstore, index = request.getfixturevalue(stores)
    langchain = langchain_side.LogicalRetriever.from_vectorstore(
        vectorstore,
        transformer=langchain_side.LogicalQueryTransformer(llm=FakeListChatModel(responses=[answer])),
        semantics=semantics,
        k=20,
        metadata=True,
    )
    llama_index = llama_index_side.LogicalRetriever.from_index(
        index,
        transformer=llama_index_side.LogicalQueryTransformer(Says(answer=answer)),
        semantics=semantics,
        similarity_top_k=20,
        metadata=True,
    )
    documents, nodes = langchain.invoke(QUESTION), llama_index.retrieve(QUESTION)
    assert len(documents) == 20
    assert [d.id for d in documents] == [n.node_id for n in nodes]
    later, afterwards = await langchain.ainvoke(QUESTION), await llama_index.aretrieve(QUESTION)
    assert [d.id for d in later] == [n.node_id for n in afterwards]
    for document, node in zip(documents, nodes, strict=True):
        ours, theirs = document.metadata, node.metadata
        assert ours["logical_score"] == pytest.approx(theirs["logical_score"], rel=1e-5)
        assert ours["logical_query"] == theirs["logical_query"]

"""Both frameworks give the same ranking for the same model answer, store content and settings."""

import chromadb
import pytest
from both_frameworks import LangChain, LlamaIndex
from langchain_chroma import Chroma
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.vector_stores.chroma import ChromaVectorStore

from logical_retriever.demo import load_passages
from logical_retriever.encoders import SentenceTransformerEmbedder

pytestmark = pytest.mark.slow

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


@pytest.fixture(scope="module", params=["in memory", "chroma"])
def stores(request, encoder, tmp_path_factory):
    """The same documents in a vector store of LangChain and an index of LlamaIndex."""
    documents = load_passages()
    vectors = encoder.embed_documents([document.text for document in documents])
    if request.param == "chroma":
        client = chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))
        vectorstore = Chroma("langchain", LangChain.embeddings(encoder), client=client)
        collection = client.create_collection("llama_index", embedding_function=None)
        theirs = ChromaVectorStore(chroma_collection=collection)
    else:
        vectorstore, theirs = InMemoryVectorStore(LangChain.embeddings(encoder)), SimpleVectorStore()
    vectorstore.add_texts([d.text for d in documents], ids=[d.id for d in documents])
    nodes = [TextNode(id_=d.id, text=d.text, embedding=v.tolist()) for d, v in zip(documents, vectors, strict=True)]
    context = StorageContext.from_defaults(vector_store=theirs)
    return vectorstore, VectorStoreIndex(nodes, storage_context=context, embed_model=LlamaIndex.embeddings(encoder))


@pytest.mark.filterwarnings("ignore:The plain question is used")  # for "no query at all"; tested elsewhere
@pytest.mark.parametrize("semantics", ["calibrated", "itlr"])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
async def test_rankings_are_equal(stores, answer, semantics):
    langchain, llama_index = (
        framework.package.LogicalRetriever(
            store,
            transformer=framework.package.LogicalQueryTransformer(framework.llm(answer)),
            **{"semantics": semantics, "metadata": True, framework.k: 20},
        )
        for framework, store in zip((LangChain(), LlamaIndex()), stores, strict=True)
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

"""Both frameworks give the same ranking for the same model answer, store content and settings."""

import pytest
from both_frameworks import LangChain, LlamaIndex

from logical_retriever.demo import load_passages
from logical_retriever.encoders import SentenceTransformerEmbedder

pytestmark = pytest.mark.slow

QUESTION = "What is good about vitamin D, bone health aside?"
FRAMEWORKS = (LangChain(), LlamaIndex())
ANSWERS = {
    "exclusion": '"benefits of vitamin D" AND NOT "bone health"',
    "nested": '("green tea" OR "coffee") AND NOT ("caffeine" OR "sleep")',
    "both": '"vitamin D" AND "winter"',
    "plain": f'"{QUESTION}"',
    "no query at all": "I would rather not.",
}


@pytest.fixture(scope="module")
def stores():
    """The same documents in a vector store of LangChain and an index of LlamaIndex."""
    encoder = SentenceTransformerEmbedder()
    documents = {document.id: (document.text, {}) for document in load_passages()}
    return [framework.store(documents, encoder) for framework in FRAMEWORKS]


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
        for framework, store in zip(FRAMEWORKS, stores, strict=True)
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

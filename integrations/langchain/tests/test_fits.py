"""Each component of LangChain that worked with ``as_retriever()`` works with the logical retriever."""

from __future__ import annotations

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_classic.retrievers import (
    ContextualCompressionRetriever,
    EnsembleRetriever,
    MergerRetriever,
    MultiQueryRetriever,
    MultiVectorRetriever,
    ParentDocumentRetriever,
)
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda
from langchain_core.stores import InMemoryStore
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import CharacterTextSplitter

from langchain_logical_retriever import LogicalCompressor, LogicalRetriever

QUESTION = "vitamin D benefits other than bone health"
VARIANTS = [QUESTION, "vitamin D benefits excluding bone health", "vitamin D benefits"]


@pytest.fixture
def retriever(vectorstore):
    return LogicalRetriever.from_vectorstore(vectorstore, k=3)


def ids(documents):
    return [document.id for document in documents]


def test_what_was_found_can_be_put_into_chroma_and_found_again(retriever, make_chroma):
    found = retriever.invoke(QUESTION)
    other = make_chroma(found, name="answers")
    again = LogicalRetriever.from_vectorstore(other, k=3).invoke("vitamin D")
    assert set(ids(again)) == set(ids(found))
    assert {document.metadata["logical_query"] for document in again} == {'"vitamin D"'}
    assert again[0].metadata["theme"] == "vitamin"


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_many_queries_bring_each_document_once(vectorstore, asynchronous):
    retriever = LogicalRetriever.from_vectorstore(vectorstore, k=3, metadata_key=None)
    many = MultiQueryRetriever(retriever=retriever, llm_chain=RunnableLambda(lambda _: VARIANTS))
    found = await many.ainvoke(QUESTION) if asynchronous else many.invoke(QUESTION)
    assert len(found) == len(set(ids(found)))


@pytest.mark.parametrize("id_key", [None, "theme"])
def test_an_ensemble_with_dense_retrieval(retriever, vectorstore, id_key):
    both = EnsembleRetriever(retrievers=[retriever, vectorstore.as_retriever()], weights=[0.7, 0.3], id_key=id_key)
    found = both.invoke(QUESTION)
    assert len(found) == len({document.metadata.get(id_key) if id_key else document.page_content for document in found})
    assert found[0].id == retriever.invoke(QUESTION)[0].id


def test_a_merger_takes_turns(retriever, vectorstore):
    found = MergerRetriever(retrievers=[retriever, vectorstore.as_retriever()]).invoke(QUESTION)
    assert ids(found)[0::2][:3] == ids(retriever.invoke(QUESTION))


def test_compression_behind_and_before(retriever, vectorstore):
    compressor = LogicalCompressor(vectorstore=vectorstore, top_n=2)
    behind = ContextualCompressionRetriever(base_retriever=retriever, base_compressor=compressor)
    dense = ContextualCompressionRetriever(
        base_retriever=vectorstore.as_retriever(search_kwargs={"k": 6}), base_compressor=compressor
    )
    assert set(ids(behind.invoke(QUESTION))) == set(ids(dense.invoke(QUESTION))) == {"mood", "immune"}


def test_a_retrieval_chain_with_its_context(retriever):
    chain = create_retrieval_chain(retriever, RunnableLambda(lambda inputs: ids(inputs["context"])[0]))
    made = chain.invoke({"input": QUESTION})
    assert made["answer"] == made["context"][0].id == ids(retriever.invoke(QUESTION))[0]


def parents_of(retriever, docstore, id_key):
    """The documents whose parts were found, best first, each once."""

    def parents(parts):
        keys = list(dict.fromkeys(part.metadata[id_key] for part in parts))
        return [parent for parent in docstore.mget(keys) if parent is not None]

    return retriever | RunnableLambda(parents)


def test_parents_of_the_parts_that_are_found(embeddings):
    parts, docstore = InMemoryVectorStore(embeddings), InMemoryStore()
    filled = ParentDocumentRetriever(
        vectorstore=parts, docstore=docstore, child_splitter=CharacterTextSplitter(".", chunk_size=40, chunk_overlap=0)
    )
    filled.add_documents(
        [
            Document(page_content="Vitamin D benefits for mood. It is made in the sun."),
            Document(page_content="Vitamin D benefits for bone health. Calcium and bone health."),
        ]
    )
    retriever = LogicalRetriever.from_vectorstore(parts, k=2)
    [first, *_] = parents_of(retriever, docstore, filled.id_key).invoke(QUESTION)
    assert first.page_content.startswith("Vitamin D benefits for mood. It is made")


def test_documents_of_the_summaries_that_are_found(embeddings):
    summaries, docstore = InMemoryVectorStore(embeddings), InMemoryStore()
    filled = MultiVectorRetriever(vectorstore=summaries, docstore=docstore, id_key="whole")
    docstore.mset([("m", Document(page_content="M, whole")), ("b", Document(page_content="B, whole"))])
    filled.vectorstore.add_documents(
        [
            Document(page_content="vitamin D benefits for mood", metadata={"whole": "m"}),
            Document(page_content="what vitamin D does for the mood", metadata={"whole": "m"}),
            Document(page_content="vitamin D benefits for bone health", metadata={"whole": "b"}),
        ]
    )
    found = parents_of(LogicalRetriever.from_vectorstore(summaries, k=3, exclusion="rank"), docstore, "whole").invoke(
        QUESTION
    )
    assert [document.page_content for document in found] == ["M, whole", "B, whole"]

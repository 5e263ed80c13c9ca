"""An index of words beside a LangChain vector store."""

import warnings

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_logical_retriever import LogicalRetriever

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the package says at import that it is no longer developed
    from langchain_community.vectorstores.faiss import FAISS

TEXTS = [f"a passage about music, number {i}" for i in range(300)] + ["the ophicleides of Paris"]
DOCUMENTS = [Document(text, id=str(i), metadata={"odd": bool(i % 2)}) for i, text in enumerate(TEXTS)]


@pytest.mark.parametrize("kind", [FAISS, InMemoryVectorStore])
def test_a_document_that_only_its_words_find(kind, tmp_path):
    vectorstore = kind.from_documents(DOCUMENTS, DeterministicFakeEmbedding(size=8))
    for _ in range(2):
        retriever = LogicalRetriever.from_vectorstore(vectorstore, k=2, fetch_k=5, words_index=tmp_path / "words")
        assert retriever.invoke("an ophicleide, but no music")[0].page_content == TEXTS[-1]
    filtered = LogicalRetriever.from_vectorstore(
        vectorstore,
        k=2,
        words_index=tmp_path / "words",
        filter=(lambda kept: (kept if kind is FAISS else kept.metadata)["odd"]),
    )
    assert all(document.metadata["odd"] for document in filtered.invoke("an ophicleide, but no music"))

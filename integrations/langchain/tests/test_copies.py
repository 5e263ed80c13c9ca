"""Retrievers copied, pickled and configured: the copy does what its fields say, and what was learnt stays."""

from __future__ import annotations

import copy
import pickle

import pytest
from langchain_core.runnables import ConfigurableField

from langchain_logical_retriever import LogicalCompressor, LogicalRetriever
from logical_retriever.errors import InvalidArgumentError

QUESTION = "vitamin D benefits other than bone health"


def ids(documents):
    return [document.id for document in documents]


def test_a_copy_follows_its_update(vectorstore):
    retriever = LogicalRetriever.from_vectorstore(vectorstore, k=3)
    other = retriever.model_copy(update={"k": 1, "metadata_key": None})
    assert ids(other.invoke(QUESTION)) == ids(retriever.invoke(QUESTION))[:1]
    assert "logical_score" not in other.invoke(QUESTION)[0].metadata
    assert (len(retriever.invoke(QUESTION)), other.vectorstore) == (3, vectorstore)
    for update, match in (({"k": 0}, "k"), ({"kk": 1}, "no argument 'kk'")):
        with pytest.raises(InvalidArgumentError, match=match):
            retriever.model_copy(update=update)


def test_a_deep_copy_has_a_store_of_its_own(in_memory):
    retriever = LogicalRetriever.from_vectorstore(in_memory, k=3)
    before = ids(retriever.invoke(QUESTION))
    for other in (copy.deepcopy(retriever), retriever.model_copy(deep=True)):
        assert ids(other.invoke(QUESTION)) == before
        assert other.vectorstore is not in_memory
        other.vectorstore.delete(before)
        assert ids(retriever.invoke(QUESTION)) == before
    assert ids(copy.copy(retriever).invoke(QUESTION)) == before


def test_a_pickled_retriever_answers_alike(in_memory):
    retriever = LogicalRetriever.from_vectorstore(in_memory, k=3)
    before = retriever.invoke(QUESTION)
    again = pickle.loads(pickle.dumps(retriever)).invoke(QUESTION)
    assert again == before
    compressor = LogicalCompressor(vectorstore=in_memory, top_n=2)
    other = pickle.loads(pickle.dumps(compressor))
    assert ids(other.compress_documents(before, QUESTION)) == ids(compressor.compress_documents(before, QUESTION))


def test_a_store_that_is_a_connection_says_so(make_chroma, documents):
    retriever = LogicalRetriever.from_vectorstore(make_chroma(documents))
    for way, word in ((pickle.dumps, "pickled"), (copy.deepcopy, "deep-copied")):
        with pytest.raises(InvalidArgumentError, match=f"vectorstore of .* a Chroma, cannot be {word}"):
            way(retriever)
    assert ids(copy.copy(retriever).invoke(QUESTION)) == ids(retriever.invoke(QUESTION))


def test_configured_retrievers_learn_about_the_store_once(in_memory, embeddings):
    retriever = LogicalRetriever.from_vectorstore(in_memory)
    configured = retriever.configurable_fields(k=ConfigurableField("k"))
    configured.invoke(QUESTION)
    embeddings.calls.clear()
    for k in (1, 2, 3):
        assert len(configured.invoke(QUESTION, {"configurable": {"k": k}})) == k
    assert "embed_documents" not in embeddings.calls  # the sentences that statistics of small stores need
    retriever.model_copy(update={"k": 1}).invoke(QUESTION)
    assert "embed_documents" not in embeddings.calls


def test_search_kwargs_are_configured_as_of_as_retriever(vectorstore):
    retriever = LogicalRetriever.from_vectorstore(vectorstore, search_kwargs={"k": 3})
    every = ids(retriever.invoke(QUESTION))
    configured = retriever.configurable_fields(
        search_kwargs=ConfigurableField("search_kwargs"), search_type=ConfigurableField("search_type")
    )

    def found(**chosen):
        return ids(configured.invoke(QUESTION, {"configurable": chosen}))

    assert found(search_kwargs={"k": 1}) == every[:1]
    assert len(every) == len(found()) == 3
    assert found(search_kwargs={"score_threshold": 1.0}) == []
    assert found(search_type="similarity_score_threshold", search_kwargs={"score_threshold": 0.0, "k": 2}) == every[:2]
    assert found(search_type="mmr", search_kwargs={"k": 2, "fetch_k": 3, "lambda_mult": 1}) == every[:2]
    assert ids(retriever.model_copy(update={"search_kwargs": {"k": 1}}).invoke(QUESTION)) == every[:1]
    with pytest.raises(InvalidArgumentError, match="k must be an integer of at least 1"):
        found(search_kwargs={"k": 0})
    with pytest.raises(InvalidArgumentError, match="there is no threshold"):
        found(search_type="similarity_score_threshold")
    with pytest.raises(InvalidArgumentError, match="There is no search_type 'cosine'"):
        LogicalRetriever(vectorstore=vectorstore, search_type="cosine")


def test_other_embeddings_over_a_store_share_nothing(in_memory, embeddings):
    mine = LogicalRetriever.from_vectorstore(in_memory)
    mine.invoke(QUESTION)
    theirs = type(embeddings)()
    LogicalRetriever.from_vectorstore(in_memory, embeddings=theirs).invoke(QUESTION)
    assert "embed_documents" in theirs.calls

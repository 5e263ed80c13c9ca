"""The habits of ``as_retriever(search_type=..., search_kwargs=...)``: thresholds and diversity."""

from __future__ import annotations

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_core.vectorstores.utils import maximal_marginal_relevance

from langchain_logical_retriever import LogicalRetriever, create_logical_search_tool
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.integration.diversity import marginal_relevance
from logical_retriever.vectors import cosines

QUESTION = "vitamin D benefits other than bone health"
over = LogicalRetriever.from_vectorstore


def ids(documents):
    return [document.id for document in documents]


def relevances(documents):
    return [document.metadata["logical_relevance"] for document in documents]


def test_a_threshold_is_a_relevance(vectorstore):
    every = over(vectorstore, k=9).invoke(QUESTION)
    assert relevances(every) == sorted(relevances(every), reverse=True)
    assert all(0.0 <= relevance <= 1.0 for relevance in relevances(every))
    threshold = relevances(every)[1]
    above = [document.id for document in every if document.metadata["logical_relevance"] >= threshold]
    assert 2 <= len(above) < len(every)
    kwargs = {"k": 9, "score_threshold": threshold}
    for retriever in (
        over(vectorstore, search_type="similarity_score_threshold", search_kwargs=kwargs),
        over(vectorstore, search_kwargs=kwargs),
        over(vectorstore, k=9, min_relevance=threshold),
    ):
        assert ids(retriever.invoke(QUESTION)) == above
        assert len(retriever.invoke(QUESTION, score_threshold=0.0)) == len(every)
    assert ids(over(vectorstore, k=9).invoke(QUESTION, score_threshold=threshold)) == above


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"search_type": "cosine"}, "no search_type 'cosine'"),
        ({"search_type": "similarity_score_threshold"}, "there is no threshold"),
        ({"search_kwargs": {"score_threshold": "0.5"}}, "score_threshold must be a number from 0 to 1, got '0.5'"),
        ({"search_kwargs": {"score_threshold": 1.5}}, "score_threshold must be a number from 0 to 1"),
        ({"search_kwargs": {"score_threshold": float("nan")}}, "score_threshold must be"),
        ({"search_kwargs": {"score_threshold": True}}, "score_threshold must be"),
        ({"search_kwargs": {"score_threshold": 0.5}, "min_relevance": 0.5}, "min_relevance was given twice"),
        ({"search_kwargs": {"k": 3}, "k": 3}, "k was given twice"),
        ({"search_kwargs": {"k": 2.5}}, "k must be an integer of at least 1"),
        ({"min_relevance": -0.1}, "min_relevance must be"),
        ({"search_kwargs": {"lambda_mult": 0.5}}, "lambda_mult was given, and search_type is 'similarity'"),
        ({"search_type": "mmr", "search_kwargs": {"lambda_mult": 2}}, "lambda_mult must be a number from 0 to 1"),
        ({"search_type": "mmr", "search_kwargs": {"lambda_mult": "high"}}, "lambda_mult must be"),
        ({"search_type": "mmr", "search_kwargs": {"fetch_k": 0}}, "fetch_k must be an integer of at least 1"),
    ],
)
def test_what_cannot_be_is_refused_when_it_is_made(in_memory, arguments, match):
    with pytest.raises(InvalidArgumentError, match=match):
        over(in_memory, **arguments)


def test_a_call_takes_every_setting(vectorstore):
    retriever = over(vectorstore, k=9)
    every = retriever.invoke(QUESTION, exclusion="rank")
    assert len(every) == 6
    assert len(retriever.invoke(QUESTION)) < 6
    least = relevances(every)[1]
    for settings in ({"score_threshold": least}, {"min_relevance": least}):
        assert ids(retriever.invoke(QUESTION, exclusion="rank", **settings)) == ids(every)[:2]
        assert ids(retriever.search('"vitamin D benefits"', k=2, **settings))
    for threshold in ("0.5", 2, float("nan"), True):
        with pytest.raises(InvalidArgumentError, match="score_threshold must be a number from 0 to 1"):
            retriever.invoke(QUESTION, score_threshold=threshold)


@pytest.fixture
def repeated(embeddings):
    texts = {
        "mood": "vitamin D benefits for mood",
        "mood again": "vitamin D benefits for the mood",
        "immune": "vitamin D benefits for immunity of children",
        "bone": "vitamin D benefits for bone health",
        "tea": "green tea and brewing water",
    }
    documents = [Document(text, id=id) for id, text in texts.items()]
    return InMemoryVectorStore.from_documents(documents, embeddings)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_diverse_documents_and_none_that_is_excluded(repeated, asynchronous):
    plain = over(repeated, k=2)
    diverse = over(repeated, search_type="mmr", search_kwargs={"k": 2, "fetch_k": 3, "lambda_mult": 0.3})

    async def found(retriever):
        return ids(await retriever.ainvoke(QUESTION) if asynchronous else retriever.invoke(QUESTION))

    assert set(await found(plain)) == {"mood", "mood again"}
    assert (await found(diverse))[0] == (await found(plain))[0]
    assert (await found(diverse))[1] == "immune"
    assert ids(diverse.search('"vitamin D benefits" AND NOT "bone health"'))[1] == "immune"
    assert "bone" not in ids(diverse.invoke(QUESTION, k=5))
    assert ids(diverse.invoke(QUESTION, fetch_k=2)) == ids(plain.invoke(QUESTION))  # none but the best to choose from
    only_relevant = over(repeated, search_type="mmr", search_kwargs={"k": 2, "lambda_mult": 1})
    assert await found(only_relevant) == await found(plain)


def test_an_agents_tool_over_a_diverse_retriever(repeated):
    diverse = over(repeated, search_type="mmr", search_kwargs={"k": 2, "fetch_k": 3, "lambda_mult": 0.3})
    tool = create_logical_search_tool(diverse)
    called = {
        "type": "tool_call",
        "id": "1",
        "name": tool.name,
        "args": {"all_of": ["vitamin D benefits"], "none_of": ["bone health"]},
    }
    assert ids(tool.invoke(called).artifact)[1] == "immune"


@pytest.mark.parametrize("lambda_mult", [0.0, 0.3, 0.5, 1.0])
def test_the_choice_is_langchains_where_relevance_is_a_cosine(lambda_mult):
    random = np.random.default_rng(7)
    query, vectors = random.normal(size=(1, 16)), random.normal(size=(40, 16)).astype(np.float32)
    relevance = cosines(query.astype(np.float32), vectors)[0]
    expected = maximal_marginal_relevance(query[0], list(vectors), lambda_mult=lambda_mult, k=12)
    assert marginal_relevance(relevance, vectors, 12, lambda_mult) == expected

"""Which question went to plain retrieval, and why: an explanation says so in words."""

import numpy as np
import pytest

from logical_retriever import LogicalRetriever, ReadQuestion, parse
from logical_retriever.explain.html import to_html
from logical_retriever.testing import HashingEmbedder

TEXTS = ["green tea and brewing", "green tea and health", "a garden of green tea", "coffee and sleep"]
PLAIN = "the question as it stands, by its own vector and its words"


def over(**options):
    return LogicalRetriever.from_texts(TEXTS, HashingEmbedder(), k=2, **options)


@pytest.mark.parametrize(
    ("query", "method", "why"),
    [
        ('"green tea and health"', "llm", "the question has no logic"),
        ('"tea that is green and healthy"', "llm", "the question has no logic"),
        ('"green tea" AND "health"', "llm", "nothing is excluded"),
        ('"green tea and health"', "dense", "there is no logical query"),
    ],
)
def test_plain_retrieval_is_named_with_its_reason(query, method, why):
    question = "green tea and health"
    retriever = over()
    story = retriever.explain(ReadQuestion(question, parse(query), method=method))
    assert story.searched == '"green tea and health"'
    assert story.routed == f"{why}: {PLAIN}"
    assert f"Searched for   {story.searched}  ({why}: {PLAIN})" in str(story)
    assert story.to_dict()["routed"] == story.routed
    assert f"{why}: {PLAIN}" in to_html(story)
    plain = retriever.search(ReadQuestion(question, parse(f'"{question}"'), method="recorded"))
    assert [document.id for document in story.result.documents] == [document.id for document in plain.documents]


def test_what_is_said_of_a_plain_question_is_what_is_done():
    """By vectors alone the order is that of the question's own cosines; where words are named, words count."""
    question = "a garden of tea in green"
    embedder = HashingEmbedder()
    cosines = embedder.embed_documents(TEXTS) @ embedder.embed_queries([question])[0]
    dense = LogicalRetriever.from_texts(TEXTS, embedder, k=4, words=0.0).explain(question)
    assert dense.routed == "the question has no logic: the question as it stands, by its own vector"
    assert [TEXTS.index(document.text) for document in dense.result.documents] == list(np.argsort(-cosines))
    assert all(document.sources == {} for document in dense.result.documents)
    both = over().explain(question)
    assert both.routed == f"the question has no logic: {PLAIN}"
    assert all(document.sources[question].words > 0.0 for document in both.result.documents)


@pytest.mark.parametrize("query", ["green tea, excluding brewing", parse('"green tea" AND "health"'), parse('"tea"')])
def test_exclusions_and_queries_of_the_caller_are_searched_for_as_they_are(query):
    story = over().explain(query)
    assert story.routed is None
    assert "Searched for" not in str(story)
    assert story.to_dict()["routed"] is None


def test_the_explanation_says_what_evidence_was_used():
    question = "green tea, excluding brewing"
    both = over().explain(question)
    assert "Evidence       vectors, and words by its index of words" in str(both)
    assert both.to_dict()["cost"]["words"] == "its index of words"
    vectors = over(words=0.0).explain(question)
    assert "Evidence       vectors\n" in str(vectors)
    assert vectors.to_dict()["cost"]["words"] is None

"""Metadata of an answer's documents, the event of a question, and arguments that all frameworks check alike."""

import json

import pytest
from recorded_reader import RecordedReader

from logical_retriever import LogicalRetriever
from logical_retriever.adapters import (
    QuestionReader,
    ReadQuestion,
    SearchOptions,
    answer_metadata,
    choose_transformer,
    parse,
    query_event,
)
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

QUESTION = "green tea, excluding brewing"


@pytest.mark.parametrize("scores", [False, True])
@pytest.mark.parametrize("problem", [None, "It was not understood."])
def test_metadata_are_what_they_were_and_what_is_asked_for(scores, problem):
    own = {"year": 2024, "logical_problem": "of an earlier question"}
    embedder = HashingEmbedder()
    store = InMemoryStore([StoredDocument("a", "green tea", own)], embedder.embed_documents(["green tea"]))
    result = LogicalRetriever(store, embedder).search('"green tea" AND NOT "brewing"')
    [ranked] = result.documents
    added = {} if problem is None else {"logical_problem": problem}
    if scores:
        added |= {"logical_score": ranked.score, "logical_relevance": ranked.relevance}
        added |= {"logical_query": '"green tea" AND NOT "brewing"'}
    assert answer_metadata(ranked, result, problem, scores=scores) == {"year": 2024, **added}
    assert own == {"year": 2024, "logical_problem": "of an earlier question"}


def test_an_event_says_the_query_and_what_is_searched_for():
    made = ReadQuestion(QUESTION, parse('"green tea" AND NOT "brewing"'), method="tagger")
    event = query_event(made, SearchOptions())
    assert json.loads(json.dumps(event)) == event
    assert event["question"] == QUESTION
    assert event["logical_query"] == event["searched"] == str(made.query)
    plain = ReadQuestion("green tea", parse('"green tea and its leaves"'), method="llm")
    assert query_event(plain, SearchOptions())["searched"] == '"green tea"'


def test_a_model_or_a_transformer_or_neither():
    assert choose_transformer("model", None, lambda llm: (llm,)) == ("model",)
    recorded = RecordedReader({})
    assert choose_transformer(None, recorded, tuple) is recorded
    assert isinstance(choose_transformer(None, None, tuple), QuestionReader)
    with pytest.raises(InvalidArgumentError, match="Both llm and transformer"):
        choose_transformer("model", "transformer", tuple)

"""Metadata of an answer's documents, the event of a question, and arguments that all frameworks check alike."""

import json
from functools import partial

import pytest
from recorded_reader import RecordedReader

from logical_retriever import LogicalRetriever
from logical_retriever.adapters import (
    ReadQuestion,
    answer_metadata,
    check_transformer,
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


@pytest.mark.parametrize(
    ("query", "method", "always", "searched"),
    [
        ('"green tea" AND NOT "brewing"', "tagger", [], '"green tea" AND NOT "brewing"'),
        ('"green tea and its leaves"', "llm", [], f'"{QUESTION}"'),
        ('"green tea"', "typed", ["coffee"], '"green tea" AND NOT "coffee"'),
        ('"green tea" AND [year = 2024]', "llm", ["coffee"], '[year = 2024] AND "green tea" AND NOT "coffee"'),
    ],
)
def test_an_event_says_what_the_result_says_was_searched(query, method, always, searched):
    made = ReadQuestion(QUESTION, parse(query), method)
    retriever = LogicalRetriever.from_texts(["green tea"], HashingEmbedder(), always_exclude=always)
    event = query_event(made, retriever)
    assert json.loads(json.dumps(event)) == event
    assert (event["question"], event["logical_query"]) == (QUESTION, query)
    assert event["searched"] == retriever.search(made).searched == searched


def test_a_model_or_a_transformer_or_neither():
    check = partial(check_transformer, kinds="a QueryTransformer", hint="Pass one.")
    for llm, transformer in ((None, None), ("model", None), (None, RecordedReader({}))):
        check(llm, transformer)
    with pytest.raises(InvalidArgumentError, match="Both llm and transformer"):
        check("model", RecordedReader({}))
    for wrong in ("auto", RecordedReader):
        with pytest.raises(InvalidArgumentError, match="must be a QueryTransformer"):
            check(None, wrong)

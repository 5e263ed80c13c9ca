"""The event of a question, and arguments that all frameworks check alike."""

import json
from functools import partial

import pytest
from recorded_reader import RecordedReader

from logical_retriever import LogicalRetriever
from logical_retriever.adapters import (
    ReadQuestion,
    check_transformer,
    parse,
    query_event,
)
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.testing import HashingEmbedder

QUESTION = "green tea, excluding brewing"


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

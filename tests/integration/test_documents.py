"""A ranking on its way into a framework: copies, reasons, events, and a second stage over found documents."""

import json

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.integration import (
    QuestionReader,
    SearchOptions,
    Transformation,
    check_metadata_key,
    choose_transformer,
    parse,
    query_event,
    with_reasons,
)
from logical_retriever.transform import RecordedQueryTransformer

QUESTION = "green tea, excluding brewing"
MADE = Transformation(QUESTION, parse('"green tea" AND NOT "brewing"'), method="tagger")
WHY = {"query": '"tea"', "score": 0.0, "terms": {"tea": 0.5}, "exact": False}


def test_metadata_are_copied_all_the_way_down_and_leaves_shared():
    leaf = object()
    metadata = {"list": [{"leaf": leaf}]}
    for key in ("logical", None):
        copy = with_reasons(metadata, {"score": 1.0}, key)
        copy["list"][0]["more"] = 1
        assert copy["list"][0]["leaf"] is leaf
        assert metadata == {"list": [{"leaf": leaf}]}
    assert with_reasons(metadata, {"score": 1.0}, None) == metadata


def test_reasons_are_values_that_a_store_takes():
    assert with_reasons({"year": 2024}, WHY, "logical") == {
        "year": 2024,
        "logical_query": '"tea"',
        "logical_score": 0.0,
        "logical_terms": '{"tea": 0.5}',
        "logical_exact": False,
    }
    assert "logical_score" not in with_reasons({}, {**WHY, "score": None}, "logical")


def test_a_key_of_the_stores_own_is_never_lost():
    assert with_reasons({"logical": "mine"}, WHY, "logical")["logical"] == "mine"
    with pytest.raises(InvalidArgumentError, match="metadata of its own under 'why_score'") as error:
        with_reasons({"why_score": 3}, WHY, "why")
    assert "metadata_key=" in str(error.value)


def test_reasons_of_an_earlier_answer_are_replaced():
    earlier = with_reasons({"year": 1}, {**WHY, "score": 9.0, "relevance": 0.9}, "logical")
    again = with_reasons(earlier, WHY, "logical")
    assert (again["logical_score"], again["year"]) == (0.0, 1)
    assert "logical_relevance" not in again


def test_an_event_says_what_was_made_and_what_is_searched_for():
    event = query_event(MADE, SearchOptions())
    assert json.loads(json.dumps(event)) == event
    assert (event["question"], event["searched"]) == (QUESTION, str(MADE.query))
    plain = Transformation("green tea", parse('"green tea and its leaves"'), method="llm")
    assert query_event(plain, SearchOptions())["searched"] == '"green tea"'


def test_a_model_or_a_transformer_or_neither():
    assert choose_transformer("model", None, lambda llm: (llm,)) == ("model",)
    given = RecordedQueryTransformer({})
    assert choose_transformer(None, given, tuple) is given
    assert isinstance(choose_transformer(None, None, tuple), QuestionReader)
    with pytest.raises(InvalidArgumentError, match="Both llm and transformer"):
        choose_transformer("model", "transformer", tuple)


@pytest.mark.parametrize("key", ["", 3, b"logical"])
def test_a_key_that_cannot_name_metadata(key):
    with pytest.raises(InvalidArgumentError, match="metadata_key is"):
        check_metadata_key(key)

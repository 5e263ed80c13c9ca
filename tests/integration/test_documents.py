"""A ranking on its way into a framework: copies, reasons, events, and a second stage over found documents."""

import copy
import json
import pickle

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.integration import (
    CueQueryTransformer,
    QuestionReader,
    Transformation,
    check_metadata_key,
    choose_transformer,
    parse,
    query_event,
    with_reasons,
)

QUESTION = "green tea, excluding brewing"
MADE = Transformation(QUESTION, parse('"green tea" AND NOT "brewing"'), method="cue")
WHY = {"query": '"tea"', "score": 0.0, "terms": {"tea": 0.5}, "exact": False}
TEXTS = ["green tea and brewing", "black coffee", "green tea and health"]


def test_metadata_are_copied_all_the_way_down_and_leaves_shared():
    leaf = object()
    metadata = {"list": [{"leaf": leaf}]}
    for style in ("flat", "nested"):
        copy = with_reasons(metadata, {"score": 1.0}, "logical", style)
        copy["list"][0]["more"] = 1
        assert copy["list"][0]["leaf"] is leaf
        assert copy["logical"] == {"score": 1.0}
        assert metadata == {"list": [{"leaf": leaf}]}
    assert with_reasons(metadata, {"score": 1.0}, None) == metadata


def test_flat_reasons_are_values_that_a_store_takes():
    metadata = with_reasons({"year": 2024}, WHY, "logical", "flat")
    assert dict(metadata) == {
        "year": 2024,
        "logical_query": '"tea"',
        "logical_score": 0.0,
        "logical_terms": '{"tea": 0.5}',
        "logical_exact": False,
    }
    assert metadata["logical"] == metadata.get("logical") == WHY
    assert "logical" in metadata
    assert metadata.get("other", 3) == 3
    with pytest.raises(KeyError):
        metadata["other"]
    unscored = with_reasons({}, {**WHY, "score": None}, "logical", "flat")
    assert "logical_score" not in unscored
    assert unscored["logical"]["score"] is None


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda value: pickle.loads(pickle.dumps(value))])
def test_flat_reasons_survive_a_copy(copied):
    metadata = with_reasons({"year": 2024}, WHY, "logical", "flat")
    other = copied(metadata)
    assert dict(other) == dict(metadata)
    assert other["logical"] == WHY


def test_documents_are_equal_whatever_they_were_found_for():
    one, two = (with_reasons({"year": 1}, {**WHY, "score": score}, "logical", "flat") for score in (0.1, 0.9))
    assert one == two
    assert (one != two) is False
    assert one != with_reasons({"year": 2}, WHY, "logical", "flat")
    assert one == dict(one)
    assert one != {"year": 1}


def test_a_key_of_the_stores_own_is_never_lost():
    mine = {"logical": "mine"}
    flat = with_reasons(mine, WHY, "logical", "flat")
    assert (flat["logical"], flat["logical_query"]) == ("mine", '"tea"')
    with pytest.raises(InvalidArgumentError, match="'logical', where") as error:
        with_reasons(mine, WHY, "logical", "nested")
    assert "metadata_key=" in str(error.value)
    for style in ("flat", "nested"):
        with pytest.raises(InvalidArgumentError, match="metadata of its own under 'why"):
            with_reasons({"why_score": 3, "why": 3}, WHY, "why", style)


@pytest.mark.parametrize("before", ["flat", "nested"])
@pytest.mark.parametrize("style", ["flat", "nested"])
def test_reasons_of_an_earlier_answer_are_replaced(before, style):
    earlier = with_reasons({"year": 1}, {**WHY, "score": 9.0}, "logical", before)
    for there in (earlier, dict(earlier)):  # scored again; or stored, and found again
        again = with_reasons(there, WHY, "logical", style)
        assert again["logical"] == WHY
        if style == "flat":
            assert again["logical_score"] == 0.0
            assert again.stored() == {"year": 1}


def test_an_event_says_what_was_made_and_what_is_searched_for():
    event = query_event(MADE, "calibrated")
    assert json.loads(json.dumps(event)) == event
    assert (event["question"], event["searched"]) == (QUESTION, str(MADE.query))
    plain = Transformation("green tea", parse('"green tea and its leaves"'), method="llm")
    assert query_event(plain, "calibrated")["searched"] == '"green tea"'


def test_a_model_or_a_transformer_or_neither():
    assert choose_transformer("model", None, lambda llm: (llm,)) == ("model",)
    given = CueQueryTransformer()
    assert choose_transformer(None, given, tuple) is given
    assert isinstance(choose_transformer(None, "cue", tuple), CueQueryTransformer)
    with pytest.raises(InvalidArgumentError, match="There is no transformer 'cues'"):
        choose_transformer(None, "cues", tuple)
    assert isinstance(choose_transformer(None, None, tuple), QuestionReader)
    with pytest.raises(InvalidArgumentError, match="Both llm and transformer"):
        choose_transformer("model", "transformer", tuple)
    with pytest.raises(InvalidArgumentError, match="read is 'rules', and a transformer"):
        choose_transformer(None, given, tuple, read="rules")
    with pytest.raises(InvalidArgumentError, match="there is no model"):
        choose_transformer(None, None, tuple, read="always_llm")


@pytest.mark.parametrize("key", ["", 3, b"logical"])
def test_a_key_that_cannot_name_metadata(key):
    with pytest.raises(InvalidArgumentError, match="metadata_key is"):
        check_metadata_key(key)

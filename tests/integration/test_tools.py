"""An agent's tool call becomes a logical query, or a text that the agent's model can act on."""

import json
import threading

import pytest

from logical_retriever import And, Not, Or, Term, parse
from logical_retriever.errors import (
    InvalidArgumentError,
    LogicalSyntaxError,
    QueryTooLongError,
    StoreCapabilityError,
    TooManyTermsError,
)
from logical_retriever.integration.tools import (
    ARGUMENT_ERRORS,
    SEARCH_ERRORS,
    TOOL_DESCRIPTION,
    LogicalSearch,
    LogicalSearchArguments,
    error_message,
    exclusions_in_words,
    format_passages,
    read_arguments,
)
from logical_retriever.query import MAX_LENGTH, MAX_TERMS


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        ({"all_of": ["a"]}, '"a"'),
        ({"all_of": ["a", "b"]}, '"a" AND "b"'),
        ({"any_of": ["a"]}, '"a"'),
        ({"any_of": ["a", "b"]}, '"a" OR "b"'),
        ({"none_of": ["a"]}, 'NOT "a"'),
        ({"none_of": ["a", "b"]}, 'NOT "a" AND NOT "b"'),
        ({"all_of": ["a"], "any_of": ["b"], "none_of": ["c"]}, '"a" AND "b" AND NOT "c"'),
        ({"all_of": ["a"], "any_of": ["b", "c"], "none_of": ["d"]}, '"a" AND ("b" OR "c") AND NOT "d"'),
        ({"any_of": ["b", "c"], "none_of": ["d", "e"]}, '("b" OR "c") AND NOT "d" AND NOT "e"'),
        ({"query": '"a" AND NOT ("b" OR c)'}, '"a" AND NOT ("b" OR "c")'),
        ({"all_of": ["a"], "query": ""}, '"a"'),
        ({"all_of": ["a"], "any_of": None, "none_of": [], "query": None}, '"a"'),
        ({"all_of": ("a",)}, '"a"'),
        ({"all_of": ['say "b" NOT c']}, '"say \\"b\\" NOT c"'),
    ],
)
def test_a_call_is_the_query_it_says(arguments, query):
    read = read_arguments(arguments)
    assert str(read) == query
    assert parse(str(read)) == read


def test_every_entry_of_none_of_is_negated():
    topics = [f"t{i}" for i in range(MAX_TERMS - 1)]
    read = read_arguments({"all_of": ["wanted"], "none_of": topics})
    assert read == And((Term("wanted"), *(Not(Term(topic)) for topic in topics)))


def test_a_topic_given_twice_counts_once_in_the_order_given():
    assert read_arguments({"any_of": ["Tea", "milk", " tea ", "MILK", "rice"]}) == Or(
        (Term("Tea"), Term("milk"), Term("rice"))
    )


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({}, InvalidArgumentError, "nothing to search for"),
        ({"all_of": [], "any_of": [], "none_of": [], "query": "  "}, InvalidArgumentError, "nothing to search for"),
        ({"all_of": "cats"}, InvalidArgumentError, r"all_of is str 'cats', not a list"),
        ({"none_of": {"topic": "cats"}}, InvalidArgumentError, "none_of is dict"),
        ({"any_of": 3}, InvalidArgumentError, "any_of is int 3"),
        ({"any_of": False}, InvalidArgumentError, "any_of is bool False"),
        ({"all_of": ["a", 3]}, InvalidArgumentError, "Entry 2 of all_of is 3"),
        ({"all_of": ["a", None]}, InvalidArgumentError, "Entry 2 of all_of is None"),
        ({"none_of": [" "]}, InvalidArgumentError, "Entry 1 of none_of is ' '"),
        ({"all_of": [["a"]]}, InvalidArgumentError, "Entry 1 of all_of"),
        ({"query": ["a"]}, InvalidArgumentError, "query is list"),
        ({"query": 0}, InvalidArgumentError, "query is int 0"),
        ({"query": "a", "all_of": ["b"]}, InvalidArgumentError, "Both query and lists"),
        ({"all_off": ["a"]}, InvalidArgumentError, "no argument 'all_off'"),
        ({"all_of": ["Bone  health"], "none_of": ["bone health"]}, InvalidArgumentError, "in all_of and in none_of"),
        ({"any_of": ["a", "b"], "none_of": ["B"]}, InvalidArgumentError, "in any_of and in none_of"),
        ({"query": '"a" AND NOT'}, LogicalSyntaxError, r"\^"),
        ({"query": '"a" and "b"'}, LogicalSyntaxError, "upper case"),
        ({"all_of": [f"t{i}" for i in range(100)]}, TooManyTermsError, "100 terms"),
        ({"all_of": ["x" * (MAX_LENGTH + 1)]}, QueryTooLongError, "characters"),
        ({"query": '"' + "x" * (MAX_LENGTH + 1) + '"'}, QueryTooLongError, "characters"),
        ({"all_of": ["\ud800"]}, InvalidArgumentError, "Unicode"),
    ],
)
def test_a_wrong_call_is_told_what_and_where(arguments, error, said):
    assert issubclass(error, ARGUMENT_ERRORS)
    with pytest.raises(error, match=said) as raised:
        read_arguments(arguments)
    message = error_message(raised.value)
    assert message.startswith("The search was not carried out.")
    assert raised.value.hint in message


def test_hints_name_the_way_out():
    with pytest.raises(InvalidArgumentError) as raised:
        read_arguments({"all_of": "cats"})
    assert "Send all_of=['cats']." in raised.value.hint
    with pytest.raises(InvalidArgumentError) as raised:
        read_arguments({"noneof": ["cats"]})
    assert "Did you mean none_of?" in raised.value.hint
    with pytest.raises(InvalidArgumentError) as raised:
        read_arguments({"must_not": ["cats"]})  # no guess is better than the opposite of what is meant
    assert "Did you mean" not in raised.value.hint


def test_a_store_that_cannot_answer_is_the_models_business():
    assert StoreCapabilityError in SEARCH_ERRORS


def test_passages_are_numbered_and_the_query_is_shown():
    shown = format_passages(parse("a AND NOT b"), ["first", "second"])
    assert shown == '2 passages for "a" AND NOT "b", best first.\n\n[1] first\n\n[2] second'
    assert format_passages(parse("a"), ["x"]) == '1 passage for "a".\n\n[1] x'
    assert format_passages(parse("a"), []) == 'No passage was found for "a".'


async def test_an_asynchronous_call_reads_its_topics_outside_the_event_loop():
    """Up to 10,000 characters of topics are read as questions, which takes longer than other tasks should wait."""
    threads = []

    class Found:
        async def asearch(self, query):
            return ["green tea"]

    def text_of(passage):
        threads.append(threading.current_thread())
        return passage

    answer = await LogicalSearch(Found(), text_of).acall({"all_of": ["tea, excluding brewing"]})
    assert "Note: the exclusion" in answer.text
    assert threads != [threading.main_thread()]


def test_a_hundred_thousand_topics_are_refused_before_a_tree_is_made():
    with pytest.raises(TooManyTermsError, match="all_of has 100000 terms; at most 64 are allowed"):
        read_arguments({"all_of": [f"topic {i}" for i in range(100_000)]})


def test_an_exclusion_in_words_is_noted_and_not_refused():
    query = read_arguments({"all_of": ["vitamin D, excluding bone health", "rice"]})
    [note] = exclusions_in_words(query)
    assert '"vitamin D, excluding bone health"' in note
    assert 'AND NOT "bone health"' in note
    assert note in format_passages(query, [])
    assert exclusions_in_words(parse('"planets that have no magnetic field"')) == []
    assert exclusions_in_words(parse('"rice" AND NOT "tea, excluding brewing"')) == []


def test_the_schema_is_flat_and_has_no_nullable_types():
    schema = LogicalSearchArguments.model_json_schema()
    assert set(schema["properties"]) == {"all_of", "any_of", "none_of", "query"}
    assert schema["additionalProperties"] is False
    assert "required" not in schema
    for part in ("$defs", "$ref", "anyOf"):
        assert part not in json.dumps(schema)
    assert read_arguments(LogicalSearchArguments(all_of=["a"]).model_dump()) == Term("a")


def test_the_description_is_short_and_teaches_the_scope():
    assert len(TOOL_DESCRIPTION) < 700
    for word in ("all_of", "any_of", "none_of", "excluding", "fact about the answer"):
        assert word in TOOL_DESCRIPTION

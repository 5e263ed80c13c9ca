"""The JSON form: plain data; hostile data ends in a typed error."""

import json

import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.errors import LogicalQueryError, QueryTooDeepError, TooManyTermsError
from logical_retriever.query import MAX_DEPTH, MAX_TERMS, LogicalQuery, parse

A = {"term": "a"}
QUERY = parse('"vitamin D" AND NOT ("bone health" OR skin)')
DATA = {"and": [{"term": "vitamin D"}, {"not": {"or": [{"term": "bone health"}, {"term": "skin"}]}}]}


def test_the_form():
    assert QUERY.to_dict() == DATA
    assert LogicalQuery.from_dict(DATA) == QUERY


@given(st.from_type(LogicalQuery))
@settings(max_examples=200, deadline=None)
def test_queries_survive_json(query):
    data = query.to_dict()
    assert LogicalQuery.from_dict(json.loads(json.dumps(data))) == query
    assert LogicalQuery.from_dict(data).to_dict() == data


BAD = [
    (None, r"At \$: expected an object, got null"),
    ("a AND b", r"At \$: expected an object, got a text"),
    (5, r"At \$: expected an object, got int"),
    ([A], r"At \$: expected an object, got a list"),
    ({}, r"At \$: an object with the keys \[\]"),
    ({"term": "a", "not": A}, r"At \$: an object with the keys \['term', 'not'\]"),
    ({"xor": [A, A]}, r"At \$: an object with the keys \['xor'\]"),
    ({"AND": [A, A]}, r"At \$: an object with the keys \['AND'\]"),
    ({3: A}, r"At \$: an object with the keys \[3\]"),
    ({"term": ""}, r"At \$\.term: A term needs text"),
    ({"term": "  "}, r"At \$\.term: A term needs text"),
    ({"term": "\ud800"}, r"At \$\.term: A term needs valid Unicode"),
    ({"term": 3}, r"At \$\.term: expected a text, got int"),
    ({"term": ["a"]}, r"At \$\.term: expected a text, got a list"),
    ({"not": "a"}, r"At \$\.not: expected an object, got a text"),
    ({"not": [A]}, r"At \$\.not: expected an object, got a list"),
    ({"and": A}, r"At \$\.and: expected a list, got an object"),
    ({"and": []}, r"At \$\.and: And needs two or more operands, got 0"),
    ({"or": [A]}, r"At \$\.or: Or needs two or more operands, got 1"),
    ({"and": [A, {"not": {"or": [A, None]}}]}, r"At \$\.and\[1\]\.not\.or\[1\]: expected an object, got null"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_other_data_is_refused_with_its_place(data, message):
    with pytest.raises(LogicalQueryError, match=message) as caught:
        LogicalQuery.from_dict(data)
    assert caught.value.hint
    str(caught.value).encode()


def nested(wrap, times):
    data = A
    for _ in range(times):
        data = wrap(data)
    return data


@pytest.mark.parametrize(
    "wrap",
    [lambda data: {"not": data}, lambda data: {"and": [data, A]}, lambda data: {"or": [A, data]}],
    ids=["not", "and", "or"],
)
def test_depth(wrap):
    assert LogicalQuery.from_dict(nested(wrap, MAX_DEPTH - 1)).depth == MAX_DEPTH
    for times in (MAX_DEPTH, 10_000):
        with pytest.raises(QueryTooDeepError):
            LogicalQuery.from_dict(nested(wrap, times))


def test_data_nested_where_none_belongs():
    lists = nested(lambda data: [data], 10_000)
    for data in (lists, {"term": lists}, {"and": lists}, {"not": lists}):
        with pytest.raises(LogicalQueryError, match="expected"):
            LogicalQuery.from_dict(data)


def test_data_that_contains_itself():
    data = {"not": None}
    data["not"] = data
    with pytest.raises(QueryTooDeepError):
        LogicalQuery.from_dict(data)


def test_terms():
    assert LogicalQuery.from_dict({"or": [A] * MAX_TERMS}).size == MAX_TERMS
    with pytest.raises(TooManyTermsError):
        LogicalQuery.from_dict({"or": [A] * (MAX_TERMS + 1)})


def test_data_that_doubles_at_every_level_is_refused_before_it_explodes():
    with pytest.raises(TooManyTermsError):
        LogicalQuery.from_dict(nested(lambda data: {"and": [data, data]}, MAX_DEPTH - 2))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["term", "not", "and", "or", "x"]) | st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=8,
)


@given(JSON)
@settings(max_examples=200, deadline=None)
def test_any_json_ends_in_a_query_or_a_typed_error(data):
    try:
        query = LogicalQuery.from_dict(data)
    except LogicalQueryError:
        return
    assert query.to_dict() == data

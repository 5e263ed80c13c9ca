"""Text and tree are two spellings of one thing."""

import random

import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.query import MAX_DEPTH, MAX_TERMS, And, LogicalQuery, Not, Or, Term, parse


@given(st.from_type(LogicalQuery))
@settings(max_examples=200, deadline=None)
def test_the_text_of_a_query_parses_to_the_query(query):
    assert parse(str(query)) == query


def test_the_text_of_large_queries_parses_to_the_query(random_query):
    rng = random.Random(20240)
    queries = [random_query(rng, most_terms=rng.choice((4, 16, 64))) for _ in range(500)]
    assert max(query.depth for query in queries) >= 25
    assert max(query.size for query in queries) == 64
    for query in queries:
        text = str(query)
        assert parse(text) == query
        assert str(parse(text)) == text


def chains_of_negations():
    leaf = Term("a")
    for _ in range(MAX_DEPTH - 2):
        leaf = Not(leaf)
    return Or([leaf] * MAX_TERMS)


@pytest.mark.parametrize(
    "query",
    [
        parse("near the bound " * 666 + "in length"),
        parse("\\" * 10_000),
        Term('"' * 10_000),
        parse("a" * 1_000_000),
        Term("a document, and not a phrase. " * 10_000),
        And((Term("x" * 9_999), ~Term("y" * 9_999))),
        chains_of_negations(),
    ],
    ids=["unquoted", "backslashes", "quotes", "word", "document", "two", "negations"],
)
def test_no_text_of_a_query_is_too_long_to_be_parsed(query):
    assert parse(str(query)) == query


def test_every_pair_of_parentheses_in_canonical_text_is_needed(random_query):
    rng = random.Random(7)
    for _ in range(200):
        query = random_query(rng, texts=["x", "y"], most_terms=8)
        text = str(query)
        opened = []
        for position, character in enumerate(text):
            if character == "(":
                opened.append(position)
            elif character == ")":
                start = opened.pop()
                without = text[:start] + text[start + 1 : position] + text[position + 1 :]
                assert parse(without) != query

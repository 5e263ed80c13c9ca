"""Each bound is an error at the bound and not before, and no text of a query is too long."""

import sys

import pytest

from logical_retriever.errors import LogicalSyntaxError, QueryLimitError
from logical_retriever.query import MAX_DEPTH, MAX_TERMS, And, Not, Or, Term, parse


@pytest.mark.parametrize("operator", [" AND ", " OR "])
def test_terms(operator):
    assert parse(operator.join(["a"] * MAX_TERMS)).size == MAX_TERMS
    with pytest.raises(QueryLimitError, match="65 terms"):
        parse(operator.join(["a"] * (MAX_TERMS + 1)))
    half = " AND ".join(["a"] * (MAX_TERMS // 2))
    assert parse(f"{half} OR {half}").size == MAX_TERMS
    with pytest.raises(QueryLimitError):
        parse(f"{half} OR {half} OR a")


def test_depth():
    assert parse("NOT " * (MAX_DEPTH - 1) + "a").depth == MAX_DEPTH
    with pytest.raises(QueryLimitError, match="33 levels"):
        parse("NOT " * MAX_DEPTH + "a")
    query = Term("a")
    for _ in range(15):
        query = Or((And((query, Term("b"))), Term("c")))
    assert query.depth == 31
    assert parse(str(Not(query))).depth == 32
    with pytest.raises(QueryLimitError):
        Not(Not(query))
    # Needless parentheses add no depth.
    assert parse("(" * 10_000 + "a" + ")" * 10_000).depth == 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("NOT " * 10_000 + "a", QueryLimitError),
        ("!(" * 10_000 + "a" + ")" * 10_000, QueryLimitError),
        ("(a AND " * 10_000 + "b" + ")" * 10_000, QueryLimitError),
        (" | ".join("a" * 10_001), QueryLimitError),
        *((text * 10_000, LogicalSyntaxError) for text in ("(", ")", "NOT ", "AND ", " ", '"', '\\"', "[", "[a", '["')),
        ('"' + "\\" * 10_000, LogicalSyntaxError),
        ("a" + " " * 10_000 + '"b"', LogicalSyntaxError),
        ("and " * 10_000 + '"b"', LogicalSyntaxError),
        ("[a = 1" * 10_000, LogicalSyntaxError),
        (f"[a = {'9' * 100_000}]", LogicalSyntaxError),
        (f"[a in [{', '.join(map(str, range(10_000)))}]]", LogicalSyntaxError),
    ],
    ids=lambda value: value[:8].strip() or "blank" if isinstance(value, str) else value.__name__,
)
def test_hostile_texts_end_in_a_typed_error(text, error):
    limit = sys.getrecursionlimit()
    with pytest.raises(error) as caught:
        parse(text)
    assert sys.getrecursionlimit() == limit
    assert len(str(caught.value)) < 1_000


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

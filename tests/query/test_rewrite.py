"""Rewrites keep the Boolean meaning; literals are read off by counting negations."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.query import (
    MAX_DEPTH,
    And,
    Literal,
    LogicalQuery,
    Not,
    Or,
    Term,
    flatten,
    has_logic,
    literals,
    negative_terms,
    parse,
    positive_terms,
    to_nnf,
)

CASES = Path(__file__).parents[1] / "fixtures" / "rewrites.txt"
TEXTS = ["a", "b", "c", "d", "e", "f"]


def cases():
    for block in CASES.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            head, expected = lines
            rule, text = head.split(": ", 1)
            yield rule, text, expected


def signed(query):
    return "; ".join(f"{'+' if literal.positive else '-'}{literal.text}" for literal in literals(query))


RULES = {"nnf": lambda query: str(to_nnf(query)), "flatten": lambda query: str(flatten(query)), "literals": signed}


@pytest.mark.parametrize(("rule", "text", "expected"), list(cases()))
def test_fixture(rule, text, expected):
    assert RULES[rule](parse(text)) == expected


def truth_table(query):
    """Bit i is the query's truth under assignment i of the six terms."""
    everything = (1 << 64) - 1

    def visit(node, parts):
        if isinstance(node, Term):
            return sum(1 << row for row in range(64) if row >> TEXTS.index(node.text) & 1)
        if isinstance(node, Not):
            return everything & ~parts[0]
        table = everything if isinstance(node, And) else 0
        for part in parts:
            table = table & part if isinstance(node, And) else table | part
        return table

    return query.fold(visit)


def test_rewrites_keep_the_truth_table_and_reach_their_form(random_query):
    rng = random.Random(99)
    for _ in range(500):
        query = random_query(rng, texts=TEXTS, most_terms=rng.choice((6, 30)))
        table = truth_table(query)
        normal, flat = to_nnf(query), flatten(query)
        assert truth_table(normal) == table
        assert truth_table(flat) == table
        assert all(isinstance(node.operand, Term) for node in normal.walk() if isinstance(node, Not))
        chains = [node for node in flat.walk() if isinstance(node, (And, Or))]
        assert not any(type(child) is type(node) for node in chains for child in node.children)
        assert to_nnf(normal) == normal
        assert flatten(flat) == flat
        assert normal.size == flat.size == query.size
        assert normal.depth <= query.depth
        assert flat.depth <= query.depth


@given(st.from_type(LogicalQuery))
@settings(max_examples=200, deadline=None)
def test_literals_are_those_of_the_normal_form(query):
    normal = to_nnf(query)
    negated = {id(node.operand) for node in normal.walk() if isinstance(node, Not)}
    # Terms are shared between both trees, so that identity tells occurrences apart unless one object occurs twice.
    leaves = [node for node in normal.walk() if isinstance(node, Term)]
    if len({id(leaf) for leaf in leaves}) == len(leaves):
        assert literals(query) == tuple(Literal(leaf.text, id(leaf) not in negated) for leaf in leaves)
    assert literals(normal) == literals(query)
    assert [literal.positive for literal in literals(~query)] == [not literal.positive for literal in literals(query)]
    assert set(positive_terms(query)) | set(negative_terms(query)) == set(query.terms())


def test_normal_form_of_the_deepest_queries_stays_within_the_bounds():
    query = Term("a")
    while query.depth < MAX_DEPTH:
        query = And((query, Term("b")))
    assert to_nnf(query) == query  # its negation would be a level too deep, and is never built
    query = Term("a")
    while query.depth < MAX_DEPTH - 1:
        query = Or((query, Term("b")))
    assert to_nnf(~query).depth == MAX_DEPTH


def test_positive_and_negative_terms_are_distinct_and_ordered():
    query = parse("b AND NOT a AND NOT (b OR NOT c) AND a AND NOT a")
    assert positive_terms(query) == ("b", "c", "a")
    assert negative_terms(query) == ("a", "b")


@pytest.mark.parametrize(("text", "logic"), [("a", False), ('"a AND b"', False), ("NOT a", True), ("a OR b", True)])
def test_only_a_lone_term_has_no_logic(text, logic):
    assert has_logic(parse(text)) is logic

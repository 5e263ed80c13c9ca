"""Queries are values: immutable, hashable, copied and pickled whole."""

import copy
import datetime
import pickle
from functools import partial

import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import And, Condition, LogicalQuery, Not, Or, Term, parse

NAMES = {kind.__name__: kind for kind in (Term, Condition, Not, And, Or)} | {"datetime": datetime}
a, b, c, d = Term("a"), Term("b"), Term("c"), Term("d")


def test_python_operators_build_queries_and_flatten_chains():
    assert a & b & c == And((a, b, c)) == parse("a AND b AND c")
    assert a | b | c == Or((a, b, c))
    assert (a & b) & (c & d) == And((a, b, c, d))
    assert a | b & ~c == Or((a, And((b, Not(c)))))
    assert (a | b) & c == And((Or((a, b)), c))


@pytest.mark.parametrize("combine", [lambda: a & "b", lambda: "b" | a, lambda: a & None, lambda: 1 & a])
def test_python_operators_take_queries_only(combine):
    with pytest.raises(TypeError):
        combine()


@pytest.mark.parametrize("use", [lambda: a and b, lambda: not a, lambda: bool(a & b), lambda: [a] if ~a else []])
def test_a_query_has_no_truth_value(use):
    with pytest.raises(TypeError, match="no truth value"):
        use()


def test_equality_is_by_kind_structure_and_order():
    assert len({a & b, b & a, a | b, ~a, a, b, And((a, b)), Not(a), Term("a")}) == 6
    assert And((And((a, b)), c)) != And((a, And((b, c)))) != And((a, b, c))
    assert a != "a"
    assert hash(parse("NOT (a AND b)")) == hash(~(a & b))


@given(st.from_type(LogicalQuery))
@settings(max_examples=200, deadline=None)
def test_a_text_a_repr_in_python_copies_and_pickles_are_the_whole_query(query):
    parsed = parse(str(query))
    assert parsed == eval(repr(query), NAMES) == query
    for twin in (copy.copy(parsed), copy.deepcopy(parsed), pickle.loads(pickle.dumps(parsed))):
        assert twin == parsed
        assert hash(twin) == hash(parsed)
        assert (twin.depth, twin.size) == (parsed.depth, parsed.size)
        assert type(twin) is type(parsed)


@pytest.mark.parametrize("query", [a, ~a, a & b, a | b])
def test_queries_cannot_be_changed(query):
    operands = [a, b]
    built = And(operands)
    operands.append(c)
    assert built.operands == (a, b)
    for name in ("text", "operand", "operands", "span", "depth", "new"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(query, name, b)


def deep_list():
    nested: list = []
    for _ in range(5000):
        nested = [nested]
    return nested


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: And((a,)), "two or more operands, got 1"),
        (lambda: Or(()), "two or more operands, got 0"),
        (lambda: And((a, "b")), "takes logical queries, got str 'b'"),
        (lambda: And("ab"), "takes logical queries, got str"),
        (lambda: And(5), "sequence of operands, got int"),
        (lambda: Or({a, b}), "sequence of operands, got set"),
        (lambda: Not("a"), "takes logical queries, got str"),
        (lambda: Not(LogicalQuery()), "takes logical queries, got LogicalQuery"),
        (lambda: Not(deep_list()), "takes logical queries, got list"),
        (lambda: Term(deep_list()), "needs text"),
        *((partial(Term, text), "needs text") for text in ("", " ", "\n\t\u3000", None, 5, b"a", ["a"])),
        (lambda: Term("a\ud800"), "valid Unicode"),
    ],
)
def test_nodes_refuse_what_is_no_query_and_terms_what_is_no_text(make, message):
    with pytest.raises(InvalidArgumentError, match=message) as caught:
        make()
    str(caught.value).encode()


def test_fold_visits_children_first_from_left_to_right():
    query = parse("a AND NOT (b OR c) AND a")
    visited = []

    def visit(node, parts):
        visited.append(str(node))
        return (type(node).__name__, *parts)

    assert query.fold(visit) == ("And", ("Term",), ("Not", ("Or", ("Term",), ("Term",))), ("Term",))
    assert visited == ['"a"', '"b"', '"c"', '"b" OR "c"', 'NOT ("b" OR "c")', '"a"', str(query)]
    assert [str(node) for node in query.walk()] == visited


@given(st.from_type(LogicalQuery))
@settings(max_examples=200, deadline=None)
def test_depth_size_and_terms_are_those_of_the_tree(query):
    assert query.depth == query.fold(lambda _, parts: 1 + max(parts, default=0))
    assert query.size == query.fold(lambda _, parts: sum(parts) if parts else 1)
    assert list(query.terms()) == list(dict.fromkeys(node.text for node in query.walk() if isinstance(node, Term)))

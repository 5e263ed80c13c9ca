"""Conditions on metadata: their values, their meaning, what is refused."""

import math
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.errors import InvalidArgumentError, LogicalSyntaxError
from logical_retriever.query import MAX_VALUES, And, Condition, Not, Or, Term, holds, necessary_condition, parse, to_nnf

UTC = timezone.utc
CAIRO = timezone(timedelta(hours=2))
FILM = {
    **{"year": 1998, "rating": 7.5, "name": "Solaris", "genres": ["drama", "science fiction"], "animated": False},
    **{"seen": "2020-05-01T09:30:00", "made": date(1998, 5, 1)},
    **{"none": None, "nan": math.nan, "empty": [], "blank": "", "huge": 2**63 - 1},
}


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (Condition("year", ">=", 1990), "[year >= 1990]"),
        (Condition("year", "<", 1990.5), "[year < 1990.5]"),
        (Condition("year", "<=", -1), "[year <= -1]"),
        (Condition("rating", ">", 1e308), "[rating > 1e+308]"),
        (Condition("language", "=", 'say "a"]'), r'[language = "say \"a\"]"]'),
        (Condition("language", "!=", "English"), '[language != "English"]'),
        (Condition("genres", "contains", "western"), '[genres contains "western"]'),
        (Condition("country", "in", ["France", 3, True]), '[country in ["France", 3, true]]'),
        (Condition("country", "not in", ("France",)), '[country not in ["France"]]'),
        (Condition("director", "exists"), "[director exists]"),
        (Condition("shown", "=", date(2020, 1, 31)), "[shown = 2020-01-31]"),
        (Condition("at", ">", datetime(2020, 1, 31, 12, 30)), "[at > 2020-01-31T12:30:00]"),
        (Condition("at", ">", datetime(2020, 1, 31, 12, tzinfo=CAIRO)), "[at > 2020-01-31T10:00:00+00:00]"),
        (Condition("release year", "=", 1), '["release year" = 1]'),
        (Condition("exists", "exists"), '["exists" exists]'),
        (Condition("a.b", "=", True), "[a.b = true]"),
        (~Condition("a", "=", 1) & Condition("b", "=", 2) | Term("c"), 'NOT [a = 1] AND [b = 2] OR "c"'),
    ],
)
def test_python_and_text_are_two_spellings(built, text):
    assert str(built) == text
    assert parse(text) == built


def test_signs_words_and_spaces_may_be_written_otherwise():
    assert parse("[ year>=1990 ]&&[x NOT  IN[1,2]]") == Condition("year", ">=", 1990) & Condition("x", "not in", [1, 2])
    assert parse("[at = 2020-01-31T12:30Z]") == Condition("at", "=", datetime(2020, 1, 31, 12, 30, tzinfo=UTC))
    assert parse("-[a == TRUE]") == ~Condition("a", "=", True)


def test_values_of_two_types_are_two_conditions():
    conditions = {Condition("a", "=", value) for value in (1, 1.0, True, "1")}
    assert len(conditions) == 4
    assert Condition("a", "in", (1, True)) != Condition("a", "in", (True, 1))
    assert Condition("a", "in", [1]) == Condition("a", "in", (1,))
    assert Condition("a", "=", 1) != Term("a")


TRUE = [
    *("[year = 1998]", "[year = 1998.0]", '[year != "1998"]', "[year > 1990] AND [year <= 1998]", "[year exists]"),
    *("[year in [1997, 1998]]", "[year not in [1997]]", "[year = 1998] OR [absent exists]", "[rating >= 7.5]"),
    *('[name = "Solaris"]', '[name > "S"]', '[genres contains "drama"]', '[genres != "drama"]', "[animated = false]"),
    *("[empty exists]", "[blank exists]", "[huge = 9223372036854775807]", "[huge < 9.3e18]"),
    *(f"NOT [{field} {rest}]" for field in ("none", "nan", "absent") for rest in ("exists", "= 1", "< 1")),
    *("[seen = 2020-05-01]", "[seen > 2020-05-01T09:29:59Z]", "[seen = 2020-05-01T11:30:00+02:00]"),
    *("[seen < 2020-05-02]", "[made = 1998-05-01]", "[made in [1998-05-01, 1999-05-01]]"),
]
FALSE = [
    *('[year = "1998"]', '[year < "2000"]', "[year not in [1997, 1998]]", "[year = 1998-01-01]"),
    *('[name = "solaris"]', '[name contains "Solar"]', "[name < 2020-05-01]"),
    *('[genres contains "dram"]', '[genres = "drama"]', '[genres in ["drama"]]', "[animated = 0]"),
    *('[empty contains "a"]', "[huge < 9223372036854775807]", "[absent not in [1]]"),
    *(f"[{field} {rest}]" for field in ("none", "nan", "absent") for rest in ("exists", "= 1", "!= 1")),
    *("[seen > 2020-05-01]", "[made >= 1998-05-01T00:00:01]", '[made = "1998-05-01"]'),
]


@pytest.mark.parametrize(("text", "truth"), [*((text, True) for text in TRUE), *((text, False) for text in FALSE)])
def test_meaning(text, truth):
    assert holds(parse(text), FILM) is truth
    assert holds(~parse(text), FILM) is not truth
    assert holds(to_nnf(~parse(text)), FILM) is not truth


@given(st.from_type(Condition), st.dictionaries(st.just("year"), st.none() | st.booleans() | st.floats() | st.text()))
@settings(max_examples=200, deadline=None)
def test_any_metadata_is_decided(condition, metadata):
    found = Condition("year", condition.operator, condition.value)
    present = holds(Condition("year", "exists"), metadata)
    assert holds(found, metadata) <= present
    for one, other in (("=", "!="), ("in", "not in")):
        if condition.operator in (one, other):
            pair = [holds(Condition("year", name, condition.value), metadata) for name in (one, other)]
            assert sum(pair) == present


@pytest.mark.parametrize("found", [np.int64(1998), np.float64(1998), Decimal("1998.0"), 1998.0])
def test_numbers_of_other_types(found):
    assert holds(parse("[year = 1998]"), {"year": found})
    assert holds(parse("[year < 1998.5]"), {"year": found})


def test_terms_are_not_decided_by_metadata():
    with pytest.raises(InvalidArgumentError, match="does not decide the term"):
        holds(parse('"a" AND [b = 1]'), {})


@pytest.mark.parametrize(
    ("field", "operator", "value"),
    [
        *((field, "=", 1) for field in ("", " ", 3, "a\ud800")),
        *(("a", operator, 1) for operator in ("~", "==", "exists")),
        *(("a", "=", value) for value in (None, math.nan, math.inf, 2**63, "\ud800", [1], {"$gt": ""}, b"x")),
        pytest.param("a", "=", 10**5000, id="digits"),
        ("a", "=", datetime(1, 1, 1, tzinfo=CAIRO)),
        ("a", "<", True),
        *(("a", "in", value) for value in (3, "abc", [], [1, None], [[1]], list(range(MAX_VALUES + 1)))),
    ],
)
def test_other_conditions_are_refused(field, operator, value):
    with pytest.raises(InvalidArgumentError) as caught:
        Condition(field, operator, value)
    assert caught.value.hint


def test_a_list_may_be_long_and_no_longer():
    long = Condition("id", "in", tuple(range(2**62, 2**62 + MAX_VALUES)))
    assert parse(str(long)) == long
    with pytest.raises(LogicalSyntaxError, match="at most 1,000"):
        parse(f"[id in [{', '.join(map(str, range(MAX_VALUES + 1)))}]]")


SYNTAX = [
    *("x' OR '1'='1", '"; DROP TABLE docs; --', '{"$gt": ""}', "*:*", "$(rm -rf /)", "\\", '\\"', "a\nb\x00"),
    *("] OR [year exists", '"] OR [year exists] OR [a = "'),
]


@pytest.mark.parametrize("value", SYNTAX)
def test_syntax_in_a_value_stays_a_value(value):
    for built in (Condition("a", "=", value), Condition(value, "=", 1), Condition("a", "in", [value, value])):
        assert parse(str(built)) == built
        assert parse(f'"t" AND NOT {built}') == Term("t") & ~built
    assert holds(Condition("a", "=", value), {"a": value})
    assert not holds(Condition("a", "=", value), {"a": "other", "year": 3})


@pytest.mark.parametrize(
    ("text", "necessary"),
    [
        ('"a" AND NOT "b"', None),
        ('"a" OR [x = 1]', None),
        ('NOT ("a" AND [x = 1])', None),
        ("[x = 1]", "[x = 1]"),
        ('"a" AND ("b" OR [x = 1]) AND ([y = 2] AND "c")', "[y = 2]"),
        ('"a" AND [x = 1] OR "b" AND [y = 2]', "[x = 1] OR [y = 2]"),
        ('"a" AND [x = 1] OR "b" AND [x = 1]', "[x = 1]"),
        ('NOT ("a" OR [x = 1] OR NOT [y = 2])', "NOT [x = 1] AND [y = 2]"),
        ("NOT ([x = 1] AND [y = 2])", "NOT [x = 1] OR NOT [y = 2]"),
    ],
)
def test_the_condition_of_every_answer(text, necessary):
    condition = necessary_condition(parse(text))
    assert (None if condition is None else str(condition)) == necessary


LEAVES = st.sampled_from(
    [Term("a"), Term("b"), Condition("year", ">=", 1990), Condition("year", "=", 1998), Condition("x", "exists")]
)
QUERIES = st.recursive(
    LEAVES,
    lambda parts: parts.map(Not) | st.tuples(parts, parts, parts).flatmap(lambda p: st.sampled_from([And(p), Or(p)])),
    max_leaves=8,
)


@given(QUERIES, st.sampled_from([{}, {"year": 1998}, {"year": 1990, "x": 1}, {"year": 1900, "x": 1}]))
@settings(max_examples=200, deadline=None)
def test_the_condition_of_every_answer_is_the_strongest(query, metadata):
    """It holds where the query can hold, each term being as it has to be."""

    def possible(node, parts):
        if isinstance(node, Condition):
            return holds(node, metadata)
        if isinstance(node, Not):
            return True if isinstance(node.operand, Term) else not parts[0]
        return True if isinstance(node, Term) else (all if isinstance(node, And) else any)(parts)

    condition = necessary_condition(query)
    assert (condition is None or holds(condition, metadata)) is to_nnf(query).fold(possible)

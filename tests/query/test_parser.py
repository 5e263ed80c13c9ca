"""What each text means."""

import pytest

from logical_retriever.errors import InvalidArgumentError, LogicalSyntaxError
from logical_retriever.query import And, Not, Or, Term, parse

a, b, c, d = Term("a"), Term("b"), Term("c"), Term("d")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("a", a),
        ("a AND b", And((a, b))),
        ("a OR b", Or((a, b))),
        ("NOT a", Not(a)),
        ("NOT NOT a", Not(Not(a))),
        ("a AND b AND c", And((a, b, c))),
        ("a OR b OR c", Or((a, b, c))),
        ("(a AND b) AND c", And((And((a, b)), c))),
        ("a AND (b AND c)", And((a, And((b, c))))),
        ("(a AND b AND c)", And((a, b, c))),
        ("a OR b AND c", Or((a, And((b, c))))),
        ("a AND b OR c AND d", Or((And((a, b)), And((c, d))))),
        ("NOT a AND b", And((Not(a), b))),
        ("NOT (a AND b)", Not(And((a, b)))),
        ("a AND NOT b OR c", Or((And((a, Not(b))), c))),
        ("((((a))))", a),
        ("((a)) AND (((b)))", And((a, b))),
        ('"a"AND"b"', And((a, b))),
        ("(a)AND(b)OR(NOT(c))", Or((And((a, b)), Not(c)))),
        ("\n a\n\tAND\r\n b \n", And((a, b))),
        ("a\u00a0AND\u3000b", And((a, b))),
    ],
)
def test_not_binds_tighter_than_and_and_and_tighter_than_or(text, query):
    assert parse(text) == query


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("vitamin D", "vitamin D"),
        ("  benefits \n of\tvitamin   D ", "benefits of vitamin D"),
        ("cats and dogs or birds, not fish", "cats and dogs or birds, not fish"),
        ("ANDY WARHOL", "ANDY WARHOL"),
        ("NOTE", "NOTE"),
        ("ORDER", "ORDER"),
        ("AND, OR: NOT.", "AND, OR: NOT."),
        ("And Or Not", "And Or Not"),
        ("AT&T", "AT&T"),
        ("R&D spending", "R&D spending"),
        ("a|b a||b", "a|b a||b"),
        ("&c |d &&e ||f", "&c |d &&e ||f"),
        ("rock&", "rock&"),
        ("-5 degrees", "-5 degrees"),
        ("state-of-the-art", "state-of-the-art"),
        ("!Kung people", "!Kung people"),
        ("vitamin D - overview !", "vitamin D - overview !"),
        ("wanted -unwanted", "wanted -unwanted"),
        ("children’s ‘health’ matters", "children’s ‘health’ matters"),
        ("'90s rock 'n' roll", "'90s rock 'n' roll"),
        ("C:\\dir\\n", "C:\\dir\\n"),
        ("ビタミン D", "ビタミン D"),
        ("42", "42"),
        ("...", "..."),
    ],
)
def test_words_that_are_no_operators_are_one_term(text, term):
    assert parse(text) == Term(term)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        (r'"say \"cheese\""', 'say "cheese"'),
        (r'"back\\slash"', "back\\slash"),
        (r'"C:\dir\new"', r"C:\dir\new"),
        (r'"\\\""', '\\"'),
        (r'"ends with \\"', "ends with \\"),
        (r'"\\\\"', r"\\"),
        ('"a\nb"', "a\nb"),
        ('"  keeps   its  spaces "', "  keeps   its  spaces "),
        ('"a AND (b OR NOT c)"', "a AND (b OR NOT c)"),
        ('"“smart” quotes"', "“smart” quotes"),
        ("\"'single'\"", "'single'"),
        ('"\x00"', "\x00"),
    ],
)
def test_quoted_terms_hold_any_text(text, term):
    assert parse(text) == Term(term)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("a & b", And((a, b))),
        ("a && b", And((a, b))),
        ("a AND b & c && d", And((a, b, c, d))),
        ("a | b || c OR d", Or((a, b, c, d))),
        ('"a"&"b"', And((a, b))),
        ('"a"&&("b")', And((a, b))),
        ('"a"|"b"', Or((a, b))),
        ("(a)||(b)", Or((a, b))),
        ('a & "b"', And((a, b))),
        ('!"a"', Not(a)),
        ('-"a"', Not(a)),
        ("!(a OR b)", Not(Or((a, b)))),
        ("-(a)", Not(a)),
        ('a & -"b"', And((a, Not(b)))),
        ('"a"&-"b"', None),
        ("NOT !(a)", Not(Not(a))),
        ("!(!(a))", Not(Not(a))),
        ("Simon & Garfunkel", And((Term("Simon"), Term("Garfunkel")))),
        ("AT&T & b", And((Term("AT&T"), b))),
    ],
)
def test_signs_are_operators_only_where_they_stand_as_words(text, query):
    if query is None:  # `&-` is one word, and neither operator
        with pytest.raises(LogicalSyntaxError):
            parse(text)
    else:
        assert parse(text) == query


def test_bytes_are_utf8():
    assert parse('"naïve" AND b'.encode()) == And((Term("naïve"), b))
    assert parse(bytearray(b"a")) == a


def test_invalid_bytes_are_shown_where_they_stand():
    with pytest.raises(LogicalSyntaxError) as caught:
        parse('"é" AND '.encode() + b"\xff\xfe b")
    assert caught.value.span == (8, 9)
    assert caught.value.text == '"é" AND \udcff\udcfe b'


@pytest.mark.parametrize("value", [None, 3, ["a"], {"term": "a"}, a, memoryview(b"a")])
def test_other_types_are_refused(value):
    with pytest.raises(InvalidArgumentError, match="parsed from text"):
        parse(value)


def test_a_lone_surrogate_is_refused():
    with pytest.raises(LogicalSyntaxError, match="not valid Unicode") as caught:
        parse('a AND "\ud800"')
    assert caught.value.span == (7, 8)
    str(caught.value).encode()

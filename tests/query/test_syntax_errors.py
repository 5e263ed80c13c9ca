"""The messages, word for word: they are written for the person or the language model that has to act on them."""

from pathlib import Path

import pytest

from logical_retriever.errors import LogicalSyntaxError
from logical_retriever.query import parse

CASES = Path(__file__).parents[1] / "fixtures" / "syntax_errors.txt"


def cases():
    for block in CASES.read_text(encoding="utf-8").rstrip("\n").split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith("#")]
        if lines:
            yield lines[0].removeprefix("> "), "\n".join(lines[1:])


@pytest.mark.parametrize(("text", "message"), list(cases()))
def test_fixture(text, message):
    with pytest.raises(LogicalSyntaxError) as caught:
        parse(text)
    assert str(caught.value) == f"{message}\nMore: {caught.value.section}"
    assert caught.value.text == text


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        *((text, "") for text in ("", " ", "\n\t", "\u3000")),
        ('"a" AND ', ""),
        ('"a" AND\n\n', ""),
        ('a\nAND\n"b" c', "c"),
        ("a OR\nAND b", "AND"),
        ('"a"&-"b"', "&-"),  # one word, and neither operator
        ('"a" and\nnot "b"', "and\nnot"),
        ('a  and "b"', "and"),
        ("(\n)", "(\n)"),
        ('"a" AND "  \n"', '"  \n"'),
        ("ａ AND ＂b＂", "＂"),
    ],
)
def test_the_span_is_exact(text, culprit):
    with pytest.raises(LogicalSyntaxError) as caught:
        parse(text)
    error = caught.value
    assert text[slice(*error.span)] == culprit
    assert bool(text.strip()) is ("The query is empty" not in str(error))
    if not culprit:
        assert error.span == (len(text), len(text))


def test_the_picture_shows_the_line_of_the_fault():
    with pytest.raises(LogicalSyntaxError) as caught:
        parse('"first"\nAND "second" "third"\nOR x')
    assert caught.value.picture == '  AND "second" "third"\n               ^^^^^^^'

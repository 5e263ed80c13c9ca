"""Whatever is given to the parser ends in a query or in an error that its author can act on."""

import pytest
from hypothesis import example, given, settings, strategies as st

from logical_retriever.errors import LogicalSyntaxError, QueryLimitError
from logical_retriever.query import LogicalQuery, parse

TOKENS = [
    *('"', '\\"', "\\", "(", ")", "AND", "OR", "NOT", "&", "&&", "|", "||", "!", "-", "~", "'", "’", "“", "”", "«"),
    *(" ", "  ", "\n", "\t", "\u00a0", "a", "vitamin D", '"a"', '"b c"', '""', '" "', "and", "or", "not", "And"),
    *("AT&T", "-5", "ANDY", "é", "\u0301", "👩‍👧", "\u200b", "\x00", "\ud800", "\u2028", ",", "(a)", "AND NOT"),
    *("[", "]", "[a", "year", "=", ">=", "in", "contains", "exists", "1990", "-0.5e3", "2020-02-30", "true", ","),
    *("[a = 1]", '[a in ["b", 2]]', "[a exists]", "[]", '["'),
]


def ends_well(given_text):
    try:
        query = parse(given_text)
    except QueryLimitError:
        return
    except LogicalSyntaxError as caught:
        error = caught
    else:
        assert isinstance(query, LogicalQuery)
        assert parse(str(query)) == query
        return
    assert error.text == given_text
    assert 0 <= error.span.start <= error.span.end <= len(given_text)
    assert error.expected
    assert error.hint
    shown, carets = error.picture.split("\n")
    assert carets.strip(" ") == "^" * (len(carets) - len(carets.rstrip("^")))
    assert len(carets) <= len(shown) + 1
    str(error).encode()


SOUP = st.builds(str.join, st.sampled_from(["", " "]), st.lists(st.sampled_from(TOKENS), max_size=12))


@given(SOUP | SOUP | st.text(st.characters(), max_size=60))
@settings(max_examples=700, deadline=None)
@example("\ud83d")
def test_any_text_and_a_soup_of_tokens_end_well(text):
    ends_well(text)


@given(st.from_type(LogicalQuery).map(str), st.data())
@settings(max_examples=200, deadline=None)
def test_a_query_with_one_character_lost_or_another_inserted(text, data):
    position = data.draw(st.integers(0, len(text)))
    ends_well(text[:position] + text[position + 1 :])
    ends_well(text[:position] + data.draw(st.sampled_from('"()[]\\ &|!-N=<1')) + text[position:])


@pytest.mark.parametrize("tail", ["", " ", "\n\n"])
def test_every_prefix_of_a_query_ends_well(tail):
    text = '"vit \\"D\\"" AND NOT (bone health OR !("skin" & R&D)) || -"x" | [y not in [1, "\\"]"]] & -[d > 2020-01-01]'
    for end in range(len(text) + 1):
        ends_well(text[:end] + tail)

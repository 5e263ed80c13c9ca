"""What each text means, and where in it each node was read from."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from logical_retriever.errors import InvalidArgumentError, LogicalSyntaxError
from logical_retriever.query import And, Not, Term, parse, quote

ROOT = Path(__file__).parents[2]
CASES = (ROOT / "tests" / "fixtures" / "queries.txt").read_text(encoding="utf-8").splitlines()
SPACED = [("\n a\n\tAND\r\n b \n", '"a" AND "b"'), ("a\u00a0AND\u3000b", '"a" AND "b"'), (" of \n\tD ", '"of D"')]


@pytest.mark.parametrize(("text", "canonical"), [*(line.split(" -> ") for line in CASES if " -> " in line), *SPACED])
def test_what_a_text_means(text, canonical):
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "term"),
    [
        (r'"say \"cheese\""', 'say "cheese"'),
        (r'"C:\dir\new"', r"C:\dir\new"),
        (r'"\\\""', '\\"'),
        ('"  keeps   its  spaces "', "  keeps   its  spaces "),
        ('"a AND (b OR NOT c)"', "a AND (b OR NOT c)"),
        ('"“smart” quotes"', "“smart” quotes"),
    ],
)
def test_quoted_terms_hold_any_text(text, term):
    assert parse(text) == Term(term)


@pytest.mark.parametrize("value", [None, 3, b"a", ["a"], {"term": "a"}, Term("a")])
def test_other_types_and_lone_surrogates_are_refused(value):
    with pytest.raises(InvalidArgumentError, match="parsed from text"):
        parse(value)
    with pytest.raises(LogicalSyntaxError, match="not valid Unicode") as caught:
        parse('a AND "\ud800"')
    assert caught.value.span == (7, 8)
    str(caught.value).encode()


def test_the_first_queries_may_be_read_by_many_threads_at_once():
    code = "from concurrent.futures import ThreadPoolExecutor as Pool; from logical_retriever import parse\n"
    code += "print(len(set(Pool(8).map(parse, ['a AND NOT b'] * 8))))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"1"


def test_the_text_of_large_queries_parses_to_the_query(random_query):
    rng = random.Random(20240)
    queries = [random_query(rng, most_terms=rng.choice((4, 16, 64))) for _ in range(500)]
    assert max(query.depth for query in queries) >= 25
    assert max(query.size for query in queries) == 64
    for query in queries:
        text = str(query)
        assert parse(text) == query
        assert str(parse(text)) == text


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


def slack(rng):
    return rng.choice(("", " ", "  ", "\n", "\t "))


def sloppy(query, rng):
    """Spell a query with needless parentheses, other signs and odd spacing."""

    def spell(node, parts):
        if isinstance(node, Term):
            text = quote(node.text) if rng.random() < 0.5 else node.text
        elif isinstance(node, Not):
            text = rng.choice((f"NOT {slack(rng)}({parts[0]})", f"!({parts[0]})", f"-({parts[0]})"))
        else:
            signs = ("AND", "&", "&&") if isinstance(node, And) else ("OR", "|", "||")
            text = parts[0] if isinstance(node.children[0], Term) else f"({parts[0]})"
            for child, part in zip(node.children[1:], parts[1:], strict=True):
                wrapped = part if isinstance(child, Term) else f"({part})"
                text += f" {slack(rng)}{rng.choice(signs)} {slack(rng)}{wrapped}"
        while rng.random() < 0.2:
            text = f"({slack(rng)}{text}{slack(rng)})"
        return text

    return query.fold(spell)


def test_the_text_of_a_span_parses_to_the_node(random_query):
    rng = random.Random(5)
    for _ in range(250):
        query = random_query(rng, texts=["a", "vitamin D", "AT&T", "state-of-the-art"], most_terms=10)
        text = slack(rng) + sloppy(query, rng) + slack(rng)
        parsed = parse(text)
        assert parsed == query
        for node in parsed.walk():
            if isinstance(node, Term):
                spanned = text[slice(*node.span)]
                assert parse(spanned) == node
                assert spanned.strip() == spanned

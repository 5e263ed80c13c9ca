"""Generated queries: small ones that hypothesis can shrink, and large ones from a seed."""

from datetime import timedelta, timezone

import pytest
from hypothesis import strategies as st

from logical_retriever.query import MAX_DEPTH, MAX_TERMS, And, Condition, LogicalQuery, Not, Or, Term

# Texts that a careless printer or lexer would misread.
AWKWARD = [
    *('say "cheese"', '"', "\\", '\\"', "C:\\dir\\", "\\\\", "\\n is not a newline", "AND", "a OR b", 'NOT "x"'),
    *("(", "a) AND (b", "-", "!", "& | && ||", " leading and trailing ", "two  spaces", "line\nbreak\r\nand\ttab"),
    *("\x00 nul", "smart “quotes” ‘here’", "'single'", "naïve café", "cafe\u0301", "ビタミンD", "فيتامين د"),
    *("👩‍👩‍👧‍👦 family", "zero\u200bwidth", "line\u2028separator"),
]
CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.sampled_from(AWKWARD) | st.text(CHARACTERS, min_size=1, max_size=12).filter(str.strip)


def _compound(queries):
    several = st.lists(queries, min_size=2, max_size=4)
    return queries.map(Not) | several.map(And) | several.map(Or)


ZONES = st.none() | st.integers(-839, 839).map(lambda minutes: timezone(timedelta(minutes=minutes)))
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
ORDERED = TEXTS | NUMBERS | st.dates() | st.datetimes(timezones=ZONES).filter(lambda time: 1 < time.year < 9999)
SCALARS = ORDERED | st.booleans() | st.text(CHARACTERS, max_size=8)
LISTS = st.lists(SCALARS, min_size=1, max_size=4).map(tuple)
FIELDS = st.sampled_from(["year", "a.b", "release year", "in", "Not", "TRUE", "naïve-feld_1", "9", "日"]) | TEXTS
CONDITIONS = (
    st.builds(Condition, FIELDS, st.sampled_from(["=", "!=", "contains"]), SCALARS)
    | st.builds(Condition, FIELDS, st.sampled_from(["<", "<=", ">", ">="]), ORDERED)
    | st.builds(Condition, FIELDS, st.sampled_from(["in", "not in"]), LISTS)
    | st.builds(Condition, FIELDS, st.just("exists"))
)

st.register_type_strategy(Term, TEXTS.map(Term))
st.register_type_strategy(Condition, CONDITIONS)
st.register_type_strategy(LogicalQuery, st.recursive(TEXTS.map(Term) | CONDITIONS, _compound, max_leaves=12))


def _grow(rng, texts, terms, depth):
    """A random query of exactly `terms` terms and at most `depth` levels, biased to deep ones."""
    if terms == 1:
        query = Term(rng.choice(texts))
    else:
        # Half of the compound queries put all but one term into one operand: those grow deep.
        parts = min(terms, rng.randint(2, 4))
        cuts = [1] if rng.random() < 0.5 else sorted(rng.sample(range(1, terms), parts - 1))
        sizes = [high - low for low, high in zip([0, *cuts], [*cuts, terms], strict=True)]
        if depth == 2:
            sizes = [1] * terms
        query = rng.choice((And, Or))([_grow(rng, texts, size, depth - 1) for size in sizes])
    while query.depth < depth and rng.random() < 0.3:
        query = Not(query)
    return query


@pytest.fixture(scope="session")
def random_query():
    """Makes a query from a random number generator, up to the bounds of the language."""

    def make(rng, texts=AWKWARD, most_terms=MAX_TERMS):
        return _grow(rng, texts, rng.randint(1, most_terms), rng.randint(2, MAX_DEPTH))

    return make

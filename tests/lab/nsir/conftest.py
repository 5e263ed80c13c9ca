"""Generated formulas, and the real encoder, loaded once."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from logical_retriever.lab.nsir import SentenceTransformerTokens
from logical_retriever.lab.nsir.fol import (
    Conjunction,
    Constant,
    Disjunction,
    Equivalence,
    ExclusiveDisjunction,
    Exists,
    ForAll,
    Formula,
    Implication,
    Negation,
    Predicate,
    Variable,
)

VARIABLES = st.sampled_from(["x", "y", "z", "a", "x1", "t20"]).map(Variable)
# Texts that a careless printer or lexer would misread.
AWKWARD = [
    *("x", "and", "NOT", "forall", "A -> B", "¬", "∀x", "New York", 'say "a"', "\\", '\\"', "1990", "3.5", "3,5", "1."),
    *("O'Neil", "Red-Cross", "a-", "-a", "é", "中文", "(", "P(x)", "line\nbreak", " x ", "_", "[A]", "::: x"),
]
TEXTS = st.sampled_from(AWKWARD) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    str.strip
)
ARGUMENTS = VARIABLES | TEXTS.map(Constant)
NAMES = st.sampled_from(
    ["P", "Dog", "CausesDisease", "_x", "not_x", "android", "orx", "vitamin_D", "Été", "X-ray", "O'k"]
)
PREDICATES = st.builds(Predicate, NAMES, st.lists(ARGUMENTS, max_size=3).map(tuple))


def _compound(formulas: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(formulas, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        formulas.map(Negation),
        several.map(Conjunction),
        several.map(Disjunction),
        several.map(ExclusiveDisjunction),
        st.builds(Implication, formulas, formulas),
        st.builds(Equivalence, formulas, formulas),
        st.builds(ForAll, VARIABLES, formulas),
        st.builds(Exists, VARIABLES, formulas),
    )


st.register_type_strategy(Formula, st.recursive(PREDICATES, _compound, max_leaves=12))


@pytest.fixture(scope="session")
def encoder() -> SentenceTransformerTokens:
    """all-MiniLM-L6-v2."""
    return SentenceTransformerTokens()

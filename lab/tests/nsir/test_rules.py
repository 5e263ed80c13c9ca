"""Logic without a language model: from our own queries, and from sentences by rule."""

import pytest
from hypothesis import given, settings, strategies as st
from random_queries import queries

from lab.nsir import SentenceFormulas, from_query
from lab.nsir.fol import parse
from logical_retriever.query import parse as parse_query


@pytest.mark.parametrize(
    ("query", "formula"),
    [
        ('"vitamin D" AND NOT "bone health"', "vitamin_D(x) ∧ ¬bone_health(x)"),
        ('("a b" AND NOT c) OR NOT NOT "x"', "a_b(x) ∧ ¬_c(x) ∨ ¬¬_x(x)"),
        ('"not"', "_not(x)"),
        ('"who is not American?"', "who_is_not_American(x)"),
        ('"1990s music"', "_1990s_music(x)"),
        ("\"O'Neil's book\"", "ONeils_book(x)"),
        ('"???"', "unnamed(x)"),
    ],
)
def test_a_query_becomes_a_formula_about_x(query, formula):
    assert str(from_query(parse_query(query))) == formula


def walked(formula):
    return [node for part in formula.parts for node in walked(part)] + [formula]


@given(queries(max_leaves=20))
@settings(max_examples=300, deadline=None)
def test_the_structure_is_kept_and_no_not_is_lost(query):
    formula = from_query(query)
    signs = {"And": "∧", "Or": "∨", "Not": "¬", "Term": ""}
    assert [signs[type(node).__name__] for node in query.walk()] == [node.symbol for node in walked(formula)]
    assert parse(str(formula)) == formula


@pytest.mark.parametrize(
    ("passage", "formulas"),
    [
        ("Moses was the brother of Aaron.", ["brother(Moses, Aaron)"]),
        ("Aspirin relieves pain.", ["aspirin_relieves_pain"]),
        ("Aspirin does not relieve pain.", ["¬aspirin_relieve_pain"]),
        ("It isn't without risk.", ["¬¬risk"]),
        ("Penicillin treats throats, but it never treats a cold.", ["penicillin_treats_throats ∧ ¬treats_cold"]),
        ("The dog barks loudly or the cat sleeps quietly.", ["dog_barks_loudly ∨ cat_sleeps_quietly"]),
        ("Bread and butter.", ["bread_butter"]),
        ("If it rains today, the game ends early.", ["rains_today → game_ends_early"]),
        ("Unless it rains today, the game goes ahead.", ["¬rains_today → game_goes_ahead"]),
        ("All dogs bark.", ["∀x dogs_bark(x)"]),
        ("Not all dogs bark.", ["¬∀x dogs_bark(x)"]),
        ("Some dogs never bark.", ["∃x ¬dogs_bark(x)"]),
        ("Founded in 1973 by ABBA. It ended.", ["founded(1973, ABBA)", "ended"]),
        ("???", ["unnamed"]),
        ("It is.", ["It_is"]),
    ],
)
def test_sentences_by_rule(passage, formulas):
    made = SentenceFormulas().passages([passage])[0]
    assert list(map(str, made.formulas)) == formulas
    assert made.problem is None


@given(st.text(max_size=200) | st.text(st.sampled_from("not never nor No. If, and or but A1 "), max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_passage_gives_formulas_or_is_empty(passage):
    made = SentenceFormulas().passages([passage])[0]
    assert bool(made.formulas) != (made.problem == "empty")
    for formula in made.formulas:
        assert parse(str(formula)) == formula

"""First-order logic: text and formula are two spellings of one thing."""

import contextlib

import pytest
from hypothesis import given, settings, strategies as st

from lab.nsir import fol
from lab.nsir.fol import Formula, FormulaError, constant, joined, negation, parse, predicate, spell

A, B, C = map(predicate, "ABC")
# Texts that a careless printer or lexer would misread.
AWKWARD = [
    *("x", "and", "NOT", "forall", "A -> B", "¬", "∀x", "New York", 'say "a"', "\\", '\\"', "1990", "3.5", "3,5", "1."),
    *("O'Neil", "Red-Cross", "a-", "-a", "é", "中文", "(", "P(x)", "line\nbreak", " x ", "_", "[A]", "::: x"),
]
ARGUMENTS = st.sampled_from(["x", "y", "x1", "t20"]) | st.sampled_from(AWKWARD).map(constant)
NAMES = st.sampled_from(["P", "Dog", "CausesDisease", "_x", "not_x", "android", "vitamin_D", "Été", "X-ray", "O'k"])
FORMULAS = st.recursive(
    st.builds(predicate, NAMES, st.lists(ARGUMENTS, max_size=3)),
    lambda inner: (
        st.builds(negation, inner)
        | st.builds(joined, st.sampled_from("∧∨⊕"), st.lists(inner, min_size=2, max_size=3))
        | st.builds(joined, st.sampled_from("→↔"), st.lists(inner, min_size=2, max_size=2))
        | st.builds(lambda sign, x, part: Formula(sign, x, parts=(part,)), *map(st.sampled_from, ("∀∃", "xy")), inner)
    ),
    max_leaves=12,
)


@given(FORMULAS)
@settings(max_examples=300, deadline=None)
def test_the_text_of_a_formula_parses_to_the_formula(formula):
    text = str(formula)
    assert parse(text) == formula
    assert str(parse(text)) == text
    spelling = spell([formula])
    assert [sign for _, _, sign in spelling.signs].count(-1) == str(formula).count("¬") - str(formula).count('"¬"')
    assert all(spelling.text[start:end] in "¬∧∨⊕→↔∀∃" for start, end, _ in spelling.signs)


@given(st.text(st.sampled_from("¬∧∨⊕→↔∀∃()xyPQ, \"\\&|~!->=<notandfr'"), max_size=24))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_formula_or_a_typed_error(text):
    with contextlib.suppress(FormulaError):  # anything else would be a fault
        formula = parse(text)
        assert parse(str(formula)) == formula


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("A ∧ B ∨ C", joined("∨", (joined("∧", (A, B)), C))),
        ("A ⊕ B ∧ C", joined("⊕", (A, joined("∧", (B, C))))),
        ("A → B → C", joined("→", (A, joined("→", (B, C))))),
        ("A ↔ B ↔ C", joined("↔", (joined("↔", (A, B)), C))),
        ("A → B ↔ C", joined("↔", (joined("→", (A, B)), C))),
        ("¬A ∧ B", joined("∧", (negation(A), B))),
        ("∀x A → B", joined("→", (Formula("∀", "x", parts=(A,)), B))),
        ("A ∧ (B ∧ C)", joined("∧", (A, joined("∧", (B, C))))),
        ('P(x, Aaron, 1990, "New York")', predicate("P", ("x", "Aaron", "1990", constant("New York")))),
    ],
)
def test_how_tightly_connectives_bind(text, formula):
    assert parse(text) == formula
    assert str(formula) == text


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("NOT A AND B XOR C OR A", "¬A ∧ B ⊕ C ∨ A"),
        ("~A && B || !C", "¬A ∧ B ∨ ¬C"),
        (r"A /\ B \/ C", "A ∧ B ∨ C"),
        ("A -> B => C", "A → B → C"),
        ("A implies B iff C", "A → B ↔ C"),
        ("FORALL x, y P(x,y)", "∀x ∀y P(x, y)"),
        (r"\forall x (\neg P(x) \land Q \rightarrow R \oplus S)", "∀x (¬P(x) ∧ Q → R ⊕ S)"),
        ("Rain()", "Rain"),
        ("notable(x) & oracle(y) | android", "notable(x) ∧ oracle(y) ∨ android"),
        ("not-for-profit(x)", "not-for-profit(x)"),
    ],
)
def test_other_spellings(written, canonical):
    assert str(parse(written)) == canonical


@pytest.mark.parametrize(
    ("text", "position"),
    [("", 0), ("A ∧", 3), ("A B", 2), ("A ^ B", 2), ("P(x = y)", 4), ("(A", 2), ("x", 0), ("A)", 1), ('P("a)', 2)],
)
def test_a_text_that_is_no_formula_is_refused_with_its_place(text, position):
    with pytest.raises(FormulaError, match=f"no formula from character {position} on") as caught:
        parse(text)
    assert "∧" in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "A" * (fol.MAX_LENGTH + 1),
        "¬" * fol.MAX_DEPTH + "A",
        "¬" * (fol.MAX_LENGTH - 1) + "A",
        " ∧ ".join(["A"] * (fol.MAX_PREDICATES + 1)),
        f"P({', '.join('x' * (fol.MAX_ARGUMENTS + 1))})",
    ],
)
def test_bounds(text):
    with pytest.raises(FormulaError, match="at most"):
        parse(text)


def test_for_an_encoder_names_are_words_and_signs_stand_alone():
    spelling = spell([parse('∀x (HTTPServer(x) → ¬runs_on("New York"))'), parse("A ⊕ B")])
    assert spelling.text == "∀ x ( HTTP Server ( x ) → ¬ runs on ( New York ) ) . A ⊕ B ."
    signs = [("∀", 1), ("→", 1), ("¬", -1), ("⊕", 1)]
    assert [(spelling.text[start:end], sign) for start, end, sign in spelling.signs] == signs
    assert spell([parse('P("¬")')]).signs == ()

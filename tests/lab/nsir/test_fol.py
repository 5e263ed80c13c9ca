"""First-order logic: text and formula are two spellings of one thing, and what is neither says why."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.errors import FormulaError, FormulaLimitError, FormulaSyntaxError, InvalidArgumentError
from logical_retriever.lab.nsir.fol import (
    MAX_ARGUMENTS,
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_PREDICATES,
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
    parse,
    spell,
)

CASES = Path(__file__).parents[2] / "fixtures" / "formula_errors.txt"
A, B, C = Predicate("A"), Predicate("B"), Predicate("C")
X = Variable("x")


@given(st.from_type(Formula))
@settings(max_examples=400, deadline=None)
def test_the_text_of_a_formula_parses_to_the_formula(formula):
    text = str(formula)
    assert parse(text) == formula
    assert str(parse(text)) == text


@given(st.text(st.sampled_from("¬∧∨⊕→↔∀∃()xyPQ, \"\\&|~!->=<notandfr'"), max_size=24))
@settings(max_examples=400, deadline=None)
def test_any_text_is_a_formula_or_a_typed_error(text):
    with contextlib.suppress(FormulaError):  # anything else would be a fault
        formula = parse(text)
        assert parse(str(formula)) == formula


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("A ∧ B ∨ C", Disjunction((Conjunction((A, B)), C))),
        ("A ∨ B ⊕ C", Disjunction((A, ExclusiveDisjunction((B, C))))),
        ("A ⊕ B ∧ C", ExclusiveDisjunction((A, Conjunction((B, C))))),
        ("A → B → C", Implication(A, Implication(B, C))),
        ("(A → B) → C", Implication(Implication(A, B), C)),
        ("A ↔ B ↔ C", Equivalence(Equivalence(A, B), C)),
        ("A ↔ (B ↔ C)", Equivalence(A, Equivalence(B, C))),
        ("A → B ↔ C", Equivalence(Implication(A, B), C)),
        ("¬A ∧ B", Conjunction((Negation(A), B))),
        ("¬¬A", Negation(Negation(A))),
        ("∀x A → B", Implication(ForAll(X, A), B)),
        ("∀x ¬∃y A", ForAll(X, Negation(Exists(Variable("y"), A)))),
        ("A ∧ (B ∧ C)", Conjunction((A, Conjunction((B, C))))),
        ('P(x, Aaron, 1990, "New York")', Predicate("P", (X, *map(Constant, ("Aaron", "1990", "New York"))))),
    ],
)
def test_how_tightly_connectives_bind(text, formula):
    assert parse(text) == formula
    assert str(formula) == text


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("not A and B or C", "¬A ∧ B ∨ C"),
        ("NOT A AND B XOR C OR A", "¬A ∧ B ⊕ C ∨ A"),
        ("~A & B | !C", "¬A ∧ B ∨ ¬C"),
        ("A && B || C", "A ∧ B ∨ C"),
        (r"A /\ B \/ C", "A ∧ B ∨ C"),
        ("A -> B => C", "A → B → C"),
        ("A <-> B <=> C", "A ↔ B ↔ C"),
        ("A implies B iff C", "A → B ↔ C"),
        ("forall x exists y P(x,y)", "∀x ∃y P(x, y)"),
        ("FORALL x, y P(x,y)", "∀x ∀y P(x, y)"),
        ("∀x∃y(P(x,y))", "∀x ∃y P(x, y)"),
        (r"\forall x (\neg P(x) \land Q \rightarrow R \oplus S)", "∀x (¬P(x) ∧ Q → R ⊕ S)"),
        ("A ⇒ B ⇔ C ⊻ A", "A → B ↔ C ⊻ A".replace("⊻", "⊕")),
        ("Rain()", "Rain"),
        ("notable(x) & oracle(y) | android", "notable(x) ∧ oracle(y) ∨ android"),
        ("not-for-profit(x)", "not-for-profit(x)"),
        ("P(1,2)", "P(1, 2)"),
    ],
)
def test_other_spellings(written, canonical):
    assert str(parse(written)) == canonical


def test_spans_are_those_of_the_text_and_are_not_compared():
    text = "A ∧ ¬(B(x) ∨ C)"
    formula = parse(text)
    negation = formula.children[1]
    assert [text[slice(*node.span)] for node in (formula, negation, *negation.operand.children)] == [
        text,
        "¬(B(x) ∨ C)",
        "B(x)",
        "C",
    ]
    assert hash(formula) == hash(parse("(A)∧(¬(B(x)∨C))"))


def cases():
    for block in CASES.read_text(encoding="utf-8").rstrip("\n").split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith("#")]
        if lines:
            yield lines[0].removeprefix("> "), "\n".join(lines[1:])


@pytest.mark.parametrize(("text", "message"), list(cases()))
def test_messages_word_for_word(text, message):
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    assert str(caught.value) == f"{message}\nMore: {caught.value.section}"
    assert caught.value.text == text
    assert caught.value.__cause__ is None


def test_invalid_unicode_is_pointed_at():
    with pytest.raises(FormulaSyntaxError, match="not valid Unicode") as caught:
        parse("P(\ud800)")
    assert caught.value.span == (2, 3)


def test_bounds():
    deep = "¬" * (MAX_DEPTH - 1) + "A"
    assert parse(deep).depth == MAX_DEPTH
    wide = " ∧ ".join(["A"] * MAX_PREDICATES)
    assert parse(wide).size == MAX_PREDICATES
    most = f"P({', '.join(['x'] * MAX_ARGUMENTS)})"
    assert len(parse(most).arguments) == MAX_ARGUMENTS
    for text, said in [
        ("¬" + deep, f"nested {MAX_DEPTH + 1} levels"),
        (f"{wide} ∧ A", f"{MAX_PREDICATES + 1} predicates"),
        (most.replace("(x", "(x, x", 1), f"{MAX_ARGUMENTS + 1} arguments"),
        ("A" * (MAX_LENGTH + 1), "20,001 characters"),
        ("(" * 9000 + "A" + ")" * 9000 + "¬" * 1999 + "A", "characters"),
    ]:
        with pytest.raises((FormulaLimitError, FormulaSyntaxError), match=said):
            parse(text)


@pytest.mark.parametrize(
    "make",
    [
        lambda: parse(b"A"),
        lambda: Variable("xy"),
        lambda: Variable("X"),
        lambda: Constant(" "),
        lambda: Constant("\udfff"),
        lambda: Predicate("x"),
        lambda: Predicate("and"),
        lambda: Predicate("New York"),
        lambda: Predicate("P", ("x",)),
        lambda: Conjunction((A,)),
        lambda: Negation("A"),
        lambda: ForAll("x", A),
    ],
)
def test_what_is_no_formula_is_refused(make):
    with pytest.raises(InvalidArgumentError) as caught:
        make()
    assert caught.value.hint


def test_a_formula_has_no_truth_value():
    with pytest.raises(TypeError, match="no truth value"):
        bool(A)


def test_for_an_encoder_names_are_words_and_signs_stand_alone():
    spelling = spell([parse('∀x (HTTPServer(x) → ¬runs_on("New York"))'), parse("A ⊕ B")])
    assert spelling.text == "∀ x ( HTTP Server ( x ) → ¬ runs on ( New York ) ) . A ⊕ B ."
    assert [(spelling.text[start:end], sign) for start, end, sign in spelling.signs] == [
        ("∀", 1),
        ("→", 1),
        ("¬", -1),
        ("⊕", 1),
    ]


def test_a_sign_inside_a_constant_is_no_connective():
    assert spell([parse('P("¬")')]).signs == ()


@given(st.from_type(Formula))
@settings(max_examples=300, deadline=None)
def test_every_negation_keeps_its_sign(formula):
    negations = sum(isinstance(node, Negation) for node in formula.walk())
    spelling = spell([formula])
    assert [sign for _, _, sign in spelling.signs].count(-1) == negations
    assert all(spelling.text[start:end] in "¬∧∨⊕→↔∀∃" for start, end, _ in spelling.signs)

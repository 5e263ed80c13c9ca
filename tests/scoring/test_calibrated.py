"""The default semantics: its formula, its promises, and every tree."""

import math
from dataclasses import replace

import numpy as np
import oracle
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import LETTERS, queries

from logical_retriever.errors import SemanticsError
from logical_retriever.lexical import own_words
from logical_retriever.query import And, Or, Term, literals, negative_terms, parse
from logical_retriever.scoring import BagOfWords, CalibratedSemantics, Evidence, NullDistributions
from logical_retriever.scoring.exclusion import exclusion_log_odds

A, B, C = Term("a"), Term("b"), Term("c")
SEMANTICS = CalibratedSemantics()
QUESTION = "the question"


def evidence(query, z, lexical=None, question=None, semantics=SEMANTICS):
    """Evidence with given calibrated cosines: rows for a, b, c, d and the question, shape (5, N)."""
    z = np.asarray(z, dtype=float)
    texts = (*LETTERS, QUESTION)[: len(z)]
    nulls = NullDistributions(np.full(len(z), 0.1), np.full(len(z), 0.05))
    bags = semantics.bags(query, question) if lexical is not None else ()
    rows = dict(zip(texts, lexical if lexical is not None else [], strict=False))
    found = {bag: np.maximum(np.asarray(rows[bag.text], dtype=float), 0.0) for bag in bags if bag.text in rows}
    return Evidence(texts, 0.1 + 0.05 * z, nulls, found, question)


def scores(query, z, lexical=None, question=None, words=0.5):
    semantics = CalibratedSemantics(words=words)
    return semantics.compose(query, evidence(query, z, lexical, question, semantics))


def columns(n=4):
    value = st.floats(-6, 25, width=32) | st.sampled_from([0.0, 3.0, 6.0])
    return st.lists(st.lists(value, min_size=n, max_size=n), min_size=5, max_size=5).map(np.array)


WAYS = {"question": st.sampled_from([QUESTION, None]), "words": st.sampled_from([0, 0.1, 0.5, 0.7, 1])}


@settings(max_examples=400, deadline=None)
@given(query=queries(), z=columns(), lexical=st.none() | columns(), **WAYS)
def test_every_tree_scores_as_the_oracle_does(query, z, lexical, question, words):
    semantics, names = CalibratedSemantics(words=words), (*LETTERS, QUESTION)
    known = evidence(query, z, lexical, question, semantics)
    found, terms = semantics.compose(query, known), semantics.term_evidence(query, known)
    odds = {text: exclusion_log_odds(text, terms) for text in terms.excluded}
    for i, column in enumerate(z.T):
        read = {} if lexical is None or words == 0 else dict(zip(names, lexical[:, i], strict=True))
        given = dict(zip(names, column, strict=True)), {text: float(values[i]) for text, values in odds.items()}
        expected = oracle.calibrated(query, *given, read, question, words)
        assert found[i] == pytest.approx(expected, rel=1e-6, abs=1e-6)


RISE = {"rise": st.floats(0, 10), "which": st.integers(0, 3), "kind": st.sampled_from(["z", "lexical"])}


@settings(max_examples=400, deadline=None)
@given(query=queries(), z=columns(1), lexical=columns(1), **RISE)
def test_monotone_in_the_evidence_of_every_wanted_term(query, z, lexical, rise, which, kind):
    polarities = {literal.positive for literal in literals(query) if literal.text == LETTERS[which]}
    raised = {"z": z.copy(), "lexical": lexical.copy()}
    raised[kind][which] += rise
    before = scores(query, z, lexical, QUESTION)
    after = scores(query, raised["z"], raised["lexical"], QUESTION)
    if polarities == {True}:
        assert (after >= before - 1e-9).all()


@pytest.mark.parametrize("query", [A & ~B, ~B, (A & ~B) | C])
def test_the_likelier_to_be_left_out_the_lower_the_score(query):
    known = evidence(query, [[8.0] * 4, [0.0, 3, 6, 9], [1.0] * 4])
    known = replace(known, cues={"b": np.array([0.0, -1.0, 1.0, 1.0])})
    terms = SEMANTICS.term_evidence(query, known)
    likely = SEMANTICS.truth_values(query, known)["b"]
    np.testing.assert_allclose(likely, 1 / (1 + np.exp(-exclusion_log_odds("b", terms))))
    np.testing.assert_array_equal(np.argsort(likely), np.argsort(-SEMANTICS.compose(query, known)))


def test_evidence_of_a_wanted_term_never_saturates():
    rising = scores(A & ~B, [[5, 10, 20, 40], [0] * 4])
    assert (np.diff(rising) > 0.3).all()


def test_pure_negation_is_best_without_evidence_and_never_positive():
    found = scores(~A, [[-3, 0, 3, 9]])
    assert (found[:2] > found[3]).all()
    assert (found <= 0).all()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (A & (B & ~C), And((A, B, ~C))),
        (~(A | B), ~A & ~B),
        (~~A, A),
        (And((A, A, ~B)), And((A, ~B, ~B))),
        (Or((A, A, B)), A | B),
        (~(~A & B), A | ~B),
    ],
    ids=str,
)
def test_equivalent_spellings_score_alike(left, right):
    z = np.random.default_rng(3).normal(4, 4, size=(3, 50))
    np.testing.assert_allclose(scores(left, z), scores(right, z))


def test_a_term_that_is_wanted_and_excluded_is_scored_and_shown_as_wanted():
    values = SEMANTICS.truth_values(A & ~A, evidence(A & ~A, [[8.0]]))
    assert values["a"][0] == pytest.approx(1 / (1 + math.exp(-5)))


def test_truth_values_lie_between_0_and_1_and_strengths_are_in_deviations():
    query = (A | B) & ~C
    known = evidence(query, [[-50, 0, 90]] * 3)
    for value in SEMANTICS.truth_values(query, known).values():
        assert ((value >= 0) & (value <= 1)).all()
    np.testing.assert_allclose(SEMANTICS.term_evidence(query, known).total("c"), [-50, 0, 90])


def test_the_excluded_terms_lexical_evidence_leaves_out_the_wanted_words():
    query = parse('"teams of the league" AND NOT "league champions"')
    assert BagOfWords("league champions", ("teams of the league",)) in SEMANTICS.bags(query)


def test_the_question_is_looked_for_without_the_words_that_only_excluded_terms_have():
    query, question = parse('"jazz trumpet" AND NOT "jazz drums"'), "jazz trumpet without drums"
    asked = next(bag for bag in SEMANTICS.bags(query, question) if bag.text == question)
    assert own_words(asked.text, asked.without, asked.keeping) == ["jazz", "trumpet", "without"]
    assert BagOfWords(question) in SEMANTICS.bags(parse(f'"{question}"'), question)


def test_the_weight_of_words_fades_one_source_or_the_other():
    z, lexical = [[2.0, 8.0]], [[5.0, 0.0]]
    by_vectors, mostly_vectors, both, mostly_words, by_words = (
        scores(A, z, lexical, words=words) for words in (0, 0.1, 0.5, 0.9, 1)
    )
    np.testing.assert_array_equal(by_vectors, z[0])
    np.testing.assert_allclose(by_words, [7, 0], atol=1e-9)
    np.testing.assert_allclose(both, [math.hypot(2, 7), 8])
    for rising in ([by_vectors, mostly_vectors, both], [by_words, mostly_words, both]):
        assert (np.diff(rising, axis=0) >= -1e-9).all()
    # No words are asked for where they weigh nothing.
    assert CalibratedSemantics(words=0).bags(A & ~B, QUESTION) == ()
    assert CalibratedSemantics(words=0.01).bags(A & ~B, QUESTION)


def test_a_wrong_weight_of_words_and_evidence_without_statistics_are_refused():
    for words in (-0.1, 1.1, math.nan, math.inf, "0.5", None, True):
        with pytest.raises(SemanticsError, match="number from 0 to 1"):
            CalibratedSemantics(words=words)
    with pytest.raises(SemanticsError, match="null distributions"):
        SEMANTICS.compose(A, Evidence(("a",), np.zeros((1, 3))))


def test_what_is_encoded_and_what_is_probed():
    query = A & ~B
    assert SEMANTICS.texts(query, QUESTION) == ("a", "b", QUESTION)
    assert SEMANTICS.wanted_texts(query, QUESTION) == ("a", QUESTION)
    assert SEMANTICS.texts(A, "a") == ("a",)
    assert SEMANTICS.wanted_texts(~B, QUESTION) == ()


@settings(max_examples=100, deadline=None)
@given(query=queries())
def test_queries_without_exclusion_are_left_to_the_question(query):
    assert SEMANTICS.searched_whole(query) is not bool(negative_terms(query))

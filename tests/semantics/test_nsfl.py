from __future__ import annotations

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.query import parse
from logical_retriever.semantics import Evidence
from logical_retriever.semantics.nsfl import NsflSemantics


def composed(form: str, rows: dict[str, list[float]], **parameters: str) -> list[float]:
    semantics = NsflSemantics(**parameters)  # type: ignore[arg-type]
    query = parse(form)
    texts = semantics.texts(query)
    assert set(texts) == set(rows)
    evidence = Evidence(texts, np.array([rows[text] for text in texts]))
    return semantics.compose(query, evidence).scores.tolist()


def test_and_adds_what_the_weaker_atom_adds():
    rows = {"a": [0.6, 0.6, 0.1], "b": [0.4, 0.4, 0.1], "a and b": [0.7, 0.5, 0.3]}
    # 0.7 + (0.7 - 0.6); 0.5 + (0.5 - 0.6); reinforcement: 0.3 >= 0.1 + 0.1 stays.
    assert composed('"a" AND "b"', rows) == pytest.approx([0.8, 0.4, 0.3])


def test_not_subtracts_the_delta_by_confidence():
    rows = {"a": [0.6, 0.6, 0.6], "b": [0.8, 0.4, 0.5], "a and b": [0.7, 0.5, 0.3]}
    # Confidence 1 and 0.5: 0.6 - 0.1; 0.6 + 0.5 * 0.1; departure: 0.3 is below both.
    assert composed('"a" AND NOT "b"', rows) == pytest.approx([0.5, 0.65, 0.6])


def test_or_takes_the_best_unless_the_fusion_departs():
    rows = {"a": [0.6, 0.6], "b": [0.4, 0.4], "a and b": [0.5, 0.3], "a or b": [0.65, 0.9]}
    assert composed('"a" OR "b"', rows) == pytest.approx([0.65, 0.4])


def test_and_of_three_adds_both_weaker_atoms():
    rows = {
        "a": [0.6],
        "b": [0.5],
        "c": [0.4],
        "a and b and c": [0.7],
        "b and c": [0.55],
        "a and c": [0.62],
        "a and b": [0.66],
    }
    assert composed('"a" AND "b" AND "c"', rows) == pytest.approx([0.7 + (0.7 - 0.62) + (0.7 - 0.66)])


def test_and_with_not_subtracts_from_the_conjunction():
    rows = {"a": [0.6], "b": [0.5], "c": [0.8], "a and b": [0.7], "a and b and c": [0.9]}
    # AND(a, b) = 0.7 + 0.1; confidence 1; the fusion with c adds 0.2.
    assert composed('"a" AND "b" AND NOT "c"', rows) == pytest.approx([0.8 - 0.2])


def test_several_negated_terms_are_one_fused_text():
    rows = {"a": [0.6], "b": [0.1], "c": [0.1], "b and c": [0.4], "a and b and c": [0.7]}
    for form in ('"a" AND NOT "b" AND NOT "c"', '"a" AND NOT ("b" OR "c")'):
        extra = {"b or c": [0.0]} if "OR" in form else {}
        assert composed(form, rows | extra) == pytest.approx([0.5])


def test_an_or_with_a_not_inside_does_not_fuse_the_negated_term_back_in():
    rows = {"a": [0.6], "b": [0.8], "a and b": [0.7], "c": [0.2]}
    assert composed('("a" AND NOT "b") OR "c"', rows) == pytest.approx([0.5])


def test_a_penalty_inside_a_part_is_kept_outside():
    plain = {"a": [0.6], "c": [0.5], "a and c": [0.7], "b": [0.8], "a and b": [0.7]}
    assert composed('("a" AND NOT "b") AND "c"', plain) == pytest.approx([0.7 + 0.1 - 0.1])


def test_a_lone_not_is_the_complement():
    assert composed('NOT "a"', {"a": [0.25, -0.5]}) == pytest.approx([0.75, 1.0])
    assert composed('NOT "a" AND NOT "b"', {"a": [0.25], "b": [0.5]}) == pytest.approx([0.5])
    assert composed('NOT NOT "a"', {"a": [0.25]}) == pytest.approx([0.25])


def test_no_negation_is_lost():
    rows = {"a": [0.6], "b": [0.8], "a and b": [0.7]}
    assert composed('"a" AND NOT "b"', rows)[0] < 0.6
    assert composed('"a" AND NOT "b"', rows, operators="fused")[0] < 0.6


def test_fused_operators_leave_the_smoothed_not_alone():
    rows = {"a": [0.6], "b": [0.5], "c": [0.8], "a and b": [0.7], "a and b and c": [0.9]}
    assert composed('"a" AND "b" AND NOT "c"', rows, operators="fused") == pytest.approx([0.5])
    assert composed('NOT "a"', {"a": [0.25]}, operators="fused") == pytest.approx([0.75])


def test_the_other_wording():
    assert composed('"a" AND "b"', {"a": [0.6], "b": [0.4], "a that are also b": [0.7]}, wording="that are also")[
        0
    ] == (pytest.approx(0.8))


def test_the_scale_decides_what_an_unrelated_text_weighs():
    rows = {"a": [0.6, 0.6], "b": [0.0, 1.0], "a and b": [0.4, 0.8]}
    assert composed('"a" AND NOT "b"', rows)[0] == pytest.approx(0.6)
    # S = (1 + s)/2: 0.8, confidence 0.5 / 1, delta 0.7 - 0.8; not a departure, since 0.7 is above 0.5.
    assert composed('"a" AND NOT "b"', rows, scale="rescaled")[0] == pytest.approx(0.8 + 0.5 * 0.1)


def test_no_document_similar_to_the_negated_term_costs_nothing():
    rows = {"a": [0.6, 0.5], "b": [-0.1, 0.0], "a and b": [0.7, 0.6]}
    assert composed('"a" AND NOT "b"', rows) == pytest.approx([0.6, 0.5])


def test_no_documents():
    assert composed('"a" AND NOT "b"', {"a": [], "b": [], "a and b": []}) == []


@pytest.mark.parametrize("parameters", [{"wording": "plus"}, {"operators": "x"}, {"scale": "raw"}])
def test_unknown_parameters_are_refused(parameters):
    with pytest.raises(InvalidArgumentError):
        NsflSemantics(**parameters)


def test_missing_evidence_is_named():
    with pytest.raises(SemanticsError, match="'a and b'"):
        NsflSemantics().compose(parse('"a" AND "b"'), Evidence(("a", "b"), np.zeros((2, 1))))

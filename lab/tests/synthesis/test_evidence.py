import copy
import json

import pytest

from lab.asking import InvalidAnswer
from lab.synthesis import query_types
from lab.synthesis.evidence import read_typed_query

PIN = query_types()["pin"]
PASSAGES = PIN.demonstration["passages"]


@pytest.fixture
def answer():
    return copy.deepcopy(PIN.demonstration["answer"])


def reason(answer, kind=PIN, passages=PASSAGES):
    with pytest.raises(InvalidAnswer) as caught:
        read_typed_query(answer if isinstance(answer, str) else json.dumps(answer), kind, passages)
    assert caught.value.message
    return caught.value.reason


def read(answer, passages=PASSAGES):
    return read_typed_query(json.dumps(answer), PIN, passages)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("query", None, "query_form"),
        ("query", " ?", "query_form"),
        ("query", "Which?\nAnd who?", "query_form"),
        ("query", "why " * 81, "query_form"),
        ("query", "Which actors in the passage are not American?", "query_refers_to_passage"),
        ("query", "Is Mark Rylance an actor in Nolan's films, but not American?", "answer_in_query"),
        ("entities", ["a"], "generation_form"),
        ("entities", {"e1": "Christopher Nolan", "e2": " "}, "generation_form"),
        ("entities", {"e1": "Christopher Nolan"}, "structure_names"),
        ("relations", {"R1": "a", "R2": "b", "R3": "c", "R4": "d"}, "structure_names"),
        ("facts", [], "generation_form"),
        ("facts", ["R1"], "generation_form"),
        ("answers", [], "generation_form"),
        ("answers", "Mark Rylance", "generation_form"),
        ("answers", ["Leonardo DiCaprio"], "answers_do_not_follow"),
        ("answers", ["Mark Rylance", "Leonardo DiCaprio"], "answers_do_not_follow"),
    ],
)
def test_fields(answer, field, value, expected):
    answer[field] = value
    assert reason(answer) == expected


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("relation", "R9", "structure_names"),
        ("relation", 1, "generation_form"),
        ("subject", "", "generation_form"),
        ("passage", 0, "generation_form"),
        ("passage", 3, "generation_form"),
        ("passage", True, "generation_form"),
        ("holds", None, "generation_form"),
        ("holds", False, "structure_names"),
        ("quote", "directed by Steven Spielberg", "quote_not_in_passage"),
        ("quote", "Leonardo DiCaprio is an American actor", "quote_not_in_passage"),
        ("quote", "films", "quote_not_in_passage"),
        ("subject", "Nolan", "indicator_not_satisfied"),
    ],
)
def test_fields_of_a_fact(answer, field, value, expected):
    answer["facts"][0][field] = value
    assert reason(answer) == expected


def test_quotes_may_differ_in_case_spaces_and_typography(answer):
    passages = ["Inception  and “Dunkirk” are\nfilms directed by Christopher Nolan — he’s famous.", *PASSAGES]
    fact = answer["facts"][0]
    answer["facts"] = [{**f, "passage": f["passage"] + 1} for f in answer["facts"]]
    answer["facts"].append({**fact, "quote": 'inception and "dunkirk" are films', "passage": 1})
    assert len(read(answer, passages).labels) == 3


def test_a_negation_may_rest_on_what_does_not_hold_alone(answer):
    answer["facts"] = [f for f in answer["facts"] if f["object"] in ("Dunkirk", "Mark Rylance")]
    typed = read(answer)
    assert typed.answers == ("Mark Rylance",)
    assert (typed.labels, typed.violations) == ((2, 1), ())


def test_one_triple_cannot_hold_and_not_hold(answer):
    answer["facts"].append({**answer["facts"][-1], "holds": True})
    assert reason(answer) == "facts_contradict"


def test_two_conditions_may_not_be_the_same():
    kind = query_types()["2u"]
    answer = copy.deepcopy(kind.demonstration["answer"])
    answer["entities"]["e2"] = "germany"
    answer["facts"][1]["subject"] = "Germany"
    assert reason(answer, kind, kind.demonstration["passages"]) == "branches_identical"


def test_grades_tell_whole_from_partial_evidence(answer):
    assert read(answer).labels == (1, 1)
    joined = " ".join(PASSAGES)
    answer["facts"] = [{**fact, "passage": 1} for fact in answer["facts"]]
    assert read(answer, [joined]).labels == (2,)


def test_a_passage_on_the_excluded_alone_is_a_violation(answer):
    first, second = PASSAGES[1].split(". ")
    answer["facts"][-2]["passage"] = 2
    answer["facts"][-1]["passage"] = 3
    typed = read(answer, [PASSAGES[0], first, second])
    assert (typed.labels, typed.violations) == ((1, 0, 1), (1,))


def test_the_excluded_entity_may_not_be_an_answer(answer):
    answer["facts"][-1]["holds"] = True
    assert reason(answer) == "answers_do_not_follow"

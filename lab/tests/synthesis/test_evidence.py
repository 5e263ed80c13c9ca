import copy
import json

import pytest

from lab.asking import InvalidAnswer
from lab.synthesis import query_types
from lab.synthesis.evidence import read_typed_query
from lab.synthesis.typed_queries import Fact, derive

PIN = query_types()["pin"]
PASSAGES = PIN.demonstration["passages"]


@pytest.fixture
def answer():
    return copy.deepcopy(PIN.demonstration["answer"])


def reason(answer, kind=PIN, passages=PASSAGES):
    with pytest.raises(InvalidAnswer) as caught:
        read(answer, passages, kind)
    assert caught.value.message
    return caught.value.reason


def read(answer, passages=PASSAGES, kind=PIN):
    return read_typed_query(json.dumps(answer), kind, passages)


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
    ("place", "field", "value", "expected"),
    [
        (0, "relation", "R9", "structure_names"),
        (0, "relation", 1, "generation_form"),
        (0, "subject", "", "generation_form"),
        (0, "passage", 0, "generation_form"),
        (0, "passage", 3, "generation_form"),
        (0, "passage", True, "generation_form"),
        (0, "holds", None, "generation_form"),
        (0, "holds", False, "structure_names"),
        (0, "quote", "directed by Steven Spielberg", "quote_not_in_passage"),
        (0, "quote", "Leonardo DiCaprio is an American actor", "quote_not_in_passage"),
        (0, "quote", "films", "quote_not_in_passage"),
        (0, "subject", "Nolan", "indicator_not_satisfied"),
        (-1, "holds", True, "answers_do_not_follow"),  # the excluded entity may not be an answer
    ],
)
def test_fields_of_a_fact(answer, place, field, value, expected):
    answer["facts"][place][field] = value
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


@pytest.mark.parametrize("name", query_types())
def test_the_demonstration_passes_its_own_checks(name):
    kind = query_types()[name]
    typed = read(kind.demonstration["answer"], kind.demonstration["passages"], kind)
    assert list(typed.answers) == kind.demonstration["answer"]["answers"]
    assert max(typed.labels) >= 1
    assert bool(kind.negations) or not typed.violations


def facts(text):
    """Facts such as "R1sa", the first of passage 0; one that does not hold ends with a minus."""
    return [Fact(one[:2], one[2], one[3], one[-1] != "-", passage) for passage, one in enumerate(text.split())]


SETS = {"1p": "ab", "2i": "b", "2u": "abc", "2in": "a", "ip": "y", "up": "xyz", "inp": "x"}


@pytest.mark.parametrize(("name", "expected"), SETS.items())
def test_set_operations(name, expected):
    evidence = facts("R1sa R1sb R2tb R2tc R3ax R3by R3cz")
    assert set(derive(query_types()[name].expression, {"e1": "s", "e2": "t"}, evidence)) == {*expected}


def test_an_answer_rests_on_its_own_chain_and_on_what_denies_the_negated_one():
    evidence = facts("R1sa R1sb R2ta- R2tb")
    assert derive(query_types()["2in"].expression, {"e1": "s", "e2": "t"}, evidence) == {"a": {0, 2}}

import json

import pytest

from lab.synthesis import query_types
from lab.synthesis.evidence import read_typed_query
from lab.synthesis.typed_queries import Fact, derive


@pytest.mark.parametrize("name", query_types())
def test_the_demonstration_passes_its_own_checks(name):
    kind = query_types()[name]
    passages = kind.demonstration["passages"]
    typed = read_typed_query(json.dumps(kind.demonstration["answer"]), kind, passages)
    assert list(typed.answers) == kind.demonstration["answer"]["answers"]
    assert max(typed.labels) >= 1
    assert bool(kind.negations) or not typed.violations


def facts(text):
    """Facts such as "R1sa", the first of passage 0; one that does not hold ends with a minus."""
    return [Fact(one[:2], one[2], one[3], one[-1] != "-", passage) for passage, one in enumerate(text.split())]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("1p", {"a", "b"}),
        ("2i", {"b"}),
        ("2u", {"a", "b", "c"}),
        ("2in", {"a"}),
        ("ip", {"y"}),
        ("up", {"x", "y", "z"}),
        ("inp", {"x"}),
    ],
)
def test_set_operations(name, expected):
    evidence = facts("R1sa R1sb R2tb R2tc R3ax R3by R3cz")
    assert set(derive(query_types()[name].expression, {"e1": "s", "e2": "t"}, evidence)) == expected


def test_an_answer_rests_on_its_own_chain_and_on_what_denies_the_negated_one():
    evidence = facts("R1sa R1sb R2ta- R2tb")
    assert derive(query_types()["2in"].expression, {"e1": "s", "e2": "t"}, evidence) == {"a": {0, 2}}

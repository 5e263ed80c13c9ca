import json

import pytest

from logical_retriever.lab.synthesis import query_types
from logical_retriever.lab.synthesis.evidence import read_typed_query
from logical_retriever.lab.synthesis.typed_queries import Fact, derive

NAMES = ["1p", "2p", "3p", "2i", "3i", "pi", "ip", "2u", "up", "2in", "3in", "inp", "pin", "pni"]


@pytest.mark.parametrize("name", NAMES)
def test_the_demonstration_passes_its_own_checks(name):
    kind = query_types()[name]
    passages = kind.demonstration["passages"]
    typed = read_typed_query(json.dumps(kind.demonstration["answer"]), kind, passages)
    assert list(typed.answers) == kind.demonstration["answer"]["answers"]
    assert max(typed.labels) >= 1
    assert bool(kind.negations) or not typed.violations


def facts(*triples):
    return [
        Fact(relation, subject, target, holds, passage)
        for passage, (relation, subject, target, holds) in enumerate(triples)
    ]


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
    known = facts(
        ("R1", "s", "a", True),
        ("R1", "s", "b", True),
        ("R2", "t", "b", True),
        ("R2", "t", "c", True),
        ("R3", "a", "x", True),
        ("R3", "b", "y", True),
        ("R3", "c", "z", True),
    )
    assert set(derive(query_types()[name].expression, {"e1": "s", "e2": "t"}, known)) == expected


def test_an_answer_rests_on_its_own_chain_and_on_what_denies_the_negated_one():
    known = facts(
        ("R1", "s", "a", True),
        ("R1", "s", "b", True),
        ("R2", "t", "a", False),
        ("R2", "t", "b", True),
    )
    assert derive(query_types()["2in"].expression, {"e1": "s", "e2": "t"}, known) == {"a": {0, 2}}

import json
import re

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lab.synthesis import query_types
from logical_retriever.lab.synthesis.evidence import read_typed_query
from logical_retriever.lab.synthesis.typed_queries import Fact, chosen_types, derive

NAMES = ["1p", "2p", "3p", "2i", "3i", "pi", "ip", "2u", "up", "2in", "3in", "inp", "pin", "pni"]


def test_there_are_the_fourteen_types_of_the_paper():
    assert list(query_types()) == NAMES
    assert [name for name, kind in query_types().items() if kind.negations] == ["2in", "3in", "inp", "pin", "pni"]


@pytest.mark.parametrize("name", NAMES)
def test_the_formal_expression_says_what_the_evaluated_one_does(name):
    kind = query_types()[name]
    edges = re.findall(r"(¬?)\(*\((\?\w|e\d), (R\d), (\?\w)\)", kind.formal)
    negated_part = re.findall(r"¬\((\(.*?\) ∧ \(.*?\))\)", kind.formal)
    projections = kind.projections()
    assert sorted(relation for _, _, relation, _ in edges) == sorted(p.relation for p in projections)
    for sign, source, relation, _ in edges:
        projection = next(p for p in projections if p.relation == relation)
        inside = any(f", {relation}, " in part for part in negated_part)
        assert projection.negated == (bool(sign) or inside)
        assert (source if source.startswith("e") else None) == (
            projection.source if isinstance(projection.source, str) else None
        )
    assert ("∪" in kind.formal) == ('"or"' in json.dumps(kind.expression))
    assert ("∩" in kind.formal) == ('"and"' in json.dumps(kind.expression))


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


@pytest.mark.parametrize(
    ("name", "expected"), [("2p", {"x", "y"}), ("pi", {"x"}), ("pin", {"y"}), ("pni", {"w"}), ("3p", {"end"})]
)
def test_chains_and_negated_chains(name, expected):
    known = facts(
        ("R1", "s", "a", True),
        ("R1", "s", "b", True),
        ("R2", "a", "x", True),
        ("R2", "b", "y", True),
        ("R3", "t", "x", True),
        ("R3", "t", "w", True),
        ("R3", "y", "end", True),
        ("R2", "b", "w", False),
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


def test_types_are_chosen_by_name():
    assert [kind.name for kind in chosen_types(["pin", "1p", "pin"])] == ["pin", "1p"]
    assert len(chosen_types(None)) == 14
    for names in (["4p"], []):
        with pytest.raises(InvalidArgumentError, match="type"):
            chosen_types(names)

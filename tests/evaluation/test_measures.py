from __future__ import annotations

import math

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import Question
from logical_retriever.evaluation.measures import Ranking, compute, lsnc, measure_names

ONE = Question("1", "?", relevance={"a": 2, "b": 1, "z": 0}, violations=frozenset({"v", "w"}))
TWO = Question("2", "?", relevance={"c": 1})


def values(*names: str, **rankings: Ranking) -> dict[str, dict[str, float]]:
    return compute(names, [ONE, TWO], {key.removeprefix("q"): value for key, value in rankings.items()})


def test_standard_measures_by_hand():
    found = values("nDCG@3", "AP@3", "P@2", "R@2", "RR@3", q1=Ranking(("v", "b", "a")), q2=Ranking(("c",)))
    gain = (1 / math.log2(3) + 2 / math.log2(4)) / (2 + 1 / math.log2(3))
    assert found["nDCG@3"]["1"] == pytest.approx(gain)
    assert found["AP@3"]["1"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert (found["P@2"]["1"], found["R@2"]["1"], found["RR@3"]["1"]) == (0.5, 0.5, 0.5)
    assert {name: own["2"] for name, own in found.items()} == {
        "nDCG@3": 1.0,
        "AP@3": 1.0,
        "P@2": 0.5,
        "R@2": 1.0,
        "RR@3": 1.0,
    }


def test_a_question_without_a_ranking_counts_zero():
    found = values("nDCG@10", "RR@10", q1=Ranking(("a",)))
    assert found["nDCG@10"]["2"] == found["RR@10"]["2"] == 0.0


@pytest.mark.parametrize(
    ("violations", "k", "expected"),
    # -log((V + 1) / (K + 1)) / log(K + 1): with K + 1 = 4 and V + 1 = 2 that is log 2 / log 4.
    [(0, 3, 1.0), (1, 3, 0.5), (3, 3, 0.0), (9, 99, 0.5), (0, 1, 1.0), (1, 1, 0.0)],
)
def test_lsnc_by_hand(violations, k, expected):
    assert lsnc(violations, k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("violations", "k"), [(0, 0), (-1, 3), (4, 3)])
def test_lsnc_is_not_defined_elsewhere(violations, k):
    with pytest.raises(InvalidArgumentError):
        lsnc(violations, k)


def test_lsnc_and_violations_are_for_questions_with_known_violations():
    found = values("LSNC@3", "Violation@1", "Violation@3", q1=Ranking(("a", "v", "x", "w")), q2=Ranking(("c",)))
    assert found["LSNC@3"] == {"1": pytest.approx(0.5)}
    assert found["Violation@1"] == {"1": 0.0}
    assert found["Violation@3"] == {"1": 1.0}


def test_lsnc_keeps_its_k_when_fewer_documents_were_retrieved():
    assert values("LSNC@3", q1=Ranking(("v",)))["LSNC@3"]["1"] == pytest.approx(0.5)


def test_wanted_above_unwanted_is_what_the_ranking_says():
    assert values("WantedAboveUnwanted", q1=Ranking(("a",), wanted_above=False))["WantedAboveUnwanted"] == {"1": 0.0}


def test_names_of_measures():
    assert measure_names([100, 10])[:2] == ("nDCG@10", "AP@10")
    assert measure_names([5])[-3:] == ("LSNC@5", "Violation@5", "WantedAboveUnwanted")
    for cutoffs in ([], [0, 10]):
        with pytest.raises(InvalidArgumentError):
            measure_names(cutoffs)


@pytest.mark.parametrize("name", ["LSNC@0", "LSNC@x", "LSNK@3", "Recall"])
def test_unknown_measures_are_refused(name):
    with pytest.raises(InvalidArgumentError, match="There is no measure"):
        values(name)

import math

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.evaluation import JudgedQuestion, evaluate, load_dataset
from logical_retriever.evaluation.measures import MEASURES, Measure, Ranking, default_measures, each, get_measure, rank
from logical_retriever.testing import HashingEmbedder

ONE = JudgedQuestion("1", "?", relevance={"a": 2, "b": 1, "z": 0}, violations=frozenset({"v", "w"}))
TWO = JudgedQuestion("2", "?", relevance={"c": 1})


def values(*names, **rankings):
    own = {key.removeprefix("q"): value for key, value in rankings.items()}
    return {measure.name: measure.values([ONE, TWO], own) for measure in map(get_measure, names)}


def test_standard_measures_by_hand():
    found = values("nDCG@3", "AP@3", "P@2", "R@2", "RR@3", q1=Ranking(("v", "b", "a")), q2=Ranking(("c",)))
    gain = (1 / math.log2(3) + 2 / math.log2(4)) / (2 + 1 / math.log2(3))
    assert found["nDCG@3"]["1"] == pytest.approx(gain)
    assert found["AP@3"]["1"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert (found["P@2"]["1"], found["R@2"]["1"], found["RR@3"]["1"]) == (0.5, 0.5, 0.5)
    second = {"nDCG@3": 1.0, "AP@3": 1.0, "P@2": 0.5, "R@2": 1.0, "RR@3": 1.0}
    assert {name: own["2"] for name, own in found.items()} == second


@pytest.mark.parametrize(
    ("violations", "k", "expected"),
    # -log((V + 1) / (K + 1)) / log(K + 1): with K + 1 = 4 and V + 1 = 2 that is log 2 / log 4.
    [(0, 3, 1.0), (1, 3, 0.5), (3, 3, 0.0), (9, 99, 0.5), (0, 1, 1.0), (1, 1, 0.0)],
)
def test_lsnc_by_hand(violations, k, expected):
    unwanted = [f"v{i}" for i in range(violations)]
    question = JudgedQuestion("1", "?", violations=frozenset([*unwanted, "v"]))
    measure = get_measure(f"LSNC@{k}")
    assert measure.values([question], {"1": Ranking((*unwanted, *"abc"))})["1"] == pytest.approx(expected, abs=1e-12)


def test_lsnc_and_violations_are_for_questions_with_known_violations():
    found = values("LSNC@3", "Violation@1", "Violation@3", q1=Ranking(("a", "v", "x", "w")), q2=Ranking(("c",)))
    assert found["LSNC@3"] == {"1": pytest.approx(0.5)}
    assert found["Violation@1"] == {"1": 0.0}
    assert found["Violation@3"] == {"1": 1.0}


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"a": 0.1, "b": 0.5, "v": 0.4, "w": -math.inf}, {"1": 1.0}),
        ({"a": 0.1, "b": 0.4, "v": 0.4}, {"1": 0.0}),
        ({"a": 0.1, "b": 0.4}, {}),
    ],
)
def test_the_best_wanted_document_must_be_strictly_above_the_best_unwanted_one(scores, expected):
    assert values("WantedAboveUnwanted", q1=Ranking((), scores))["WantedAboveUnwanted"] == expected


def test_any_measure_of_the_library_is_one_by_its_own_name():
    expected = {"P(rel=2)@3": pytest.approx(1 / 3), "RR": 0.5, "NumRet": 3.0, "Success@1": 0.0, "Rprec": 0.5}
    found = values(*expected, q1=Ranking(("v", "b", "a")), q2=Ranking(("c",)))
    assert {name: own["1"] for name, own in found.items()} == expected
    assert get_measure(" nDCG@5 ").name == "nDCG@5"


def test_ids_with_spaces_do_not_reach_the_library():
    question = JudgedQuestion("a question", "?", relevance={"a b": 1})
    found = get_measure("ERR@10").values([question], {"a question": Ranking(("a b",))})
    assert found == {"a question": pytest.approx(1 / 16)}


def test_names_of_measures_are_of_cutoffs_from_1_on():
    computed, shown = default_measures([100, 10])
    assert computed[:2] == ("nDCG@10", "AP@10")
    assert set(shown) < set(computed)
    assert default_measures([5])[0][-3:] == ("LSNC@5", "Violation@5", "WantedAboveUnwanted")
    assert get_measure("LSNC@3").name == "LSNC@3"
    for cutoffs in ((), (0,)):
        with pytest.raises(InvalidArgumentError, match="The cutoffs are"):
            default_measures(cutoffs)


def missed(k):
    value = each(lambda question, ranking: float(len(question.relevant - set(ranking.ids[:k]))))
    return Measure(f"Missed@{k}", value, k, lower_is_better=True, heading="missed")


def test_a_measure_of_ones_own_is_a_function_and_a_line(write, monkeypatch):
    monkeypatch.setitem(MEASURES, "Missed", missed)
    folder = write()
    dataset = load_dataset(folder, logical_forms=folder / "forms.tsv")
    data = evaluate(dataset, ("itlr", "dense"), embedder=HashingEmbedder(), measures=["Missed@1", "RR"]).to_dict()
    assert (data["methods"]["itlr"]["Missed@1"], data["methods"]["dense"]["Missed@1"]) == (0.0, 0.5)
    assert data["columns"]["Missed@1"] == {"heading": "missed", "lower_is_better": True}
    assert list(data["columns"]) == data["measures"] == ["Missed@1", "RR"]
    assert set(data["methods"]["itlr"]["p"]) == {"Missed@1", "RR"}


@pytest.mark.parametrize(
    "name",
    [
        *("LSNC@0", "LSNC", "WantedAboveUnwanted@3", "LSNC@x", "LSNK@3", "nDCG@0", "nDCG@1.5", "P(rel=x)@5"),
        *("__import__('os')", "(" * 5000, "a\0b", "", "RBP(p=0.8)"),
    ],
)
def test_a_measure_that_cannot_be_computed_is_refused(name):
    with pytest.raises(InvalidArgumentError, match="There is no measure") as caught:
        values(name)
    assert "LSNC@10" in caught.value.hint
    assert len(caught.value.message) < 130


def ranked(scores, depth=10, ids="abcd"):
    return rank(np.array(scores), ids, depth)


def test_only_retrieved_documents_are_ranked_and_no_deeper_than_asked():
    assert ranked([0.1, 0.4, 0.3, 0.2]) == ("b", "c", "d", "a")
    assert ranked([-1.0, 0.0, -0.5, -2.0], depth=3) == ("b", "c", "a")
    assert ranked([0.1, -np.inf, 0.3, -np.inf], depth=3) == ("c", "a")
    assert ranked([-np.inf] * 4) == ()
    with pytest.raises(SemanticsError, match="1 of 4 scores are not numbers"):
        ranked([0.1, np.nan, 0.3, 0.2])


def test_ties_do_not_depend_on_where_documents_stand():
    whole = ranked([1.0] * 4)
    assert sorted(whole) == list("abcd")
    assert ranked([1.0] * 4, ids="cadb") == whole
    assert ranked([1.0] * 4, depth=2) == whole[:2]
    pairs = [(f"d{2 * i}", f"d{2 * i + 1}") for i in range(1000)]
    assert 450 < sum(rank(np.zeros(2), pair, 1)[0] == pair[0] for pair in pairs) < 550

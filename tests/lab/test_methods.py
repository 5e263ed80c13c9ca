"""The papers' methods of the evaluation: their arithmetic on small vectors, what each ranks, and the papers' tables."""

import numpy as np
import pytest
from benches import DOCUMENTS, A, B, Q, scores, table_bench, word_bench

from logical_retriever.evaluation import METHODS, evaluate, get_method, load_sample
from logical_retriever.lab.experiments.optimisation import optimisation_methods, optimisation_rows
from logical_retriever.lab.methods import DEFAULT_METHODS, LAB_METHODS
from logical_retriever.lab.methods.scoring import BySemantics, Routed, SphericalOptimum, TwoStage
from logical_retriever.lab.nsfl import NsflSemantics
from logical_retriever.testing import HashingEmbedder

TEXTS = [
    f"{thing} and {word}" for thing in ("tea", "coffee", "milk") for word in ("health", "brewing", "sleep", "cups")
]


@pytest.fixture
def bench():
    return table_bench()


def test_itlr_is_the_product_of_one_and_one_minus_the_other(bench):
    assert scores("itlr", bench) == pytest.approx([1.0 * 0.4, 0.0, 0.6 * 0.0, 0.0], abs=1e-6)


def test_projection_removes_the_component_along_the_unwanted(bench):
    # A - (A.B) B = (1 - 0.36, -0.48, 0), of length 0.8.
    assert scores("geometric", bench) == pytest.approx([0.8, -0.6, 0.0, 0.0], abs=1e-6)
    assert scores("geometric", bench, '"A" AND NOT "A"') == pytest.approx([0.0, 0.0, 0.0, 0.0])


def test_addition_subtracts_the_mean_of_the_unwanted(bench):
    vector = np.array(A) - 0.3 * (np.array(B) + np.array(Q)) / 2
    expected = np.array(list(DOCUMENTS.values())) @ vector / np.linalg.norm(vector)
    assert scores("geometric-addition", bench, '"A" AND NOT "B" AND NOT "A not B"') == pytest.approx(expected)


def test_a_routed_method_answers_exclusions_alone(bench):
    routed = Routed(get_method("itlr"), "routed")
    assert scores(routed, bench) == pytest.approx(scores("itlr", bench))
    assert scores(routed, bench, '"A" AND "B"') == pytest.approx(scores("dense", bench))


def test_two_stages_rank_the_pool_alone(bench):
    ranked = scores(TwoStage(get_method("itlr"), pool=2), bench)
    assert ranked[[0, 2]] == pytest.approx([0.4, 0.0], abs=1e-6)
    assert np.isneginf(ranked[[1, 3]]).all()
    assert scores(TwoStage(get_method("itlr"), pool=50), bench) == pytest.approx(scores("itlr", bench))


@pytest.mark.parametrize("semantics", ["calibrated", "product", NsflSemantics()])
def test_the_optimum_alone_is_one_vector(semantics):
    words, method = word_bench(TEXTS), SphericalOptimum(semantics)
    ranked = scores(method, words, '"tea" AND NOT "brewing"', "tea, but not its brewing")
    assert TEXTS[int(np.argmax(ranked))].startswith("tea")
    assert (np.abs(ranked) <= 1.0 + 1e-6).all()
    dense = scores("dense", words, '"tea"', "tea")
    assert scores(method, words, '"tea"', "tea") == pytest.approx(dense, abs=1e-5)


def test_every_method_says_its_name_and_is_known():
    assert set(LAB_METHODS) <= set(METHODS)
    assert "nsir" not in DEFAULT_METHODS
    for name in LAB_METHODS:
        assert get_method(name).name == name
    assert BySemantics("godel").name == "godel"


def test_logic_before_the_search_is_compared_with_logic_after_it():
    outcome = evaluate(load_sample(), optimisation_methods(pool=20), embedder=HashingEmbedder(384), limit=8)
    assert not outcome.failures
    rows = {row["method"]: row for row in optimisation_rows(outcome)}
    assert len(rows) == 11
    assert rows["nsfl, hybrid"]["paper, QUEST"] == 0.079
    assert rows["deo"]["paper, QUEST"] is None
    # The geometric family has nothing but its vector.
    alone, pooled = (outcome.methods[f"geometric, {variant}"] for variant in ("optimise only", "hybrid"))
    for query, ranking in pooled.rankings.items():
        assert alone.rankings[query].ids[: len(ranking.ids)] == ranking.ids

"""The papers' methods of the evaluation: their arithmetic on small vectors, what each ranks, and the papers' tables."""

import numpy as np
import pytest
from benches import DOCUMENTS, A, B, Q, scores, table_bench, word_bench

from lab.methods import DirectEmbeddingOptimization, Projection, SphericalOptimum, Subtraction, TwoStage
from lab.nsfl import NsflSemantics
from lab.papers import EXPERIMENTS, optimisation_methods
from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.evaluation import evaluate, get_method, load_sample
from logical_retriever.query import parse
from logical_retriever.scoring import Evidence
from logical_retriever.testing import HashingEmbedder

TEXTS = [f"{one} and {word}" for one in ("tea", "coffee", "milk") for word in ("health", "brewing", "sleep", "cups")]


@pytest.fixture
def bench():
    return table_bench()


def test_projection_removes_the_component_along_the_unwanted(bench):
    # A - (A.B) B = (1 - 0.36, -0.48, 0), of length 0.8.
    assert scores(Projection(), bench) == pytest.approx([0.8, -0.6, 0.0, 0.0], abs=1e-6)
    assert scores(Projection(), bench, '"A" AND NOT "A"') == pytest.approx([0.0, 0.0, 0.0, 0.0])


def test_addition_subtracts_the_mean_of_the_unwanted(bench):
    vector = np.array(A) - 0.3 * (np.array(B) + np.array(Q)) / 2
    expected = np.array(list(DOCUMENTS.values())) @ vector / np.linalg.norm(vector)
    assert scores(Subtraction(), bench, '"A" AND NOT "B" AND NOT "A not B"') == pytest.approx(expected)


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


def test_deo_moves_the_question_away_from_what_is_excluded():
    words = word_bench(TEXTS)
    dense = scores("dense", words, '"tea" AND NOT "brewing"', "tea without brewing")
    moved = scores(DirectEmbeddingOptimization(), words, '"tea" AND NOT "brewing"', "tea without brewing")
    assert TEXTS[int(np.argmax(dense))] == "tea and brewing"
    assert moved[TEXTS.index("tea and brewing")] < dense[TEXTS.index("tea and brewing")]
    assert moved[TEXTS.index("tea and health")] > dense[TEXTS.index("tea and health")]
    plain = scores(DirectEmbeddingOptimization(), words, '"tea"', "tea without brewing")
    assert plain == pytest.approx(dense, abs=1e-6)


def test_logic_before_the_search_is_compared_with_logic_after_it():
    outcome = evaluate(load_sample(), optimisation_methods(pool=20), embedder=HashingEmbedder(384), limit=8)
    rows = {row["method"]: row for row in EXPERIMENTS["sqo"].rows(outcome)}
    assert len(rows) == 10
    assert rows["nsfl, hybrid"]["paper, QUEST"] == 0.079
    assert rows["calibrated, hybrid"]["paper, QUEST"] is None
    # The geometric family has nothing but its vector.
    alone, pooled = (outcome.methods[f"geometric, {variant}"] for variant in ("optimise only", "hybrid"))
    for query, ranking in pooled.rankings.items():
        assert alone.rankings[query].ids[: len(ranking.ids)] == ranking.ids


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_published_figures_stand_beside_methods_of_that_name(name):
    experiment = EXPERIMENTS[name]
    methods = {get_method(method).name for method in experiment.methods()}
    assert all(row in methods or row.rpartition(", ")[0] in methods for row in experiment.published)
    assert all(len(figures) == len(experiment.headings) for figures in experiment.published.values())


# ---- NSFL ----


def composed(form: str, rows: dict[str, list[float]], **parameters: str) -> list[float]:
    semantics = NsflSemantics(**parameters)  # type: ignore[arg-type]
    query = parse(form)
    texts = semantics.texts(query)
    assert set(texts) == set(rows)
    evidence = Evidence(texts, np.array([rows[text] for text in texts]))
    return semantics.compose(query, evidence).tolist()


AB = {"a": [0.6], "b": [0.8], "a and b": [0.7]}
ABC = {"a": [0.6], "b": [0.5], "c": [0.8], "a and b": [0.7], "a and b and c": [0.9]}
NEITHER = {"a": [0.6], "b": [0.1], "c": [0.1], "b and c": [0.4], "a and b and c": [0.7]}
SCALED = {"a": [0.6, 0.6], "b": [0.0, 1.0], "a and b": [0.4, 0.8]}


@pytest.mark.parametrize(
    ("form", "rows", "parameters", "expected"),
    [
        # AND adds what the weaker atom adds: 0.7 + (0.7 - 0.6); 0.5 + (0.5 - 0.6); reinforcement: 0.3 >= 0.1 + 0.1.
        ('"a" AND "b"', {"a": [0.6, 0.6, 0.1], "b": [0.4, 0.4, 0.1], "a and b": [0.7, 0.5, 0.3]}, {}, [0.8, 0.4, 0.3]),
        # OR takes the best unless the fusion departs.
        (
            '"a" OR "b"',
            {"a": [0.6, 0.6], "b": [0.4, 0.4], "a and b": [0.5, 0.3], "a or b": [0.65, 0.9]},
            {},
            [0.65, 0.4],
        ),
        # An AND of three adds both weaker atoms.
        (
            '"a" AND "b" AND "c"',
            {
                **{"a": [0.6], "b": [0.5], "c": [0.4], "a and b and c": [0.7]},
                **{"b and c": [0.55], "a and c": [0.62], "a and b": [0.66]},
            },
            {},
            [0.7 + (0.7 - 0.62) + (0.7 - 0.66)],
        ),
        # AND(a, b) = 0.7 + 0.1; confidence 1; the fusion with c adds 0.2.
        ('"a" AND "b" AND NOT "c"', ABC, {}, [0.8 - 0.2]),
        # Several negated terms are one fused text.
        ('"a" AND NOT "b" AND NOT "c"', NEITHER, {}, [0.5]),
        ('"a" AND NOT ("b" OR "c")', {**NEITHER, "b or c": [0.0]}, {}, [0.5]),
        # An OR does not fuse the negated term back in; a penalty inside a part is kept outside.
        ('("a" AND NOT "b") OR "c"', {**AB, "c": [0.2]}, {}, [0.5]),
        ('("a" AND NOT "b") AND "c"', {**AB, "c": [0.5], "a and c": [0.7]}, {}, [0.7 + 0.1 - 0.1]),
        # A lone NOT is the complement.
        ('NOT "a"', {"a": [0.25, -0.5]}, {}, [0.75, 1.0]),
        ('NOT "a" AND NOT "b"', {"a": [0.25], "b": [0.5]}, {}, [0.5]),
        ('NOT NOT "a"', {"a": [0.25]}, {}, [0.25]),
        ('"a" AND "b"', {"a": [0.6], "b": [0.4], "a that are also b": [0.7]}, {"wording": "that are also"}, [0.8]),
        # The scale decides what an unrelated text weighs. S = (1 + s)/2: 0.8, confidence 0.5 / 1, delta 0.7 - 0.8; not
        # a departure, since 0.7 is above 0.5.
        ('"a" AND NOT "b"', SCALED, {}, [0.6, 0.4]),
        # No document is similar to the negated term: it costs nothing.
        ('"a" AND NOT "b"', {"a": [0.6, 0.5], "b": [-0.1, 0.0], "a and b": [0.7, 0.6]}, {}, [0.6, 0.5]),
        ('"a" AND NOT "b"', {"a": [], "b": [], "a and b": []}, {}, []),
    ],
)
def test_scores_are_those_of_the_paper(form, rows, parameters, expected):
    assert composed(form, rows, **parameters) == pytest.approx(expected)


def test_an_unknown_wording_and_missing_evidence_are_named():
    with pytest.raises(InvalidArgumentError, match="no wording 'plus'"):
        NsflSemantics("plus")
    with pytest.raises(SemanticsError, match="'a and b'"):
        NsflSemantics().compose(parse('"a" AND "b"'), Evidence(("a", "b"), np.zeros((2, 1))))

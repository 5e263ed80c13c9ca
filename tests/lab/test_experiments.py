from __future__ import annotations

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import Dataset, Document, Question, evaluate, load_sample
from logical_retriever.lab.experiments.ablation import ablation_methods, ablation_table
from logical_retriever.lab.experiments.candidate_recall import candidate_recall, candidate_recall_table
from logical_retriever.lab.experiments.optimisation import (
    ROWS,
    optimisation_methods,
    optimisation_table,
    row_name,
)
from logical_retriever.lab.experiments.scaling import scaling, scaling_table, single_topic_passages
from logical_retriever.lab.experiments.two_stage import two_stage_methods
from logical_retriever.testing import HashingEmbedder


def test_the_ablation_has_every_combination_of_the_table():
    names = [method.name for method in ablation_methods()]
    assert len(names) == len(set(names)) == 13
    assert "AND x * y, OR x + y, NOT 1 - x" in names
    outcome = evaluate(load_sample(), ablation_methods(), embedder=HashingEmbedder(384), limit=8)
    assert ablation_table(outcome).row_count == 6


def test_single_topic_passages_are_about_one_topic():
    passages = single_topic_passages()
    assert len(passages) >= 16
    assert all(text.endswith((".", "!", "?")) for text in passages.values())


def test_scaling_builds_what_it_says():
    points = scaling(HashingEmbedder(), methods=("dense", "itlr"), sizes=(2, 4), queries=3)
    assert [(point.operator, point.terms) for point in points] == [("AND", 2), ("AND", 4), ("OR", 2), ("OR", 4)]
    four = points[1].outcome
    for one in four.prepared:
        assert len(one.query.terms()) == 4
        assert len(one.question.relevance) == 5
        assert len(one.question.relevant) == 1
    lengths = {document.text.count(". ") for document in four.dataset.documents}
    assert len(lengths) == 1
    for one in points[3].outcome.prepared:
        assert (len(one.question.relevance), len(one.question.relevant)) == (8, 4)
    assert {row["vectors_per_query"] for row in points[1].rows()} == {1.0, 4.0}
    assert scaling_table(points).row_count == 4


def test_scaling_repeats_itself():
    first, second = (scaling(HashingEmbedder(), methods=("dense",), sizes=(2,), queries=3) for _ in range(2))
    assert first[0].outcome.dataset.documents == second[0].outcome.dataset.documents


@pytest.mark.parametrize("sizes", [(), (1,), (99,)])
def test_scaling_is_bounded_by_its_material(sizes):
    with pytest.raises(InvalidArgumentError):
        scaling(HashingEmbedder(), sizes=sizes)


def test_two_stages_are_compared_with_one():
    names = [method.name for method in two_stage_methods()]
    assert names[:3] == ["dense", "nsfl", "nsfl-two-stage"]


def test_logic_before_the_search_is_compared_with_logic_after_it():
    methods = optimisation_methods(pool=20)
    assert [method.name for method in methods] == [row_name(*row) for row in ROWS]
    outcome = evaluate(load_sample(), methods, embedder=HashingEmbedder(384), limit=8)
    assert not outcome.failures
    assert optimisation_table(outcome).row_count == len(ROWS)
    # The geometric family has nothing but its vector.
    alone, pooled = (outcome.methods[row_name("geometric", variant)] for variant in ("optimise only", "hybrid"))
    for query, ranking in pooled.rankings.items():
        assert alone.rankings[query].ids[: len(ranking.ids)] == ranking.ids


def test_more_candidates_hold_more_of_the_best(tiny):
    found = candidate_recall(tiny, embedder=HashingEmbedder(), counts=(2, 5, 20, 60))
    assert {one.semantics for one in found} == {"calibrated", "itlr", "product", "nsfl"}
    assert len(found) == 16
    for one in found:
        recalls = list(one.recalls.values())
        assert one.questions == 2  # a plain question and one that wants nothing take no candidates
        assert recalls == sorted(recalls)
        assert recalls[-1] == 1.0  # 60 candidates of 60 documents
        assert 0.0 < recalls[1] <= 1.0
    assert found[0].row() == {
        "semantics": "calibrated",
        "source": "sqo",
        "questions": 2,
        **{f"R@{count}": round(recall, 6) for count, recall in found[0].recalls.items()},
    }
    assert candidate_recall_table("tiny", found).row_count == 16


@pytest.fixture
def tiny():
    """Sixty documents about two things each, and questions with and without logic."""
    things = ("tea", "coffee", "juice", "milk", "water", "cocoa")
    about = ("health", "brewing", "sleep", "sugar", "history", "cups", "trade", "children", "climate", "prices")
    documents = tuple(Document(f"{thing} {word}", f"{thing} and {word}") for thing in things for word in about)
    forms = ('"tea" AND NOT "health"', '("tea" OR "milk") AND "sleep" AND NOT "tea and sleep"', '"tea"', 'NOT "tea"')
    questions = tuple(Question(f"q{i}", form, form=form, relevance={"tea sleep": 1}) for i, form in enumerate(forms))
    return Dataset("tiny", documents, questions)

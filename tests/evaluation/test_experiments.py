from __future__ import annotations

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import evaluate, load_sample
from logical_retriever.evaluation.experiments.ablation import ablation_methods, ablation_table
from logical_retriever.evaluation.experiments.scaling import scaling, scaling_table, single_topic_passages
from logical_retriever.evaluation.experiments.two_stage import two_stage_methods
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

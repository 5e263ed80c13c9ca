"""The papers' tables and figures over the packaged sample."""

from __future__ import annotations

import pytest

from logical_retriever.evaluation import evaluate, load_sample
from logical_retriever.lab.experiments.optimisation import optimisation_methods, optimisation_rows
from logical_retriever.lab.experiments.scaling import scaling, scaling_dataset, single_topic_passages
from logical_retriever.query import parse
from logical_retriever.testing import HashingEmbedder


@pytest.mark.parametrize(("operator", "judged", "relevant"), [("AND", 5, 1), ("OR", 8, 4)])
def test_every_query_of_the_figure_has_a_corpus_of_equally_long_documents(operator, judged, relevant):
    dataset = scaling_dataset(operator, 4, 3, single_topic_passages(), seed=0)
    for question in dataset.questions:
        assert len(parse(question.form).terms()) == 4
        assert (len(question.relevance), len(question.relevant)) == (judged, relevant)
    assert operator == "OR" or len({document.text.count(". ") for document in dataset.documents}) == 1
    assert dataset == scaling_dataset(operator, 4, 3, single_topic_passages(), seed=0)


def test_the_figure_has_a_point_for_each_operator_size_and_method():
    rows = scaling(HashingEmbedder(), methods=("dense", "itlr"), sizes=(2, 4), queries=3)
    assert [(row["operator"], row["terms"]) for row in rows[::2]] == [("AND", 2), ("AND", 4), ("OR", 2), ("OR", 4)]
    assert [row["vectors/query"] for row in rows[2:4]] == [1.0, 4.0]


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

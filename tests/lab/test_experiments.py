"""The papers' tables over the packaged sample."""

from __future__ import annotations

from logical_retriever.evaluation import evaluate, load_sample
from logical_retriever.lab.experiments.optimisation import optimisation_methods, optimisation_rows
from logical_retriever.testing import HashingEmbedder


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

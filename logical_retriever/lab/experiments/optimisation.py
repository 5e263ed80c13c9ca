"""Where the logic enters: before the search, after it, or both (NSFL's Table 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from logical_retriever.evaluation import Method, Outcome, get_method
from logical_retriever.lab.methods.scoring import BySemantics, Projection, SphericalOptimum, TwoStage
from logical_retriever.lab.nsfl import NsflSemantics

POOL = 200
"""Candidates that are rescored: the paper's 2k for mAP@k, k = 100."""

RERANK, OPTIMISE, HYBRID = "rerank only", "optimise only", "hybrid"
PAPER = {
    "dense": (0.065, 0.328),
    f"nsfl, {RERANK}": (0.079, 0.438),
    f"nsfl, {OPTIMISE}": (0.069, 0.378),
    f"nsfl, {HYBRID}": (0.079, 0.438),
    f"geometric, {RERANK}": (0.068, 0.418),
    f"geometric, {OPTIMISE}": (0.059, 0.366),
    f"geometric, {HYBRID}": (0.065, 0.417),
}
"""mAP@100 of Table 5 on QUEST (BGE-large) and COCO-Logic (BLIP-large)."""


def optimisation_methods(pool: int = POOL) -> list[Method]:
    """The rows of Table 5, with calibrated scoring and DEO beside the paper's own.

    "Rerank only" rescores the documents nearest to the question, "optimise only" ranks by the cosine with one optimised
    vector, "hybrid" rescores the documents nearest to that vector. The geometric family has no score of its own beside
    its vector (Gram-Schmidt), so that its hybrid is its vector alone down to the pool's end.
    """
    methods = [get_method("dense")]
    families: tuple[tuple[str, Callable[[], Method], Callable[[str], Method]], ...] = (
        ("nsfl", lambda: BySemantics(NsflSemantics()), lambda name: SphericalOptimum(NsflSemantics(), name)),
        ("geometric", Projection, Projection),
        ("calibrated", lambda: get_method("calibrated"), lambda name: SphericalOptimum("calibrated", name)),
    )
    for family, scored, optimum in families:
        alone = f"{family}, {OPTIMISE}"
        methods += [
            TwoStage(scored(), pool, f"{family}, {RERANK}"),
            optimum(alone),
            TwoStage(scored(), pool, f"{family}, {HYBRID}", first=optimum(alone)),
        ]
    return [*methods, get_method("deo")]


def optimisation_rows(outcome: Outcome) -> list[dict[str, Any]]:
    """Rows in the shape of Table 5, the paper's mAP@100 on QUEST and COCO-Logic beside ours."""
    rows = []
    for name, result in outcome.methods.items():
        quest, coco = PAPER.get(name, (None, None))
        rows.append(
            {
                "method": name,
                **{measure: result.mean(measure, outcome.prepared) for measure in outcome.primary},
                "paper, QUEST": quest,
                "paper, COCO-Logic": coco,
                "ms/query": result.milliseconds,
                "vectors/query": result.vectors,
            }
        )
    return rows

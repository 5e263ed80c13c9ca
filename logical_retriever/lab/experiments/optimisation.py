"""Where the logic enters: before the search, after it, or both (Table 5 of the NSFL paper)."""

from __future__ import annotations

from typing import Any

from logical_retriever.evaluation.methods import Method, get_method
from logical_retriever.evaluation.methods.package import PackageRetriever
from logical_retriever.evaluation.optional import require
from logical_retriever.evaluation.outcome import Outcome
from logical_retriever.lab.methods.geometric import Projection
from logical_retriever.lab.methods.optimised import SphericalOptimum
from logical_retriever.lab.methods.reranked import Reranked
from logical_retriever.lab.methods.semantic import BySemantics
from logical_retriever.lab.methods.two_stage import TwoStage
from logical_retriever.semantics.nsfl import NsflSemantics

POOL = 200
"""Candidates that are rescored: the paper's 2k for mAP@k, k = 100."""

RERANK, OPTIMISE, HYBRID = "rerank only", "optimise only", "hybrid"
ROWS = (
    ("dense", ""),
    *((family, variant) for family in ("nsfl", "geometric", "calibrated") for variant in (RERANK, OPTIMISE, HYBRID)),
    ("deo", OPTIMISE),
)
"""Rows of the table: family and variant."""
PAPER = {
    ("dense", ""): (0.065, 0.328),
    ("nsfl", RERANK): (0.079, 0.438),
    ("nsfl", OPTIMISE): (0.069, 0.378),
    ("nsfl", HYBRID): (0.079, 0.438),
    ("geometric", RERANK): (0.068, 0.418),
    ("geometric", OPTIMISE): (0.059, 0.366),
    ("geometric", HYBRID): (0.065, 0.417),
}
"""mAP@100 of Table 5 on QUEST (BGE-large) and COCO-Logic (BLIP-large)."""


def optimisation_methods(pool: int = POOL) -> list[Method]:
    """One method a row of :data:`ROWS`.

    "Rerank only" rescores what is nearest to the question, "optimise only" ranks by the cosine with one optimised
    vector, "hybrid" rescores what is nearest to that vector. The geometric family has no score of its own beside its
    vector (Gram-Schmidt), so that its hybrid is its vector alone down to the pool's end.

    Args:
        pool: Candidates that are rescored, at least 1.
    """
    nsfl, calibrated = NsflSemantics(), "calibrated"
    found = {
        ("dense", ""): get_method("dense"),
        ("nsfl", RERANK): TwoStage(BySemantics(nsfl), pool, row_name("nsfl", RERANK)),
        ("nsfl", OPTIMISE): SphericalOptimum(nsfl, row_name("nsfl", OPTIMISE)),
        ("nsfl", HYBRID): TwoStage(BySemantics(nsfl), pool, row_name("nsfl", HYBRID), first=SphericalOptimum(nsfl)),
        ("geometric", RERANK): TwoStage(Projection(), pool, row_name("geometric", RERANK)),
        ("geometric", OPTIMISE): Projection(row_name("geometric", OPTIMISE)),
        ("geometric", HYBRID): TwoStage(Projection(), pool, row_name("geometric", HYBRID), first=Projection()),
        ("calibrated", RERANK): Reranked(calibrated, row_name("calibrated", RERANK), pool),
        ("calibrated", OPTIMISE): SphericalOptimum(calibrated, row_name("calibrated", OPTIMISE)),
        ("calibrated", HYBRID): PackageRetriever(
            calibrated, row_name("calibrated", HYBRID), depth=min(100, pool), mode="sqo", fetch_k=pool
        ),
        ("deo", OPTIMISE): get_method("deo"),
    }
    return [found[row] for row in ROWS]


def row_name(family: str, variant: str) -> str:
    """Name of a row's method."""
    return f"{family}, {variant}" if variant and family != "deo" else family


def optimisation_table(outcome: Outcome) -> Any:
    """A rich table in the shape of Table 5, the paper's values beside ours."""
    ndcg, ap = outcome.primary
    table = require("rich.table", "Printing a table").Table(
        title=f"{outcome.dataset.name}: where the logic enters (paper: mAP@100 on QUEST, COCO-Logic)",
        title_justify="left",
    )
    for column in ("method", "variant", ndcg, ap, "paper", "ms/query", "vectors/query"):
        table.add_column(column, justify="left" if column in ("method", "variant") else "right", no_wrap=True)
    for family, variant in ROWS:
        result = outcome.methods[row_name(family, variant)]
        means = [result.mean(measure, outcome.prepared) for measure in (ndcg, ap)]
        paper = PAPER.get((family, variant))
        table.add_row(
            family,
            variant,
            *("-" if mean is None else f"{mean:.3f}" for mean in means),
            "-" if paper is None else f"{paper[0]:.3f}, {paper[1]:.3f}",
            f"{result.cost.milliseconds:.2f}",
            f"{result.cost.vectors:.1f}",
        )
    return table

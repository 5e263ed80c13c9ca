"""Operator ablation: every combination of the ITLR paper's operators (its Table 2)."""

from __future__ import annotations

from itertools import product
from typing import Any

from logical_retriever.evaluation import Method, Outcome, get_method
from logical_retriever.lab.methods.scoring import BySemantics
from logical_retriever.semantics import ItlrSemantics

CONJUNCTIONS = {"min": "min(x, y)", "product": "x * y", "sum": "x + y"}
DISJUNCTIONS = {"max": "max(x, y)", "sum": "x + y"}
NEGATIONS = {"complement": "1 - x", "reciprocal": "1/x"}

PAPER = {
    ("min", "max"): (0.86, 0.86),
    ("min", "sum"): (0.92, 0.87),
    ("product", "max"): (0.90, 0.89),
    ("product", "sum"): (0.97, 0.90),
    ("sum", "max"): (0.91, 0.81),
    ("sum", "sum"): (0.97, 0.82),
}
"""nDCG@10 of Table 2 with NV-Embed-V1: (conjunction, disjunction) -> values for 1 - x and 1/x."""


def ablation_methods() -> list[Method]:
    """Dense, and ITLR with each of the twelve combinations of operators, on raw cosines."""
    combinations = product(CONJUNCTIONS, DISJUNCTIONS, NEGATIONS)
    return [get_method("dense"), *(_combination(*chosen) for chosen in combinations)]


def ablation_rows(outcome: Outcome) -> list[dict[str, Any]]:
    """Rows in the shape of the paper's Table 2, the paper's values beside ours."""
    rows = []
    for conjunction, disjunction in product(CONJUNCTIONS, DISJUNCTIONS):
        row: dict[str, Any] = {"AND": CONJUNCTIONS[conjunction], "OR": DISJUNCTIONS[disjunction]}
        for negation, published in zip(NEGATIONS, PAPER[conjunction, disjunction], strict=True):
            result = outcome.methods[_name(conjunction, disjunction, negation)]
            row[f"NOT {NEGATIONS[negation]}"] = result.mean(outcome.primary[0], outcome.prepared)
            row[f"paper, {NEGATIONS[negation]}"] = published
        rows.append(row)
    return rows


def _name(conjunction: str, disjunction: str, negation: str) -> str:
    return f"AND {CONJUNCTIONS[conjunction]}, OR {DISJUNCTIONS[disjunction]}, NOT {NEGATIONS[negation]}"


def _combination(conjunction: Any, disjunction: Any, negation: Any) -> Method:
    semantics = ItlrSemantics(conjunction, disjunction, negation)
    return BySemantics(semantics, _name(conjunction, disjunction, negation))

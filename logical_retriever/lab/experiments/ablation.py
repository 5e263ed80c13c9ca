"""Operator ablation: every combination of the ITLR paper's operators (its Table 2)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from logical_retriever.evaluation import Method, Outcome, get_method
from logical_retriever.lab.methods.scoring import BySemantics
from logical_retriever.semantics.classic import Operator, TruthFunctional, complement, raw

FLOOR = 0.01
"""Smallest value that ``1/x`` sees: cosines at or below it are equally unrelated, and 1/0 is not a score."""
CONJUNCTIONS: dict[str, Operator] = {"min(x, y)": np.minimum, "x * y": np.multiply, "x + y": np.add}
DISJUNCTIONS: dict[str, Operator] = {"max(x, y)": np.maximum, "x + y": np.add}
NEGATIONS = {"1 - x": complement, "1/x": lambda x: 1.0 / np.maximum(x, FLOOR)}
"""The operators of Table 2."""

PAPER = {
    ("min(x, y)", "max(x, y)"): (0.86, 0.86),
    ("min(x, y)", "x + y"): (0.92, 0.87),
    ("x * y", "max(x, y)"): (0.90, 0.89),
    ("x * y", "x + y"): (0.97, 0.90),
    ("x + y", "max(x, y)"): (0.91, 0.81),
    ("x + y", "x + y"): (0.97, 0.82),
}
"""nDCG@10 of Table 2 with NV-Embed-V1: (conjunction, disjunction) -> values for 1 - x and 1/x."""


def ablation_methods() -> list[Method]:
    """Dense, and ITLR with each of the twelve combinations of operators, on raw cosines."""
    return [
        get_method("dense"),
        *(
            BySemantics(TruthFunctional(_name(x, y, z), CONJUNCTIONS[x], DISJUNCTIONS[y], NEGATIONS[z], raw))
            for x, y, z in product(CONJUNCTIONS, DISJUNCTIONS, NEGATIONS)
        ),
    ]


def ablation_rows(outcome: Outcome) -> list[dict[str, Any]]:
    """Rows in the shape of the paper's Table 2, the paper's values beside ours."""
    rows = []
    for conjunction, disjunction in product(CONJUNCTIONS, DISJUNCTIONS):
        row: dict[str, Any] = {"AND": conjunction, "OR": disjunction}
        for negation, published in zip(NEGATIONS, PAPER[conjunction, disjunction], strict=True):
            result = outcome.methods[_name(conjunction, disjunction, negation)]
            row[f"NOT {negation}"] = result.mean(outcome.primary[0], outcome.prepared)
            row[f"paper, {negation}"] = published
        rows.append(row)
    return rows


def _name(conjunction: str, disjunction: str, negation: str) -> str:
    return f"AND {conjunction}, OR {disjunction}, NOT {negation}"

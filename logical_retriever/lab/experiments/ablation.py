"""Operator ablation: every combination of the ITLR paper's operators (its Table 2)."""

from __future__ import annotations

from itertools import product
from typing import Any

from logical_retriever.evaluation.methods.base import Method
from logical_retriever.evaluation.methods.plain import Dense
from logical_retriever.evaluation.optional import require
from logical_retriever.evaluation.outcome import Outcome
from logical_retriever.lab.methods.semantic import BySemantics
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
    return [Dense(), *(_combination(*chosen) for chosen in product(CONJUNCTIONS, DISJUNCTIONS, NEGATIONS))]


def ablation_table(outcome: Outcome) -> Any:
    """A rich table in the shape of the paper's Table 2, the paper's values in brackets."""
    measure = outcome.primary[0]
    table = require("rich.table", "Printing a table").Table(
        title=f"{outcome.dataset.name}: {measure} by operators (the paper's with NV-Embed-V1)", title_justify="left"
    )
    for column in ("AND", "OR", "NOT 1 - x", "NOT 1/x"):
        table.add_column(column, justify="right" if column.startswith("NOT") else "left")
    for conjunction, disjunction in product(CONJUNCTIONS, DISJUNCTIONS):
        cells = []
        for negation, published in zip(NEGATIONS, PAPER[conjunction, disjunction], strict=True):
            result = outcome.methods[_name(conjunction, disjunction, negation)]
            mean = result.mean(measure, outcome.prepared)
            cells.append(f"{'-' if mean is None else f'{mean:.3f}'} ({published:.2f})")
        table.add_row(CONJUNCTIONS[conjunction], DISJUNCTIONS[disjunction], *cells)
    return table


def _name(conjunction: str, disjunction: str, negation: str) -> str:
    return f"AND {CONJUNCTIONS[conjunction]}, OR {DISJUNCTIONS[disjunction]}, NOT {NEGATIONS[negation]}"


def _combination(conjunction: Any, disjunction: Any, negation: Any) -> Method:
    semantics = ItlrSemantics(conjunction, disjunction, negation)
    return BySemantics(semantics, _name(conjunction, disjunction, negation))

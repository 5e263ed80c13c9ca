"""Experiments, most of them of the papers, by the names that ``eval --experiment`` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from logical_retriever.evaluation.methods import Method
from logical_retriever.evaluation.outcome import Outcome
from logical_retriever.lab.experiments.ablation import ablation_methods, ablation_table
from logical_retriever.lab.experiments.optimisation import optimisation_methods, optimisation_table
from logical_retriever.lab.experiments.two_stage import two_stage_methods


class Experiment(str, Enum):
    """Experiments by name."""

    ablation = "ablation"
    scaling = "scaling"
    two_stage = "two-stage"
    optimisation = "optimisation"
    candidate_recall = "candidate-recall"
    abstention = "abstention"


METHODS_OF: Mapping[Experiment | None, Callable[[], list[Method]]] = {
    Experiment.ablation: ablation_methods,
    Experiment.two_stage: two_stage_methods,
    Experiment.optimisation: optimisation_methods,
}
"""Experiments that are an evaluation with methods of their own."""

TABLE_OF: Mapping[Experiment | None, Callable[[Outcome], Any]] = {
    Experiment.ablation: ablation_table,
    Experiment.optimisation: optimisation_table,
}
"""Tables in the shape of the paper's."""

"""The papers' experiments: which methods run over which set, and what the papers report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from lab.methods import DirectEmbeddingOptimization, Projection, SphericalOptimum, Subtraction, TwoStage
from lab.nsfl import NsflSemantics
from lab.nsir.method import NeuroSymbolic
from logical_retriever.errors import CorpusError
from logical_retriever.evaluation import (
    BySemantics,
    Dataset,
    JudgedQuery,
    Method,
    Outcome,
    get_method,
    load_dataset,
    load_sample,
)
from logical_retriever.scoring import SEMANTICS, TruthFunctional, get_semantics

SAMPLE = "three_term"
"""The set that comes with the package; the others are folders below ``LOGICAL_RETRIEVER_DATA``."""
POOL = 200
"""Candidates that NSFL rescores: 2k for its mAP@k, k = 100."""
FLOOR = 0.01
"""Least value that ``1/x`` is computed of: 1/0 is not a score."""
NEGATED_TYPES = ("2in", "3in", "inp", "pin", "pni")
"""ComLQ's query types with a negation."""
OPERATORS: dict[tuple[str, str], tuple[float, float]] = {
    ("min(x, y)", "max(x, y)"): (0.86, 0.86),
    ("min(x, y)", "x + y"): (0.92, 0.87),
    ("x * y", "max(x, y)"): (0.90, 0.89),
    ("x * y", "x + y"): (0.97, 0.90),
    ("x + y", "max(x, y)"): (0.91, 0.81),
    ("x + y", "x + y"): (0.97, 0.82),
}
"""ITLR's Table 2: conjunction and disjunction, and nDCG@10 with NV-Embed-V1 for the negations 1 - x and 1/x."""
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "min(x, y)": np.minimum,
    "max(x, y)": np.maximum,
    "x * y": np.multiply,
    "x + y": np.add,
}
_NEGATIONS: dict[str, Callable[[Any], Any]] = {"1 - x": lambda x: 1.0 - x, "1/x": lambda x: 1.0 / np.maximum(x, FLOOR)}


@dataclass(frozen=True)
class Experiment:
    """A table of a paper.

    Attributes:
        what: The table, in a line.
        folder: Name of the set.
        form: Whose logical forms are used: ``logical_forms.<form>.tsv``.
        methods: Makes the methods.
        measures: Measures shown.
        headings: Headings of the published figures, of which each row has as many.
        published: Published figures by row: the method, and the group where there are groups ("itlr, 2").
        group: Group of a question, each with rows of its own; "" for no groups.
    """

    what: str
    folder: str
    form: str
    methods: Callable[[], Sequence[str | Method]]
    measures: tuple[str, ...]
    headings: tuple[str, ...]
    published: Mapping[str, tuple[float, ...]]
    group: Callable[[JudgedQuery], str] = lambda _: ""

    def dataset(self) -> Dataset:
        """Read the set with its forms and vectors.

        Raises:
            CorpusError: A file is missing.
        """
        if self.folder == SAMPLE:
            return load_sample()
        root = os.environ.get("LOGICAL_RETRIEVER_DATA")
        if root is None:
            hint = "Set it to the folder that has the benchmark sets; itlr and operators run without."
            raise CorpusError("LOGICAL_RETRIEVER_DATA is not set.", path=self.folder, line=None, hint=hint)
        folder = Path(root) / self.folder
        vectors = folder / "vectors.all-MiniLM-L6-v2.f16.npy"
        return load_dataset(folder, logical_forms=folder / f"logical_forms.{self.form}.tsv", vectors=vectors)

    def rows(self, outcome: Outcome) -> list[dict[str, Any]]:
        """Return a row for each method and group: our means, the published figures, and what a question costs."""
        groups: dict[str, list[JudgedQuery]] = {}
        for prepared in outcome.prepared:
            groups.setdefault(self.group(prepared), []).append(prepared)
        return [
            {
                "method": (row := ", ".join(filter(None, (name, group)))),
                **{measure: result.mean(measure, groups[group]) for measure in outcome.primary},
                **dict(zip_longest(self.headings, self.published.get(row, ()))),
                "ms/query": result.milliseconds,
                "vectors/query": result.vectors,
            }
            for name, result in outcome.methods.items()
            for group in sorted(groups)
        ]


def operator_methods() -> list[Method]:
    """Make dense, ITLR with each of the paper's twelve combinations of operators, and the t-norms of the package."""
    named = [name for name in SEMANTICS if not get_semantics(name).calibrated]
    return [
        get_method("dense"),
        *(
            BySemantics(
                TruthFunctional(
                    _operators(x, y, z), _ARITHMETIC[x], _ARITHMETIC[y], _NEGATIONS[z], lambda cosines: cosines
                )
            )
            for (x, y), z in product(OPERATORS, _NEGATIONS)
        ),
        *map(BySemantics, named),
    ]


def nsfl_methods() -> list[Method]:
    """Make NSFL with its deltas, over all documents and over the pool, with both wordings, and geometric baselines."""
    return [
        get_method("dense"),
        TwoStage(BySemantics(NsflSemantics()), POOL, "nsfl"),
        TwoStage(BySemantics(NsflSemantics("that are also")), POOL, "nsfl, that are also"),
        BySemantics(NsflSemantics(), "nsfl, every document"),
        get_method("nsfl-fused"),
        Projection(),
        Subtraction(),
    ]


def optimisation_methods(pool: int = POOL) -> list[Method]:
    """Make the rows of NSFL's Table 5: logic after the search, before it, and both; calibrated scoring beside it.

    "Rerank only" rescores the documents nearest to the question, "optimise only" ranks by the cosine with one optimised
    vector (SQO), "hybrid" rescores the documents nearest to that vector. The geometric family has no score beside its
    vector, so that its hybrid is the vector alone down to the pool's end.
    """
    methods = [get_method("dense")]
    families: tuple[tuple[str, Callable[[], Method], Callable[[str], Method]], ...] = (
        ("nsfl", lambda: BySemantics(NsflSemantics()), lambda name: SphericalOptimum(NsflSemantics(), name)),
        ("geometric", Projection, Projection),
        ("calibrated", lambda: get_method("calibrated"), lambda name: SphericalOptimum("calibrated", name)),
    )
    for family, scored, optimum in families:
        alone = f"{family}, optimise only"
        methods += [
            TwoStage(scored(), pool, f"{family}, rerank only"),
            optimum(alone),
            TwoStage(scored(), pool, f"{family}, hybrid", first=optimum(alone)),
        ]
    return methods


def _operators(conjunction: str, disjunction: str, negation: str) -> str:
    return f"AND {conjunction}, OR {disjunction}, NOT {negation}"


def _negated(prepared: JudgedQuery) -> str:
    """Return whether a question of ComLQ has a negation, by its type; "2in_1" is a variant of "2in"."""
    return "negation" if (prepared.question.type or "").partition("_")[0] in NEGATED_TYPES else "no negation"


EXPERIMENTS: dict[str, Experiment] = {
    "itlr": Experiment(
        "ITLR's Table 1: dense and logical retrieval by number of negations, NV-Embed-V1 and others in the paper",
        SAMPLE,
        "",
        lambda: ("dense", "itlr"),
        ("nDCG@10",),
        ("paper",),
        {
            f"{method}, {number}": (figure,)
            for method, figures in {"dense": (0.95, 0.77, 0.65, 0.52), "itlr": (0.99, 0.97, 0.96, 1.00)}.items()
            for number, figure in enumerate(figures)
        },
        lambda prepared: str(prepared.negations),
    ),
    "operators": Experiment(
        "ITLR's Table 2: nDCG@10 for each choice of operators, NV-Embed-V1 in the paper",
        SAMPLE,
        "",
        operator_methods,
        ("nDCG@10",),
        ("paper",),
        {
            _operators(*pair, negation): (figure,)
            for pair, figures in OPERATORS.items()
            for negation, figure in zip(_NEGATIONS, figures, strict=True)
        },
    ),
    "nsfl": Experiment(
        "NSFL's operators: mAP@100 on QUEST, BGE-large and all of QUEST in the paper",
        "quest",
        "prompt_c",
        nsfl_methods,
        ("AP@100",),
        ("paper",),
        {"dense": (0.065,), "nsfl": (0.079,), "geometric": (0.068,)},
    ),
    "sqo": Experiment(
        "NSFL's Table 5: logic after the search, before it (SQO), and both; QUEST, and COCO-Logic in the paper",
        "quest",
        "prompt_c",
        optimisation_methods,
        ("AP@100",),
        ("paper, QUEST", "paper, COCO-Logic"),
        {
            "dense": (0.065, 0.328),
            "nsfl, rerank only": (0.079, 0.438),
            "nsfl, optimise only": (0.069, 0.378),
            "nsfl, hybrid": (0.079, 0.438),
            "geometric, rerank only": (0.068, 0.418),
            "geometric, optimise only": (0.059, 0.366),
            "geometric, hybrid": (0.065, 0.417),
        },
    ),
    "deo": Experiment(
        "DEO on NegConstraint; the paper's figures are gains over its own dense baseline",
        "negconstraint",
        "prompt_c",
        lambda: ("dense", DirectEmbeddingOptimization()),
        ("nDCG@10", "AP@100"),
        ("paper, gain in nDCG@10", "paper, gain in mAP@100"),
        {"deo": (0.074, 0.103)},
    ),
    "nsir": Experiment(
        "NS-IR on NegConstraint, with the logic of passages by rules; --llm for the paper's own way",
        "negconstraint",
        "prompt_c",
        lambda: ("dense", NeuroSymbolic(), NeuroSymbolic("alignment"), NeuroSymbolic("constraint")),
        ("nDCG@10", "AP@100"),
        (),
        {},
    ),
    "comlq": Experiment(
        "ComLQ's Table 3: nDCG@10 over its queries with and without a negation; dense is bge-small in the paper",
        "comlq",
        "prompt_c",
        lambda: ("dense", "dense+bm25", "itlr", "calibrated"),
        ("nDCG@10",),
        (),
        {},
        _negated,
    ),
    "lsnc": Experiment(
        "ComLQ's measure LSNC@100 where unwanted passages are known: ExcluIR; on ComLQ itself in the paper (2in)",
        "excluir",
        "prompt_c",
        lambda: ("dense", "itlr", "nsfl-fused", "calibrated"),
        ("LSNC@10", "LSNC@100"),
        ("paper, LSNC@100",),
        {"dense": (0.302,)},
    ),
}
"""The experiments by name."""

"""The papers' retrieval methods by name. Importing this adds them to those of :mod:`logical_retriever.evaluation`.

A new one is a class, and a line in :data:`LAB_METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from logical_retriever.evaluation import METHODS, Method, get_method
from logical_retriever.lab.methods.nsir import NeuroSymbolic
from logical_retriever.lab.methods.scoring import (
    BySemantics,
    DirectEmbeddingOptimization,
    Projection,
    Routed,
    SphericalOptimum,
    Subtraction,
    TwoStage,
)
from logical_retriever.lab.nsfl import NsflSemantics
from logical_retriever.semantics import SEMANTICS, get_semantics

NAMED_ONLY = frozenset({"nsir", "nsir-alignment", "nsir-constraint"})
"""Methods that encode every candidate token by token: run where they are named."""

LAB_METHODS: Mapping[str, Callable[[], Method]] = {
    **{name: partial(BySemantics, name) for name in SEMANTICS if not get_semantics(name).calibrated},
    "nsfl": lambda: BySemantics(NsflSemantics()),
    "nsfl-also": lambda: BySemantics(NsflSemantics(wording="that are also"), "nsfl-also"),
    "nsfl-fused": lambda: Routed(BySemantics(NsflSemantics(operators="fused")), "nsfl-fused"),
    "nsfl-two-stage": lambda: TwoStage(BySemantics(NsflSemantics())),
    "geometric": Projection,
    "geometric-addition": Subtraction,
    "deo": DirectEmbeddingOptimization,
    "sqo": lambda: TwoStage(get_method("calibrated"), 100, "sqo", first=SphericalOptimum()),
    "sqo-only": SphericalOptimum,
    "nsir": NeuroSymbolic,
    "nsir-alignment": lambda: NeuroSymbolic("alignment"),
    "nsir-constraint": lambda: NeuroSymbolic("constraint"),
}
"""How the papers' methods are made, by name."""

for _name, _factory in LAB_METHODS.items():
    METHODS.setdefault(_name, _factory)  # the evaluation has some of them itself

DEFAULT_METHODS = tuple(name for name in METHODS if name not in NAMED_ONLY)
"""Run by the command line where no methods are named: all that are quick."""

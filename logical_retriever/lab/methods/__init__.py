"""The papers' retrieval methods by name. Importing this adds them to those of :mod:`logical_retriever.evaluation`.

A new one is a class, and a line in :data:`LAB_METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import METHODS, Method, MethodOptions, get_method
from logical_retriever.lab.methods.nsir import NeuroSymbolic
from logical_retriever.lab.methods.rewriting import Rewritten
from logical_retriever.lab.methods.scoring import (
    BySemantics,
    DirectEmbeddingOptimization,
    Projection,
    Routed,
    SphericalOptimum,
    Subtraction,
    TwoStage,
)
from logical_retriever.semantics import SEMANTICS, ProductSemantics, get_semantics
from logical_retriever.semantics.nsfl import NsflSemantics

FITTED = "logistic"
"""The product of truth values from a curve that was fitted to labelled pairs: calibrated ITLR of its appendix E."""

NAMED_ONLY = frozenset({"nsir", "nsir-alignment", "nsir-constraint", "bright", "hyde", FITTED})
"""Methods that encode every candidate token by token, or need a language model or a curve: run where they are named."""

Factory = Callable[[MethodOptions], Method]


def _fitted(options: MethodOptions) -> Method:
    if options.calibration is None:
        raise InvalidArgumentError(
            f"The method {FITTED!r} needs a fitted curve.",
            hint="Fit one with 'logical-retriever lab calibrate' and give it with --calibration FILE.",
        )
    return BySemantics(ProductSemantics(truth=options.calibration), FITTED)


def _by_semantics(name: str) -> Factory:
    return lambda _: BySemantics(name)


LAB_METHODS: Mapping[str, Factory] = {
    **{name: _by_semantics(name) for name in SEMANTICS if not get_semantics(name).calibrated},
    "nsfl-also": lambda _: BySemantics(NsflSemantics(wording="that are also"), "nsfl-also"),
    "nsfl-fused": lambda _: Routed(BySemantics(NsflSemantics(operators="fused")), "nsfl-fused"),
    "nsfl-two-stage": lambda _: TwoStage(BySemantics(NsflSemantics())),
    "geometric": lambda _: Projection(),
    "geometric-addition": lambda _: Subtraction(),
    "deo": lambda _: DirectEmbeddingOptimization(),
    "sqo": lambda _: TwoStage(get_method("calibrated"), 100, "sqo", first=SphericalOptimum()),
    "sqo-only": lambda _: SphericalOptimum(),
    "nsir": lambda _: NeuroSymbolic(),
    "nsir-alignment": lambda _: NeuroSymbolic("alignment"),
    "nsir-constraint": lambda _: NeuroSymbolic("constraint"),
    "bright": lambda options: Rewritten("bright", options),
    "hyde": lambda options: Rewritten("hyde", options),
    FITTED: _fitted,
}
"""How the papers' methods are made, by name."""

for _name, _factory in LAB_METHODS.items():
    METHODS.setdefault(_name, _factory)  # the evaluation has some of them itself

DEFAULT_METHODS = tuple(name for name in METHODS if name not in NAMED_ONLY)
"""Run by the command line where no methods are named: all that need nothing but the questions, and are quick."""

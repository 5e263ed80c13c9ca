"""The papers' retrieval methods by name. Importing this adds them to those of :mod:`logical_retriever.evaluation`.

A new one is a class, and a line in :data:`LAB_METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import METHODS, Method, get_method
from logical_retriever.lab.methods.nsir import NeuroSymbolic
from logical_retriever.lab.methods.rewriting import MethodOptions, Rewritten
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
from logical_retriever.semantics import SEMANTICS, TruthFunctional, get_semantics

FITTED = "logistic"
"""The product of truth values from a curve that was fitted to labelled pairs: calibrated ITLR of its appendix E."""

NAMED_ONLY = frozenset({"nsir", "nsir-alignment", "nsir-constraint", "bright", "hyde", FITTED})
"""Methods that encode every candidate token by token, or need a language model or a curve: run where they are named."""


def _fitted(options: MethodOptions) -> Method:
    if options.calibration is None:
        raise InvalidArgumentError(
            f"The method {FITTED!r} needs a fitted curve.",
            hint="Fit one with 'logical-retriever lab calibrate' and give it with --calibration FILE.",
        )
    return BySemantics(TruthFunctional("product", np.multiply, truth=options.calibration), FITTED)


WITH_OPTIONS: Mapping[str, Callable[[MethodOptions], Method]] = {
    "bright": lambda options: Rewritten("bright", options),
    "hyde": lambda options: Rewritten("hyde", options),
    FITTED: _fitted,
}
"""How those methods are made that need more than the question, by name."""

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
    **{name: partial(make, MethodOptions()) for name, make in WITH_OPTIONS.items()},
}
"""How the papers' methods are made, by name."""

for _name, _factory in LAB_METHODS.items():
    METHODS.setdefault(_name, _factory)  # the evaluation has some of them itself

DEFAULT_METHODS = tuple(name for name in METHODS if name not in NAMED_ONLY)
"""Run by the command line where no methods are named: all that need nothing but the questions, and are quick."""


def lab_method(name: str, options: MethodOptions) -> Method:
    """Make a method by name, with the options that some of them need.

    Raises:
        InvalidArgumentError: No method has this name, or it lacks what it needs.
    """
    return WITH_OPTIONS[name](options) if name in WITH_OPTIONS else get_method(name)

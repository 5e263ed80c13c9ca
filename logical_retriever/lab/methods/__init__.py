"""The papers' retrieval methods by name. Importing this adds them to those of :mod:`logical_retriever.evaluation`.

A new one is a file here and a line in :data:`LAB_METHODS`; its file is imported when it is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.methods import METHODS, Method, MethodOptions
from logical_retriever.evaluation.methods.package import PackageRetriever
from logical_retriever.semantics import SEMANTICS, ProductSemantics, get_semantics
from logical_retriever.semantics.nsfl import NsflSemantics

FITTED = "logistic"
"""The product of truth values from a curve that was fitted to labelled pairs: calibrated ITLR of its appendix E."""

WRITTEN = ("bright", "hyde")
"""Methods over texts that a language model writes or wrote."""

SLOW = frozenset({"nsir", "nsir-alignment", "nsir-constraint"})
"""Methods that encode every candidate token by token, and need the ``rerank`` extra: run where they are named."""


def _made(target: str, *args: Any, **kwargs: Any) -> Callable[[MethodOptions], Method]:
    """A factory of ``"module:Class"`` below this package with these arguments."""

    def factory(options: MethodOptions) -> Method:
        del options  # it needs none
        module, _, name = target.partition(":")
        method: Method = getattr(importlib.import_module(f"{__name__}.{module}"), name)(*args, **kwargs)
        return method

    return factory


def _written(name: str) -> Callable[[MethodOptions], Method]:
    def factory(options: MethodOptions) -> Method:
        from logical_retriever.lab.methods.rewriting import REWRITTEN

        return REWRITTEN[name](options.chat_model, options.texts.get(name))

    return factory


def _fitted(options: MethodOptions) -> Method:
    if options.calibration is None:
        raise InvalidArgumentError(
            f"The method {FITTED!r} needs a fitted curve.",
            hint="Fit one with 'logical-retriever calibrate' and give it with --calibration FILE.",
        )
    return _made("semantic:BySemantics", ProductSemantics(truth=options.calibration), FITTED)(options)


def _nsfl(name: str, **changes: Any) -> Callable[[MethodOptions], Method]:
    return _made("semantic:BySemantics", NsflSemantics(**changes), name)


def _around(target: str, inner: Callable[[MethodOptions], Method], *args: Any) -> Callable[[MethodOptions], Method]:
    return lambda options: _made(target, inner(options), *args)(options)


LAB_METHODS: Mapping[str, Callable[[MethodOptions], Method]] = {
    **{name: _made("semantic:BySemantics", name) for name in SEMANTICS if not get_semantics(name).calibrated},
    "nsfl-also": _nsfl("nsfl-also", wording="that are also"),
    "nsfl-fused": _around("routed:Routed", _nsfl("nsfl", operators="fused"), "nsfl-fused"),
    "nsfl-two-stage": _around("two_stage:TwoStage", _nsfl("nsfl")),
    "geometric": _made("geometric:Projection"),
    "geometric-addition": _made("geometric:Subtraction"),
    "deo": _made("deo:DirectEmbeddingOptimization"),
    "sqo": lambda _: PackageRetriever("calibrated", "sqo", depth=100, mode="sqo", fetch_k=100),
    "sqo-only": _made("optimised:SphericalOptimum"),
    "nsir": _made("nsir:NeuroSymbolic"),
    "nsir-alignment": _made("nsir:NeuroSymbolic", "alignment"),
    "nsir-constraint": _made("nsir:NeuroSymbolic", "constraint"),
    **{name: _written(name) for name in WRITTEN},
    FITTED: _fitted,
}
"""How the papers' methods are made, by name."""

METHODS.update(LAB_METHODS)

DEFAULT_METHODS = tuple(name for name in METHODS if name not in {*SLOW, *WRITTEN, FITTED})
"""Run by the command line where no methods are named: all that need nothing but the questions, and are quick."""

"""Retrieval methods by name. A new one is a file here and a line in :data:`METHODS`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.methods.base import Method, Prepared
from logical_retriever.evaluation.methods.bm25 import BM25
from logical_retriever.evaluation.methods.dense import Dense
from logical_retriever.evaluation.methods.dense_lexical import DenseLexical
from logical_retriever.evaluation.methods.deo import DirectEmbeddingOptimization
from logical_retriever.evaluation.methods.geometric import Projection, Subtraction
from logical_retriever.evaluation.methods.hybrid import Hybrid
from logical_retriever.evaluation.methods.nsir import NeuroSymbolic
from logical_retriever.evaluation.methods.optimised import SphericalOptimum
from logical_retriever.evaluation.methods.positive_only import PositiveOnly
from logical_retriever.evaluation.methods.rewriting import Bright, HyDE, Rewritten
from logical_retriever.evaluation.methods.routed import Routed
from logical_retriever.evaluation.methods.semantic import Composed
from logical_retriever.evaluation.methods.shipped import Shipped
from logical_retriever.evaluation.methods.two_stage import TwoStage
from logical_retriever.semantics import SEMANTICS, Logistic, ProductSemantics, get_semantics
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.transform import ChatModel


@dataclass(frozen=True)
class MethodOptions:
    """What some methods need beyond the question.

    Attributes:
        chat_model: A language model, or None.
        texts: Recorded texts: method name -> query id -> text.
        calibration: A curve fitted to labelled pairs, or None.
    """

    chat_model: ChatModel | None = None
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    calibration: Logistic | None = None


def _semantics(name: str) -> Method:
    """A semantics over all documents; one that needs a store's statistics runs inside the retriever, which has them."""
    return Shipped(name) if get_semantics(name).calibrated else Composed(name)


METHODS: dict[str, Callable[[], Method]] = {
    "dense": Dense,
    "dense+bm25": DenseLexical,
    "bm25": BM25,
    "hybrid": Hybrid,
    **{name: partial(_semantics, name) for name in SEMANTICS},
    "calibrated-dense": lambda: Shipped("calibrated", "calibrated-dense", evidence="dense"),
    "nsfl": lambda: Composed(NsflSemantics(), "nsfl"),
    "nsfl-also": lambda: Composed(NsflSemantics(wording="that are also"), "nsfl-also"),
    "nsfl-fused": lambda: Routed(Composed(NsflSemantics(operators="fused")), "nsfl-fused"),
    "nsfl-two-stage": lambda: TwoStage(Composed(NsflSemantics(), "nsfl")),
    "positive-only": PositiveOnly,
    "geometric": Projection,
    "geometric-addition": Subtraction,
    "deo": DirectEmbeddingOptimization,
    "sqo": lambda: Shipped("calibrated", "sqo", depth=100, mode="sqo", fetch_k=100),
    "sqo-only": SphericalOptimum,
    "nsir": NeuroSymbolic,
    "nsir-alignment": lambda: NeuroSymbolic("alignment"),
    "nsir-constraint": lambda: NeuroSymbolic("constraint"),
}
"""Every method that needs nothing but the questions, by name."""

WRITTEN: dict[str, type[Rewritten]] = {"bright": Bright, "hyde": HyDE}
"""Methods over texts that a language model writes or wrote, by name."""

FITTED = "logistic"
"""The product of truth values from a curve that was fitted to labelled pairs: calibrated ITLR of its appendix E."""

NAMES = (*METHODS, *WRITTEN, FITTED)
SLOW = frozenset({"nsir", "nsir-alignment", "nsir-constraint"})
"""Methods that encode every candidate token by token, and need the ``rerank`` extra: run where they are named."""

DEFAULT_METHODS = tuple(name for name in METHODS if name not in SLOW)
"""What is run unless methods are named."""


def get_method(method: str | Method, options: MethodOptions | None = None) -> Method:
    """Look a method up by name; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No method has this name, or it lacks what it needs.
    """
    if isinstance(method, Method):
        return method
    options = MethodOptions() if options is None else options
    if method in WRITTEN:
        return WRITTEN[method](options.chat_model, options.texts.get(method))
    if method == FITTED:
        if options.calibration is None:
            raise InvalidArgumentError(
                f"The method {FITTED!r} needs a fitted curve.",
                hint="Fit one with 'logical-retriever calibrate' and give it with --calibration FILE.",
            )
        return Composed(ProductSemantics(truth=options.calibration), FITTED)
    if method not in METHODS:
        close = difflib.get_close_matches(method, NAMES, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise InvalidArgumentError(f"There is no method {method!r}.", hint=f"{hint}Known names: {', '.join(NAMES)}.")
    return METHODS[method]()


__all__ = [
    "DEFAULT_METHODS",
    "FITTED",
    "METHODS",
    "NAMES",
    "WRITTEN",
    "Dense",
    "Method",
    "MethodOptions",
    "Prepared",
    "get_method",
]

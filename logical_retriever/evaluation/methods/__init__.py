"""Retrieval methods by name. A new one is a file and a line in :data:`METHODS`, or ``METHODS[name] = factory``."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.methods.base import Method as Method, QuestionWithQuery as QuestionWithQuery
from logical_retriever.evaluation.methods.package import PackageRetriever
from logical_retriever.evaluation.methods.plain import BM25, Dense, DenseLexical, Hybrid, PositiveOnly
from logical_retriever.semantics import Logistic
from logical_retriever.transform import ChatModel


@dataclass(frozen=True)
class MethodOptions:
    """Beyond the question, some methods need these.

    Attributes:
        chat_model: A language model, or None.
        texts: Recorded texts: method name -> query id -> text.
        calibration: A curve fitted to labelled pairs, or None.
    """

    chat_model: ChatModel | None = None
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    calibration: Logistic | None = None


METHODS: dict[str, Callable[[MethodOptions], Method]] = {
    "dense": lambda _: Dense(),
    "dense+bm25": lambda _: DenseLexical(),
    "bm25": lambda _: BM25(),
    "hybrid": lambda _: Hybrid(),
    "calibrated": lambda _: PackageRetriever("calibrated"),
    "calibrated-dense": lambda _: PackageRetriever("calibrated", "calibrated-dense", evidence="dense"),
    "positive-only": lambda _: PositiveOnly(),
}
"""How methods are made, by name. Those of the papers join it when :mod:`logical_retriever.lab.methods` is imported."""

DEFAULT_METHODS = tuple(METHODS)
"""Run where no methods are named."""


def get_method(method: str | Method, options: MethodOptions | None = None) -> Method:
    """Look a method up by name; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No method has this name, or it lacks what it needs.
    """
    if isinstance(method, Method):
        return method
    if method not in METHODS:
        close = difflib.get_close_matches(method, METHODS, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise InvalidArgumentError(f"There is no method {method!r}.", hint=f"{hint}Known names: {', '.join(METHODS)}.")
    return METHODS[method](MethodOptions() if options is None else options)

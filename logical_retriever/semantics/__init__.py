"""Truth values to scores: one family a file, and the table of their names."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.moved import renamed
from logical_retriever.semantics.base import Composition, Semantics
from logical_retriever.semantics.calibrated import CalibratedConstants, CalibratedSemantics
from logical_retriever.semantics.calibration import NullModel
from logical_retriever.semantics.evidence import BagOfWords, Evidence, NullDistributions
from logical_retriever.semantics.godel import GodelSemantics
from logical_retriever.semantics.hamacher import HamacherSemantics
from logical_retriever.semantics.itlr import ItlrSemantics
from logical_retriever.semantics.logistic import Logistic
from logical_retriever.semantics.lukasiewicz import LukasiewiczSemantics
from logical_retriever.semantics.product import ProductSemantics

SEMANTICS: dict[str, Callable[[], Semantics]] = {
    "calibrated": CalibratedSemantics,
    "product": ProductSemantics,
    "itlr": ItlrSemantics,
    "godel": GodelSemantics,
    "lukasiewicz": LukasiewiczSemantics,
    "hamacher": HamacherSemantics,
}
"""Every semantics that can be chosen by name, with its default parameters."""

DEFAULT_SEMANTICS = "calibrated"


def get_semantics(semantics: str | Semantics) -> Semantics:
    """Look a semantics up by name; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No semantics has this name.
    """
    if isinstance(semantics, Semantics):
        return semantics
    factory = SEMANTICS.get(semantics) if isinstance(semantics, str) else None
    if factory is None:
        close = difflib.get_close_matches(str(semantics), SEMANTICS, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise InvalidArgumentError(
            f"There is no semantics {semantics!r}.", hint=f"{hint}Known names: {', '.join(SEMANTICS)}."
        )
    return factory()


__getattr__ = renamed(__name__, {"Nulls": "NullDistributions", "LexicalProbe": "BagOfWords"})

__all__ = [
    "DEFAULT_SEMANTICS",
    "SEMANTICS",
    "BagOfWords",
    "CalibratedConstants",
    "CalibratedSemantics",
    "Composition",
    "Evidence",
    "GodelSemantics",
    "HamacherSemantics",
    "ItlrSemantics",
    "Logistic",
    "LukasiewiczSemantics",
    "NullDistributions",
    "NullModel",
    "ProductSemantics",
    "Semantics",
    "get_semantics",
]

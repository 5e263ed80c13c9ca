"""Evidence to scores: the semantics, and the table of their names."""

from __future__ import annotations

from collections.abc import Callable

from logical_retriever.naming import make_named
from logical_retriever.semantics.base import Composition as Composition, Semantics as Semantics
from logical_retriever.semantics.calibrated import (
    CalibratedConstants as CalibratedConstants,
    CalibratedSemantics as CalibratedSemantics,
)
from logical_retriever.semantics.calibration import NullModel as NullModel
from logical_retriever.semantics.evidence import (
    BagOfWords as BagOfWords,
    Evidence as Evidence,
    NullDistributions as NullDistributions,
)
from logical_retriever.semantics.itlr import ItlrSemantics as ItlrSemantics
from logical_retriever.semantics.nsfl import NsflSemantics as NsflSemantics
from logical_retriever.semantics.relevance import squeezed as squeezed
from logical_retriever.semantics.tnorms import (
    GodelSemantics as GodelSemantics,
    HamacherSemantics as HamacherSemantics,
    LukasiewiczSemantics as LukasiewiczSemantics,
    ProductSemantics as ProductSemantics,
)

SEMANTICS: dict[str, Callable[[], Semantics]] = {
    "calibrated": CalibratedSemantics,
    "product": ProductSemantics,
    "itlr": ItlrSemantics,
    "godel": GodelSemantics,
    "lukasiewicz": LukasiewiczSemantics,
    "hamacher": HamacherSemantics,
    "nsfl": NsflSemantics,
}
"""Every semantics of this package by name, with its default parameters; a new one is a class and a line."""

DEFAULT_SEMANTICS = "calibrated"
"""Name of the semantics of every retriever that is told no other."""


def get_semantics(semantics: str | Semantics) -> Semantics:
    """Look a semantics up by name; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No semantics has this name.
    """
    if isinstance(semantics, Semantics):
        return semantics
    made: Semantics = make_named(semantics, SEMANTICS, "semantics")
    return made

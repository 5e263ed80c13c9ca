"""Evidence to scores: the semantics, and the table of their names."""

from __future__ import annotations

from collections.abc import Callable

from logical_retriever.naming import make_named
from logical_retriever.scoring.base import Semantics as Semantics
from logical_retriever.scoring.calibrated import CalibratedSemantics as CalibratedSemantics
from logical_retriever.scoring.calibration import NullModel as NullModel
from logical_retriever.scoring.classic import CLASSIC, TruthFunctional as TruthFunctional
from logical_retriever.scoring.evidence import (
    BagOfWords as BagOfWords,
    Evidence as Evidence,
    NullDistributions as NullDistributions,
)
from logical_retriever.scoring.term_evidence import (
    CalibratedConstants as CalibratedConstants,
    TermEvidence as TermEvidence,
)

SEMANTICS: dict[str, Callable[[], Semantics]] = {"calibrated": CalibratedSemantics, **CLASSIC}
"""Every semantics of this package by name, with its default parameters."""

DEFAULT_SEMANTICS = "calibrated"
"""Name of the default semantics."""


def get_semantics(semantics: str | Semantics) -> Semantics:
    """Return the semantics of a name, or an instance unchanged.

    Raises:
        InvalidArgumentError: No semantics has this name.
    """
    if isinstance(semantics, Semantics):
        return semantics
    semantics_of_name: Semantics = make_named(semantics, SEMANTICS, "semantics")
    return semantics_of_name

"""Truth values to scores: one family a file, and the table of their names."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Final

from logical_retriever.errors import InvalidArgumentError, PluginError
from logical_retriever.moved import renamed
from logical_retriever.plugins import load_plugin, plugin_names
from logical_retriever.semantics.base import Composition, Semantics
from logical_retriever.semantics.calibrated import CalibratedConstants, CalibratedSemantics
from logical_retriever.semantics.calibration import NullModel
from logical_retriever.semantics.evidence import BagOfWords, Evidence, NullDistributions
from logical_retriever.semantics.godel import GodelSemantics
from logical_retriever.semantics.hamacher import HamacherSemantics
from logical_retriever.semantics.itlr import ItlrSemantics
from logical_retriever.semantics.logistic import Logistic
from logical_retriever.semantics.lukasiewicz import LukasiewiczSemantics
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.semantics.product import ProductSemantics

SEMANTICS: dict[str, Callable[[], Semantics]] = {
    "calibrated": CalibratedSemantics,
    "product": ProductSemantics,
    "itlr": ItlrSemantics,
    "godel": GodelSemantics,
    "lukasiewicz": LukasiewiczSemantics,
    "hamacher": HamacherSemantics,
    "nsfl": NsflSemantics,
}
"""Every semantics of this package by name, with its default parameters; a new one is a file here and a line."""

PLUGINS: Final = "logical_retriever.semantics"
"""Entry-point group in which other packages name theirs: a class, or anything that makes one when called."""

DEFAULT_SEMANTICS = "calibrated"


def get_semantics(semantics: str | Semantics) -> Semantics:
    """Look a semantics up by name, here and among those of other packages; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No semantics has this name.
        PluginError: Another package's, and it cannot be imported or is none.
    """
    if isinstance(semantics, Semantics):
        return semantics
    name = semantics if isinstance(semantics, str) else ""
    factory = SEMANTICS[name] if name in SEMANTICS else load_plugin(PLUGINS, name)
    if factory is None:
        names = (*SEMANTICS, *plugin_names(PLUGINS))
        close = difflib.get_close_matches(name, names, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise InvalidArgumentError(
            f"There is no semantics {semantics!r}.", hint=f"{hint}Known names: {', '.join(names)}."
        )
    made = factory()
    if not isinstance(made, Semantics):
        raise PluginError(
            f"What is named {name!r} in {PLUGINS} makes {type(made).__name__}, which is no semantics.",
            hint="Name a subclass of logical_retriever.semantics.Semantics, or a function that makes one.",
        )
    return made


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
    "NsflSemantics",
    "NullDistributions",
    "NullModel",
    "ProductSemantics",
    "Semantics",
    "get_semantics",
]

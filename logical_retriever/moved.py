"""Names that have moved: the old ones work for one more release, and a warning says where the new ones are."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_PLAIN = ("dense", "bm25", "dense_lexical", "hybrid", "positive_only")
_TNORMS = ("product", "godel", "lukasiewicz", "hamacher")
_PAPERS = ("deo", "geometric", "nsir", "optimised", "reranked", "rewriting", "routed", "semantic", "two_stage")

MODULES: Mapping[str, str] = {
    "logical_retriever.codes": "logical_retriever.vectors.codes",
    "logical_retriever.compile.support": "logical_retriever.lab.support",
    "logical_retriever.search.pushdown": "logical_retriever.search.engine",
    "logical_retriever.explain_html": "logical_retriever.explain.html",
    "logical_retriever.llms": "logical_retriever.transform.chat_models",
    "logical_retriever.testing.gaps": "logical_retriever.testing.known_gaps",
    "logical_retriever.testing.given": "logical_retriever.testing.embedders",
    "logical_retriever.rerank": "logical_retriever.lab.nsir",
    "logical_retriever.evaluation.synthesis": "logical_retriever.lab.synthesis",
    "logical_retriever.evaluation.experiments": "logical_retriever.lab.experiments",
    "logical_retriever.evaluation.calibrate": "logical_retriever.lab.calibrate",
    "logical_retriever.evaluation.pairs": "logical_retriever.lab.pairs",
    "logical_retriever.evaluation.commands": "logical_retriever.commands.evaluation",
    "logical_retriever.evaluation.methods.shipped": "logical_retriever.evaluation.methods.package",
    **{f"logical_retriever.evaluation.methods.{name}": "logical_retriever.evaluation.methods.plain" for name in _PLAIN},
    **{f"logical_retriever.evaluation.methods.{name}": f"logical_retriever.lab.methods.{name}" for name in _PAPERS},
    **{f"logical_retriever.semantics.{name}": "logical_retriever.semantics.tnorms" for name in _TNORMS},
    "logical_retriever.semantics.truth": "logical_retriever.semantics.truth_functional",
    "logical_retriever.rescore": "logical_retriever.integration.second_stage",
    "logical_retriever.tools": "logical_retriever.integration.tools",
    "logical_retriever.integration.answers": "logical_retriever.transform.provider_answers",
}
"""Old module or package, with all that is below it, to where it is now."""


def renamed(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Make a module's ``__getattr__`` that knows old names.

    Args:
        module: Its ``__name__``.
        names: Old name to where the thing is now: a name of the same module, or ``"package.module:Name"``.
    """

    def __getattr__(name: str) -> Any:
        new = names.get(name)
        if new is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, now = new.rpartition(":")
        _warn(f"{module}.{name}", f"{home or module}.{now}")
        return getattr(importlib.import_module(home or module), now)

    return __getattr__


def moved_methods(method: str) -> None:
    """Make the papers' evaluation methods known where one is asked for by name and nobody has imported them."""
    names = importlib.import_module("logical_retriever.lab.methods").LAB_METHODS
    if method in names:
        _warn(f"The evaluation method {method!r}", "known after 'import logical_retriever.lab.methods'")


class _MovedModules(MetaPathFinder, Loader):
    """Imports a module under its old name as the very module that it is under its new one."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002  the protocol's
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if _now(fullname) is not None else None

    def exec_module(self, module: ModuleType) -> None:
        old, new = module.__name__, _now(module.__name__)
        assert new is not None
        _warn(old, new)
        sys.modules[old] = importlib.import_module(new)


def _now(name: str) -> str | None:
    """Where a module of this name is now; None where it has not moved."""
    for old, new in MODULES.items():
        if name == old or name.startswith(f"{old}."):
            return new + name[len(old) :]
    return None


def renamed_argument(old: str, new: str) -> None:
    """Say that an argument is given elsewhere now."""
    _warn(old, new)


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old} is now {new}; the old name goes with the next release.", DeprecationWarning, stacklevel=3)


sys.meta_path.insert(0, _MovedModules())

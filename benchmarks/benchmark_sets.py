"""The benchmark sets: their names, where they are, and how one is read.

Sets are folders below LOGICAL_RETRIEVER_DATA (default: ../shared/data beside the repository) in BEIR's layout with
``logical_forms.<form>.tsv`` and ``vectors.all-MiniLM-L6-v2.f16.npy``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from logical_retriever.evaluation import Dataset, load_dataset, load_sample

SETS = ("negconstraint", "excluir", "boolquestions_not", "comlq")
FURTHER = (("quest", "prompt_c"), ("limit", "gold"), ("ask exclusions", "gold"), ("ask traps and plain", "gold"))
"""Further sets, each with the forms that it has: what only words know, and questions as people type them."""
PARTS = {"ask exclusions": ("ask", ("everyday", "work")), "ask traps and plain": ("ask", ("traps",))}
"""Sets that are some types of the questions of a folder."""
SAMPLE = "three_term"
"""The set that is packaged."""
VECTORS = "vectors.all-MiniLM-L6-v2.f16.npy"


def data_folder() -> Path:
    """Where the benchmark sets are."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("LOGICAL_RETRIEVER_DATA", beside))


def read_set(name: str, form: str = "prompt_c", *, say: Callable[[str], object] = print) -> Dataset | None:
    """Read a set with its recorded forms and vectors; say what is missing and return None if a file is."""
    if name == SAMPLE:
        return load_sample()
    own, types = PARTS.get(name, (name, None))
    folder = data_folder() / own
    forms, vectors = folder / f"logical_forms.{form}.tsv", folder / VECTORS
    missing = next((path for path in (folder, forms, vectors) if not path.exists()), None)
    if missing is None:
        found = load_dataset(folder, logical_forms=forms, vectors=vectors, name=name)
        if types is None:
            return found
        return replace(found, questions=tuple(one for one in found.questions if one.type in types))
    say(f"{name}, {form}: skipped, {missing} does not exist (set LOGICAL_RETRIEVER_DATA)")
    return None

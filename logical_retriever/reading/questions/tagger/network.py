"""The network in numpy: a small transformer and tables of words and parts of words, under one recurrent layer.

``training/questions/export.py`` writes the file of its weights.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from logical_retriever.reading.layers import Arrays, Floats, Layer, matrix, normal, read_arrays, rows_of
from logical_retriever.reading.questions.tagger.words import Features

VERSION: Final = 2
"""Version of the file's layout and of the network."""
WEIGHTS: Final = Path(__file__).with_name("weights.npz")
"""The package's own file."""
HINT: Final = "The file comes with the package: install it again, or write it with python training/questions/train.py."
"""What to do about a file that cannot be read."""


def read_weights(path: Path = WEIGHTS) -> tuple[Arrays, dict[str, Any]]:
    """Read the stored arrays, and the file's description of the network and its teaching.

    Raises:
        WeightsError: The file is missing, damaged, or of another version.
    """
    return read_arrays(path, VERSION, HINT)


class Network:
    """The network that scores six labels for each word, and how a thing was excluded.

    Args:
        arrays: The arrays of a file of weights, as stored.
        layers: Number of layers of the transformer.

    Attributes:
        steps: (6, 6), the score of the second label after the first.
        starts: (6,), the score of each label at the beginning.
    """

    def __init__(self, arrays: Arrays, layers: int) -> None:
        self._arrays = arrays
        self.steps: Floats = arrays["steps"]
        self.starts: Floats = arrays["starts"]
        self._layers = [Layer(arrays, f"layer{number}.") for number in range(layers)]
        self._into, self._recur = matrix(arrays, "gru.into"), matrix(arrays, "gru.recur")
        size = self._recur.shape[0]
        self._recur = np.ascontiguousarray(self._recur.reshape(size, 2, 3 * size).transpose(1, 0, 2))
        self._recur_bias = arrays["gru.recur_bias"].reshape(2, 1, 3 * size)

    def scores(self, features: Features) -> Floats:
        """Score the words of a question with at least one; (words, 7).

        The first six columns are those of the labels; the last is the log-odds of "lack" against "topic", for excluded
        words.
        """
        table = self._arrays
        x = rows_of(table, "pieces", np.array(features.pieces))
        x = normal(x + rows_of(table, "place", np.arange(len(x))), table["norm.weight"], table["norm.bias"])[None]
        for layer in self._layers:
            x = layer.apply(x)
        lengths = np.array([len(gram) for gram in features.grams])
        ends = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        grams = rows_of(table, "gram", np.array([row for gram in features.grams for row in gram]))
        parts = np.add.reduceat(grams, ends, axis=0) / lengths[:, None].astype(np.float32)
        words = rows_of(table, "word", np.array(features.words))
        shapes = table["shape"][np.array(features.shapes)]
        x = np.concatenate([words, parts, shapes, x[0, np.array(features.first)]], axis=1)
        return np.asarray(self._both_ways(x) @ table["out.weight"] + table["out.bias"], np.float32)

    def _both_ways(self, x: Floats) -> Floats:
        """Run the recurrent layer forwards and backwards; (words, inputs) to (words, 2 * size)."""
        size, count = self._recur.shape[1], len(x)
        into = (x @ self._into + self._arrays["gru.into_bias"]).reshape(count, 2, 3 * size)
        into = np.stack([into[:, 0], into[::-1, 1]], axis=1)
        state, result = np.zeros((2, 1, size), np.float32), np.empty((count, 2, size), np.float32)
        for i in range(count):
            again = (state @ self._recur + self._recur_bias)[:, 0]
            gates = 0.5 + 0.5 * np.tanh(0.5 * (into[i, :, : 2 * size] + again[:, : 2 * size]))
            new = np.tanh(into[i, :, 2 * size :] + gates[:, :size] * again[:, 2 * size :])
            state = (new + gates[:, size:] * (state[:, 0] - new))[:, None]
            result[i] = state[:, 0]
        return np.concatenate([result[:, 0], result[::-1, 1]], axis=1)

"""The network in numpy: a small transformer and tables of words and parts of words, under one recurrent layer."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from logical_retriever.reading.questions.tagger.weights import unpacked
from logical_retriever.reading.questions.tagger.words import Features

Floats = NDArray[np.float32]

HEADS: Final = 12
_ROOT: Final = np.float32(0.7978845608028654)  # of 2 / pi
_CUBIC: Final = np.float32(0.044715)


class Network:
    """The network that scores six labels for each word.

    Args:
        arrays: The arrays of a file of weights, as stored.
        layers: Number of layers of the transformer.

    Attributes:
        steps: (6, 6), the score of the second label after the first.
        starts: (6,), the score of each label at the beginning.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]], layers: int) -> None:
        self._arrays = arrays
        self.steps: Floats = arrays["steps"]
        self.starts: Floats = arrays["starts"]
        self._layers = [_Layer(arrays, f"layer{number}.") for number in range(layers)]
        self._into, self._recur = _matrix(arrays, "gru.into"), _matrix(arrays, "gru.recur")
        size = self._recur.shape[0]
        self._recur = np.ascontiguousarray(self._recur.reshape(size, 2, 3 * size).transpose(1, 0, 2))
        self._recur_bias = arrays["gru.recur_bias"].reshape(2, 1, 3 * size)

    def scores(self, features: Features) -> Floats:
        """Score the labels of a question with at least one word; (words, 6)."""
        table = self._arrays
        x = _rows(table, "pieces", np.array(features.pieces))
        x = _normal(x + _rows(table, "place", np.arange(len(x))), table["norm.weight"], table["norm.bias"])
        for layer in self._layers:
            x = layer.apply(x)
        lengths = np.array([len(gram) for gram in features.grams])
        ends = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        grams = _rows(table, "gram", np.array([row for gram in features.grams for row in gram]))
        parts = np.add.reduceat(grams, ends, axis=0) / lengths[:, None].astype(np.float32)
        words = _rows(table, "word", np.array(features.words))
        shapes = table["shape"][np.array(features.shapes)]
        x = np.concatenate([words, parts, shapes, x[np.array(features.first)]], axis=1)
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


class _Layer:
    """One layer of the transformer: attention, then two matrices."""

    def __init__(self, arrays: dict[str, NDArray[Any]], prefix: str) -> None:
        self._matrices = {name: _matrix(arrays, prefix + name) for name in ("mix", "back", "up", "down")}
        names = ("mix", "back", "up", "down", "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias")
        self._vectors = {name: arrays[f"{prefix}{name}" if "." in name else f"{prefix}{name}_bias"] for name in names}

    def apply(self, x: Floats) -> Floats:
        """Transform the vectors of all pieces; (pieces, width) to the same shape."""
        weight, vector = self._matrices, self._vectors
        length, width = x.shape
        mixed = (x @ weight["mix"] + vector["mix"]).reshape(length, 3, HEADS, width // HEADS).transpose(1, 2, 0, 3)
        shares = mixed[0] @ mixed[1].transpose(0, 2, 1) * np.float32((width // HEADS) ** -0.5)
        shares = np.exp(shares - shares.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        y = (shares @ mixed[2]).transpose(1, 0, 2).reshape(length, width)
        x = _normal(x + y @ weight["back"] + vector["back"], vector["norm1.weight"], vector["norm1.bias"])
        y = _gelu(x @ weight["up"] + vector["up"])
        return _normal(x + y @ weight["down"] + vector["down"], vector["norm2.weight"], vector["norm2.bias"])


def _gelu(x: Floats) -> Floats:
    """Return x times the normal distribution's share below x, by the usual approximation."""
    angle = x * (x * x * (_CUBIC * _ROOT) + _ROOT)
    return np.asarray((np.tanh(angle) + np.float32(1.0)) * x * np.float32(0.5))


def _normal(x: Floats, weight: Floats, bias: Floats) -> Floats:
    """Give each row mean 0 and variance 1, then apply a weight and a bias for each column."""
    x = x - x.mean(-1, keepdims=True)
    x /= np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-12))
    return x * weight + bias


def _matrix(arrays: dict[str, NDArray[Any]], name: str) -> Floats:
    """Unpack a matrix of the file and transpose it: a row of the file is a column here."""
    return np.ascontiguousarray(_rows(arrays, name, np.arange(len(arrays[name]))).T)


def _rows(arrays: dict[str, NDArray[Any]], name: str, rows: NDArray[np.int64]) -> Floats:
    """Unpack rows of a table: four bits with a scale for 48 numbers, or eight bits with a scale for the row."""
    values, scales = arrays[name][rows], arrays[name + ".scale"][rows]
    return unpacked(values, scales) if values.dtype == np.uint8 else np.asarray(values * scales.astype(np.float32))

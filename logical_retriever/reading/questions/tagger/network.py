"""The network in numpy: a small transformer and tables of words and parts of words, under one recurrent layer.

``training/questions/export.py`` writes the file of its weights.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.reading.questions.tagger.words import Features

Floats = NDArray[np.float32]

VERSION: Final = 2
"""Version of the file's layout and of the network."""
WEIGHTS: Final = Path(__file__).with_name("weights.npz")
"""The package's own file."""
GROUP: Final = 48
"""Numbers with one scale in a table of four bits."""
_HINT: Final = "The file comes with the package: install it again, or write it with python training/questions/train.py."

HEADS: Final = 12
_ROOT: Final = np.float32(0.7978845608028654)  # of 2 / pi
_CUBIC: Final = np.float32(0.044715)


class WeightsError(LogicalRetrieverError):
    """The tagger's weights are missing, damaged, or of another version."""

    @classmethod
    def damaged(cls, path: Path, error: Exception) -> WeightsError:
        """Build the error for an unreadable file."""
        return cls(f"The reader's weights in {path} are damaged: {error!r}", hint=_HINT)


def read_weights(path: Path = WEIGHTS) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read the stored arrays, and the file's description of the network and its teaching.

    Raises:
        WeightsError: The file is missing, damaged, or of another version.
    """
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            about = json.loads(bytes(file["about"]))
            if about.get("version") != VERSION:
                raise WeightsError(
                    f"The reader's weights in {path.name} are of version {about.get('version')}, not {VERSION}.",
                    hint=_HINT,
                )
            return {name: file[name] for name in file.files if name != "about"}, about
    except FileNotFoundError as error:
        raise WeightsError(f"The reader's weights are missing: there is no {path}.", hint=_HINT) from error
    except (OSError, ValueError, KeyError, AttributeError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise WeightsError.damaged(path, error) from error


class Network:
    """The network that scores six labels for each word, and how a thing was excluded.

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
        """Score the words of a question with at least one; (words, 7).

        The first six columns are those of the labels; the last is the log-odds of "lack" against "topic", for excluded
        words.
        """
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


def unpacked(rows: NDArray[np.uint8], scales: NDArray[np.float16]) -> NDArray[np.float32]:
    """Unpack N rows of a table of four bits; (N, W / 2) bytes and (N, W / 48) scales to (N, W) numbers."""
    codes = np.empty((len(rows), rows.shape[1] * 2), np.float32)
    codes[:, ::2], codes[:, 1::2] = rows >> 4, rows & 15
    groups = (codes - 8).reshape(len(rows), -1, GROUP) * scales[..., None].astype(np.float32)
    return groups.reshape(len(rows), -1)

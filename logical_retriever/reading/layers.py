"""What the tagger and the passage reader share, in numpy: files of weights, tables in few bits, a transformer layer."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from logical_retriever.errors import LogicalRetrieverError

Floats = NDArray[np.float32]
Arrays = dict[str, NDArray[Any]]
"""The arrays of a file of weights, as stored."""

GROUP: Final = 48
"""Numbers with one scale in a table of four bits."""
HEADS: Final = 12
MASKED: Final = np.float32(-1e4)
"""What is added to the attention to a place without a piece."""
_ROOT: Final = np.float32(0.7978845608028654)  # of 2 / pi
_CUBIC: Final = np.float32(0.044715)


class WeightsError(LogicalRetrieverError):
    """The weights of a network are missing, damaged, or of another version."""

    @classmethod
    def damaged(cls, path: Path, error: Exception, hint: str) -> WeightsError:
        """Build the error for an unreadable file."""
        return cls(f"The weights in {path} are damaged: {error!r}", hint=hint)


def read_arrays(path: Path, version: int, hint: str) -> tuple[Arrays, dict[str, Any]]:
    """Read the stored arrays, and the file's description of the network and its teaching.

    Args:
        path: The file.
        version: The version of its layout and of the network.
        hint: What to do about a file that cannot be read.

    Raises:
        WeightsError: The file is missing, damaged, or of another version.
    """
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            about = json.loads(bytes(file["about"]))
            if about.get("version") != version:
                raise WeightsError(
                    f"The weights in {path.name} are of version {about.get('version')}, not {version}.", hint=hint
                )
            return {name: file[name] for name in file.files if name != "about"}, about
    except FileNotFoundError as error:
        raise WeightsError(f"The weights are missing: there is no {path}.", hint=hint) from error
    except (OSError, ValueError, KeyError, AttributeError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise WeightsError.damaged(path, error, hint) from error


class Layer:
    """One layer of the transformer: attention, then two matrices.

    Args:
        arrays: The arrays of a file of weights.
        prefix: What the names of this layer's arrays begin with.
    """

    def __init__(self, arrays: Arrays, prefix: str) -> None:
        self._matrices = {name: matrix(arrays, prefix + name) for name in ("mix", "back", "up", "down")}
        names = ("mix", "back", "up", "down", "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias")
        self._vectors = {name: arrays[f"{prefix}{name}" if "." in name else f"{prefix}{name}_bias"] for name in names}

    def apply(self, x: Floats, masked: Floats | None = None) -> Floats:
        """Transform the vectors of all pieces.

        Args:
            x: Shape (texts, pieces, width).
            masked: Shape (texts, pieces), 0 for a piece and :data:`MASKED` for none; by default there are no gaps.

        Returns:
            The same shape as ``x``.
        """
        weight, vector = self._matrices, self._vectors
        count, length, width = x.shape
        flat = x.reshape(-1, width)
        mixed = flat @ weight["mix"]
        mixed += vector["mix"]
        mixed = mixed.reshape(count, length, 3, HEADS, width // HEADS).transpose(2, 0, 3, 1, 4)
        shares = mixed[0] @ mixed[1].swapaxes(-1, -2)
        shares *= np.float32((width // HEADS) ** -0.5)
        if masked is not None:
            shares += masked[:, None, None]
        shares -= shares.max(-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= shares.sum(-1, keepdims=True)
        y = (shares @ mixed[2]).transpose(0, 2, 1, 3).reshape(-1, width) @ weight["back"]
        flat = normal(flat + y + vector["back"], vector["norm1.weight"], vector["norm1.bias"])
        y = flat @ weight["up"]
        y += vector["up"]
        y = _gelu(y) @ weight["down"]
        return normal(flat + y + vector["down"], vector["norm2.weight"], vector["norm2.bias"]).reshape(x.shape)


def _gelu(x: Floats) -> Floats:
    """Return GELU, by its approximation with tanh."""
    angle = x * x
    angle *= _CUBIC * _ROOT
    angle += _ROOT
    angle *= x
    np.tanh(angle, out=angle)
    angle += np.float32(1.0)
    angle *= x
    angle *= np.float32(0.5)
    return angle


def normal(x: Floats, weight: Floats, bias: Floats) -> Floats:
    """Give each row mean 0 and variance 1, then apply a weight and a bias for each column."""
    x = x - x.mean(-1, keepdims=True)
    x /= np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-12))
    return x * weight + bias


def matrix(arrays: Arrays, name: str) -> Floats:
    """Unpack a matrix of the file and transpose it: a row of the file is a column here."""
    return np.ascontiguousarray(rows_of(arrays, name, np.arange(len(arrays[name]))).T)


def rows_of(arrays: Arrays, name: str, rows: NDArray[np.int64]) -> Floats:
    """Unpack rows of a table: four bits with a scale for 48 numbers, or eight bits with a scale for the row."""
    values, scales = arrays[name][rows], arrays[name + ".scale"][rows]
    return unpacked(values, scales) if values.dtype == np.uint8 else np.asarray(values * scales.astype(np.float32))


def unpacked(rows: NDArray[np.uint8], scales: NDArray[np.float16]) -> NDArray[np.float32]:
    """Unpack N rows of a table of four bits; (N, W / 2) bytes and (N, W / 48) scales to (N, W) numbers."""
    codes = np.empty((len(rows), rows.shape[1] * 2), np.float32)
    codes[:, ::2], codes[:, 1::2] = rows >> 4, rows & 15
    groups = (codes - 8).reshape(len(rows), -1, GROUP) * scales[..., None].astype(np.float32)
    return groups.reshape(len(rows), -1)

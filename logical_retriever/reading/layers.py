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
CACHED: Final = 1 << 16
"""Numbers worked on at once, so that they stay in the processor's cache from one step to the next."""
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
        # The factor of the attention goes into the matrix of what attends.
        mix, width = self._matrices["mix"], len(self._matrices["mix"])
        factor = np.where(np.arange(mix.shape[1]) < width, (width // HEADS) ** -0.5, 1.0).astype(np.float32)
        self._matrices["mix"], self._vectors["mix"] = mix * factor, self._vectors["mix"] * factor

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
        seen = _attended(mixed.reshape(count, length, 3, HEADS, width // HEADS), masked)
        y = seen.reshape(-1, width) @ weight["back"]
        y += vector["back"]
        flat = normal(flat + y, vector["norm1.weight"], vector["norm1.bias"])
        y = flat @ weight["up"]
        y += vector["up"]
        y = _gelu(y) @ weight["down"]
        y += vector["down"]
        return normal(flat + y, vector["norm2.weight"], vector["norm2.bias"]).reshape(x.shape)


def _attended(mixed: Floats, masked: Floats | None) -> Floats:
    """Return what each piece sees of the others, shape (texts, pieces, heads, size).

    Args:
        mixed: What attends, what is attended to and what is seen, shape (texts, pieces, 3, heads, size).
        masked: As for :meth:`Layer.apply`.
    """
    count, length, _, heads, size = mixed.shape
    seen, step = np.empty((count, length, heads, size), np.float32), max(1, CACHED // length**2)
    for text in range(count):
        asks, answers, values = mixed[text].transpose(1, 2, 0, 3)
        for head in range(0, heads, step):
            some = slice(head, head + step)
            shares = asks[some] @ answers[some].swapaxes(-1, -2)
            if masked is not None:
                shares += masked[text]
            shares -= shares.max(-1, keepdims=True)
            np.exp(shares, out=shares)
            own = shares @ values[some]
            own /= shares.sum(-1, keepdims=True)
            seen[text, :, some] = own.swapaxes(0, 1)
    return seen


def _gelu(x: Floats) -> Floats:
    """Replace numbers by their GELU, ``x / (1 + exp(-2 a))`` with its approximation ``a`` of degree three."""
    rows = max(1, 2 * CACHED // x.shape[1])
    with np.errstate(over="ignore"):  # the quotient by infinity is 0, as it should be
        for start in range(0, len(x), rows):
            part = x[start : start + rows]
            angle = part * part
            angle *= -2.0 * _CUBIC * _ROOT
            angle -= 2.0 * _ROOT
            angle *= part
            np.exp(angle, out=angle)
            angle += np.float32(1.0)
            part /= angle
    return x


def normal(x: Floats, weight: Floats, bias: Floats) -> Floats:
    """Give each row mean 0 and variance 1, then apply a weight and a bias for each column."""
    x = x - x.mean(-1, keepdims=True)
    x /= np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-12))
    x *= weight
    x += bias
    return x


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

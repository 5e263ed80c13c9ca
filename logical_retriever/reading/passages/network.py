"""The network that reads passages, in numpy: a cross-encoder of a term and a passage.

``training/passages/teach.py`` teaches it, and ``training/passages/weights.py`` writes its file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from logical_retriever.lexical import visible
from logical_retriever.reading.layers import (
    MASKED,
    Floats,
    Layer,
    WeightsError,
    normal,
    read_arrays,
    rows_of,
)
from logical_retriever.reading.passages.windows import Window, windows_of
from logical_retriever.reading.pieces import Pieces
from logical_retriever.reading.questions.tagger.network import read_weights

VERSION: Final = 1
"""Version of the file's layout and of the network."""
HINT: Final = "The file comes with the package: install it again, or write it with python training/passages/weights.py."
"""What to do about a file that cannot be read."""
LONGEST: Final = 240
"""Most pieces of a passage that are read at once."""
LONGEST_TERM: Final = 48
"""Most pieces of a term; the rest is not read."""
SEPARATORS: Final = 3
"""Pieces that mark the beginning, the end of the term, and the end of the passage."""
REMEMBERED: Final = 512
"""Passages whose windows are remembered."""
TOGETHER: Final = 4_096
"""Most pieces that are transformed together: larger arrays leave the processor's cache."""


class PassageNetwork:
    """A network and its vocabulary.

    Args:
        path: A file that ``training/passages/weights.py`` wrote. A network with the tagger's vocabulary takes its table
            from the tagger's file.

    Attributes:
        about: The file's description of the network and its teaching.
        pieces: The vocabulary.
        windows: The windows of a passage, remembered: several terms are looked for in one passage.

    Raises:
        WeightsError: The file is missing, damaged, of another version, or goes with another vocabulary.
    """

    def __init__(self, path: Path) -> None:
        arrays, self.about = read_arrays(path, VERSION, HINT)
        try:
            if self.about["vocabulary"] == "tagger":
                shared = read_weights()[0]
                arrays = {**{name: shared[name] for name in ("names", "pieces", "pieces.scale")}, **arrays}
            if crc32(bytes(arrays["names"])) != self.about["names"]:
                raise WeightsError(f"The weights in {path.name} go with another vocabulary.", hint=HINT)
            self.pieces = Pieces(bytes(arrays["names"]).decode().split("\n"), cased=self.about["cased"])
            self.windows = lru_cache(REMEMBERED)(lambda passage: windows_of(visible(passage), self.pieces, LONGEST))
            self._layers = [Layer(arrays, f"layer{number}.") for number in range(self.about["layers"])]
            self._place = rows_of(arrays, "place", np.arange(LONGEST + LONGEST_TERM + SEPARATORS))
            kept = ("pieces", "pieces.scale", "segment", "norm.weight", "norm.bias", "out.weight", "out.bias")
            self._arrays, self._calibration = {name: arrays[name] for name in kept}, self.about["calibration"]
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise WeightsError.damaged(path, error, HINT) from error

    def rows(self, term: str) -> list[int]:
        """Return the rows of a term's pieces."""
        return self.pieces.of_text(visible(term))

    def read(self, pairs: Sequence[tuple[str, Window]]) -> NDArray[np.float64]:
        """Read pairs of a term and a window.

        Returns:
            Probabilities that the passage has the thing, denies it, leaves it open, does not mention it, and that it is
            about it; shape (pairs, 5). The first four add up to 1.
        """
        begin, end = self.pieces.begin, self.pieces.end
        rows, seconds = [], []
        for term, window in pairs:
            first = [begin, *self.rows(term)[:LONGEST_TERM], end]
            rows.append([*first, *window.rows, end])
            seconds.append(len(first))
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        found = np.empty((len(rows), 5))
        while order:
            longest = len(rows[order[-1]])
            few = order[-max(1, TOGETHER // longest) :]
            del order[-len(few) :]
            found[few] = self._scores([rows[at] for at in few], np.array([seconds[at] for at in few]), longest)
        return self._probabilities(found)

    def _scores(self, rows: list[list[int]], seconds: NDArray[Any], longest: int) -> Floats:
        """Score pairs of at most ``longest`` pieces; (pairs, 5) log-odds."""
        table, place = self._arrays, np.arange(longest)
        lengths = np.array([len(row) for row in rows])
        pieces = np.array([row + [self.pieces.end] * (longest - len(row)) for row in rows])
        real = place < lengths[:, None]
        segments = ((place >= seconds[:, None]) & real).astype(int)
        x = rows_of(table, "pieces", pieces.ravel()).reshape(*pieces.shape, -1)
        x = normal(x + self._place[:longest] + table["segment"][segments], table["norm.weight"], table["norm.bias"])
        masked = None if real.all() else np.where(real, np.float32(0.0), MASKED)
        for layer in self._layers:
            x = layer.apply(x, masked)
        mean = np.einsum("blw,bl->bw", x, real.astype(np.float32)) / lengths[:, None]
        pooled = np.concatenate([x[:, 0], mean], axis=1)
        return np.asarray(pooled @ table["out.weight"] + table["out.bias"], np.float32)

    def _probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return calibrated probabilities for log-odds; the same shape."""
        bias, slope = self._calibration["about"]
        return probabilities(scores[:, :4] * self._calibration["states"], bias + slope * scores[:, 4:])


def probabilities(states: NDArray[np.float64], about: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of four states, which exclude each other, and of "about"; shape (pairs, 5).

    Args:
        states: Log-odds, shape (pairs, 4).
        about: Log-odds, shape (pairs, 1).
    """
    likely = np.exp(states - states.max(1, keepdims=True))
    return np.concatenate([likely / likely.sum(1, keepdims=True), 1.0 / (1.0 + np.exp(-about))], axis=1)

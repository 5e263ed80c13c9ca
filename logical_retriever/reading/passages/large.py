"""Larger networks that read passages: cross-encoders of sentence-transformers, on a GPU where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from logical_retriever.errors import require
from logical_retriever.lexical import visible
from logical_retriever.reading.layers import WeightsError
from logical_retriever.reading.passages.network import LONGEST, REMEMBERED, probabilities
from logical_retriever.reading.passages.windows import Window, windows_of

LABELS: Final = ("has", "denies", "open", "absent", "about")
"""The network's outputs, in any order."""
_INSTALL: Final = 'pip install "logical-retriever[reader]"'
_HINT: Final = "Teach one with training/passages/large.py, or name the five labels in its config.json, as id2label."


class Quarters:
    """Words in pieces of four letters, about as many as a tokenizer makes, which alone knows the vocabulary."""

    unknown = -1

    def of_words(self, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:  # noqa: ARG002
        """Yield a zero for each piece of each word."""
        for start, end in spans:
            yield (0,) * -(-(end - start) // 4)


class LargeNetwork:
    """A cross-encoder with five outputs.

    Args:
        folder: Its folder, as sentence-transformers writes it.
        device: The device; by default a GPU where there is one.

    Raises:
        WeightsError: The folder is missing, or its model has other outputs.
        MissingPackageError: sentence-transformers is not installed.
    """

    def __init__(self, folder: Path, device: str | None) -> None:
        if not (folder / "config.json").exists():
            raise WeightsError(f"There is no reader of passages in {folder}: it has no config.json.", hint=_HINT)
        package = require("sentence_transformers", "A larger reader of passages", install=_INSTALL)
        try:
            self._model: Any = package.CrossEncoder(str(folder), device=device)
        except (OSError, ValueError, RuntimeError) as error:
            raise WeightsError.damaged(folder, error, _HINT) from error
        named = {name: int(at) for at, name in self._model.model.config.id2label.items()}
        if set(named) != set(LABELS):
            raise WeightsError(
                f"The model in {folder} has the outputs {sorted(named)}, not {list(LABELS)}.", hint=_HINT
            )
        self._as_they_are = require("torch", "A larger reader of passages", install=_INSTALL).nn.Identity()
        self._order = [named[name] for name in LABELS]
        self._lock = Lock()
        self.windows = lru_cache(REMEMBERED)(lambda passage: windows_of(visible(passage), Quarters(), LONGEST))

    def read(self, pairs: Sequence[tuple[str, Window]]) -> NDArray[np.float64]:
        """Return the probabilities of pairs of a term and a window, shape (pairs, 5), ordered as :data:`LABELS`."""
        texts = [(visible(term), window.text) for term, window in pairs]
        with self._lock:  # tokenizers are of one thread
            found = self._model.predict(texts, batch_size=64, activation_fn=self._as_they_are, show_progress_bar=False)
        odds = np.asarray(found, np.float64)[:, self._order]
        return probabilities(odds[:, :4], odds[:, 4:])

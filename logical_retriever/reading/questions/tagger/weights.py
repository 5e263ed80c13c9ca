"""The file of the network's weights, as ``training/questions/export.py`` writes it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from logical_retriever.errors import LogicalRetrieverError

VERSION: Final = 1
"""Version of the file's layout and of the network."""
WEIGHTS: Final = Path(__file__).with_name("weights.npz")
"""The package's own file."""
GROUP: Final = 48
"""Numbers with one scale in a table of four bits."""
_HINT: Final = "The file comes with the package: install it again, or write it with training/questions/train.py."


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


def unpacked(rows: NDArray[np.uint8], scales: NDArray[np.float16]) -> NDArray[np.float32]:
    """Unpack N rows of a table of four bits; (N, W / 2) bytes and (N, W / 48) scales to (N, W) numbers."""
    codes = np.empty((len(rows), rows.shape[1] * 2), np.float32)
    codes[:, ::2], codes[:, 1::2] = rows >> 4, rows & 15
    groups = (codes - 8).reshape(len(rows), -1, GROUP) * scales[..., None].astype(np.float32)
    return groups.reshape(len(rows), -1)

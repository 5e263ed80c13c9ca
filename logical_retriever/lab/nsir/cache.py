"""Formulas on disk, so that a corpus is translated once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from logical_retriever.errors import FormulaError, InvalidArgumentError, StoreError
from logical_retriever.files import write_text
from logical_retriever.lab.nsir.fol import Formula, parse

FORMAT: Final = 1
"""Version of the files; others are not read."""


class FormulaCache:
    """One small JSON file for each text, named by what it depends on.

    The name is a hash of the text, of the language model's name and of all that the model is told; another model or
    another prompt finds nothing. Files are written beside their place and moved there, so that a process that is
    killed leaves no half of one, and several processes may share a folder. A file that cannot be read counts as
    missing, and is written anew.

    Args:
        folder: Made if missing.

    Attributes:
        damaged: Files that could not be read so far.

    Raises:
        InvalidArgumentError: There is a file in the folder's place.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.damaged = 0
        if self.folder.exists() and not self.folder.is_dir():
            raise InvalidArgumentError(f"The cache folder {self.folder} is a file.", hint="Give a folder.")

    def get(self, text: str, version: str) -> tuple[Formula, ...] | None:
        """The formulas of a text, or None.

        Args:
            text: The text.
            version: What made them; see :func:`version_of`.
        """
        path = self._path(text, version)
        try:
            data = json.loads(path.read_bytes())
            if data["format"] != FORMAT or not data["formulas"]:
                return None
            return tuple(parse(formula) for formula in data["formulas"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, FormulaError):
            self.damaged += 1
            return None

    def put(self, text: str, version: str, formulas: Sequence[Formula]) -> None:
        """Keep the formulas of a text.

        Raises:
            StoreError: The folder cannot be written.
        """
        path = self._path(text, version)
        content = json.dumps({"format": FORMAT, "formulas": list(map(str, formulas))}, ensure_ascii=False)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, content)
        except (OSError, InvalidArgumentError) as error:
            raise StoreError(
                f"The formulas could not be kept in {self.folder}: {error}", hint="Give a folder that can be written."
            ) from error

    def _path(self, text: str, version: str) -> Path:
        content = f"{version}:{text}".encode("utf-8", "surrogatepass")
        name = hashlib.sha256(content).hexdigest()
        return self.folder / name[:2] / f"{name[2:]}.json"


def version_of(model: str, kind: str, fingerprint: str) -> str:
    """A digest of all that formulas depend on beside their text.

    Args:
        model: The language model's name.
        kind: "question" or "passage".
        fingerprint: A digest of all that the model is told.
    """
    parts = json.dumps([FORMAT, model, kind, fingerprint])
    return hashlib.sha256(parts.encode()).hexdigest()

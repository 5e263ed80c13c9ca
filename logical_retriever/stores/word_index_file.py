"""The file of an index of words: NumPy arrays in one archive, replaced as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from logical_retriever.errors import StoreError
from logical_retriever.files import replacing
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.rows import IndexedDocuments

HEADER = "logical_retriever_words"
"""Name of the first array, which identifies the file."""
FORM = f"4, stems of PyStemmer {version('PyStemmer')}"
"""Version of the arrays and of the analysis of texts. An index of another version is built again."""
ID_TYPES: dict[str, Callable[[str], DocumentId]] = {"str": str, "int": int, "UUID": UUID}
"""Types of ids that the file can hold, by name."""


def read_index(path: Path, language: str) -> IndexedDocuments | None:
    """Read the index from a file; None for a missing file, another version or another language.

    Raises:
        StoreError: The file is no index, is damaged, or cannot be read.
    """
    if not path.exists():
        return None
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            header = json.loads(arrays[HEADER].tobytes())
            if header["form"] != FORM or header["language"] != language:
                return None
            ids = tuple(ID_TYPES[kind](text) for kind, text in header["ids"])
            return IndexedDocuments(ids, WordIndex.loaded(header["words"], arrays, language))
    except Exception as error:  # NumPy raises errors of many types
        raise StoreError(
            f"{path} is something else than an index of words, or damaged: {type(error).__name__}: {error}",
            hint="Give words_index= a path of its own, or delete the file.",
        ) from error


def write_index(path: Path, documents: IndexedDocuments) -> None:
    """Replace the file by an index. After an error the old file is still there.

    Raises:
        StoreError: The file cannot hold ids of this type.
        InvalidArgumentError: The file cannot be written.
    """
    if unknown := {type(id).__name__ for id in documents.ids} - ID_TYPES.keys():
        raise StoreError(
            f"Documents of this store are known by values of type {min(unknown)}, which an index of words cannot keep.",
            hint=f"It keeps {', '.join(ID_TYPES)}.",
        )
    index, ids = documents.index, [(type(id).__name__, str(id)) for id in documents.ids]
    vocabulary, arrays = index.dumped()
    header: Any = {"form": FORM, "language": index.language, "ids": ids, "words": vocabulary}
    first = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with replacing(path) as draft, open(draft, "wb") as file:
        np.savez(file, **{HEADER: first, **arrays})  # type: ignore[arg-type]  # named arrays, as documented

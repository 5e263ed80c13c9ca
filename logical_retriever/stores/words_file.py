"""The file of an index of words: arrays of NumPy, replaced whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np

from logical_retriever.errors import StoreError
from logical_retriever.files import replacing
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId

FIRST = "logical_retriever_words"
"""Name of the first array, by which the file is known."""
FORM = f"4, stems of PyStemmer {version('PyStemmer')}"
"""Of the arrays, and of how texts are cut into words: the index of another form is made anew."""
ID_TYPES: Mapping[str, Callable[[str], DocumentId]] = MappingProxyType({"str": str, "int": int, "UUID": UUID})
"""Types of identities that are kept."""


@dataclass(frozen=True)
class IndexedWords:
    """An index of the words of a store's documents.

    Attributes:
        ids: N identities.
        index: Of the words of their texts.
    """

    ids: tuple[DocumentId, ...]
    index: WordIndex


def read_words(path: Path, language: str) -> IndexedWords | None:
    """The index in a file; None where there is none of this form and language.

    Raises:
        StoreError: The file is something else, or cannot be read.
    """
    if not path.exists():
        return None
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            header = json.loads(arrays[FIRST].tobytes())
            if header["form"] != FORM or header["language"] != language:
                return None
            ids = tuple(ID_TYPES[kind](text) for kind, text in header["ids"])
            return IndexedWords(ids, WordIndex.loaded(header["words"], arrays, language))
    except Exception as error:  # whatever NumPy says of a file
        raise StoreError(
            f"{path} is something else than an index of words, or damaged: {type(error).__name__}: {error}",
            hint="Give words_index= a path of its own, or delete the file.",
        ) from error


def write_words(path: Path, words: IndexedWords) -> None:
    """Put an index in the place of the file, whole or not at all.

    Raises:
        StoreError: An identity is of a type that is not kept.
        InvalidArgumentError: The file cannot be written.
    """
    if unknown := {type(id).__name__ for id in words.ids} - ID_TYPES.keys():
        raise StoreError(
            f"Documents of this store are known by values of type {min(unknown)}, which an index of words cannot keep.",
            hint=f"It keeps {', '.join(ID_TYPES)}.",
        )
    vocabulary, arrays = words.index.dumped()
    ids = [(type(id).__name__, str(id)) for id in words.ids]
    header: Any = {"form": FORM, "language": words.index.language, "ids": ids, "words": vocabulary}
    first = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with replacing(path) as draft, open(draft, "wb") as file:
        np.savez(file, **{FIRST: first, **arrays})  # type: ignore[arg-type]  # their names

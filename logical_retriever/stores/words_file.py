"""The file of an index of words: arrays of NumPy, replaced whole or not at all."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, WordsIndexError
from logical_retriever.files import replacing
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.identities import read_identity, written_identity

FIRST = "logical_retriever_words"
"""Name of the first array, by which the file is known."""
FORM = f"3, stems of snowballstemmer {version('snowballstemmer')}"
"""Of the arrays, and of how texts are cut into words: the index of another form is made anew."""


@dataclass(frozen=True)
class IndexedWords:
    """An index of the words of a store's documents.

    Attributes:
        ids: N identities.
        marks: Shape (N,), uint64: a digest of each text.
        index: Of the words of the texts.
    """

    ids: tuple[DocumentId, ...]
    marks: npt.NDArray[np.uint64]
    index: WordIndex

    @cached_property
    def places(self) -> dict[DocumentId, int]:
        """Where each identity stands."""
        return {id: row for row, id in enumerate(self.ids)}


def mark_of(text: str) -> int:
    """A digest of a text, below 2⁶⁴."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def read_words(path: Path, language: str) -> IndexedWords | None:
    """The index in a file; None where it has to be made anew.

    Raises:
        WordsIndexError: The file is something else, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        head = b""
    except OSError as error:
        raise WordsIndexError(
            f"The index of words {path} cannot be read: {error.strerror}.", hint="Check the path and its permissions."
        ) from error
    if not head:
        return None
    if FIRST.encode() not in head:
        raise WordsIndexError(
            f"{path} is something else than an index of words.", hint="Give words_index= a path of its own."
        )
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            told = json.loads(arrays[FIRST].tobytes())
            if told["form"] != FORM or told["language"] != language:
                return None
            rest: dict[str, Any] = {name: arrays[name] for name in arrays.files if name not in (FIRST, "marks")}
            ids = tuple(read_identity(kind, text) for kind, text in told["ids"])
            words = IndexedWords(ids, arrays["marks"], WordIndex.loaded(told["words"], rest, language))
            return words if len(ids) == len(words.marks) == len(words.index) else None
    except Exception:  # whatever NumPy says of a damaged file
        return None


def write_words(path: Path, words: IndexedWords) -> None:
    """Put an index in the place of the file, whole or not at all.

    Raises:
        WordsIndexError: It cannot be written, or an identity is of a type that is not kept.
    """
    vocabulary, arrays = words.index.dumped()
    ids = list(map(written_identity, words.ids))
    told = {"form": FORM, "language": words.index.language, "ids": ids, "words": vocabulary}
    first = np.frombuffer(json.dumps(told).encode(), np.uint8)
    try:
        with replacing(path) as draft, open(draft, "wb") as file:
            np.savez(file, **{FIRST: first, "marks": words.marks, **arrays})  # type: ignore[arg-type]  # their names
    except (OSError, InvalidArgumentError) as error:
        raise WordsIndexError(
            f"The index of words {path} cannot be written: {error}",
            hint="Give words_index= a path in a folder that exists and that you may write to.",
        ) from error

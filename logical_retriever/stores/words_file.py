"""The file of an index of words: SQLite, replaced whole or not at all."""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, WordsIndexError
from logical_retriever.files import replacing
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.identities import read_identities, written_identity

APPLICATION_ID = 0x4C725749
"""By which SQLite files of this kind are known."""
VERSION = 1
"""Of the tables, and of how texts are cut into words: the index of another version is made anew."""
STEMMER = version("snowballstemmer")
"""Whose stems the words of an index are."""
_HEADER = b"SQLite format 3\0"
_APPLICATION_AT = 68
"""Where SQLite's header has the application's id."""


@dataclass(frozen=True)
class KeptWords:
    """An index of words as it is kept.

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

    def place_of(self, id: DocumentId, text: str) -> int:
        """Where a document with this text stands; -1 where it was not there, or had another text."""
        place = self.places.get(id, -1)
        return place if place >= 0 and int(self.marks[place]) == mark_of(text) else -1


def mark_of(text: str) -> int:
    """A digest of a text, below 2⁶⁴."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def read_words(path: Path) -> tuple[KeptWords | None, str]:
    """The index in a file.

    Returns:
        None where it has to be made anew; and why, in words.

    Raises:
        WordsIndexError: The file is something else, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        header = b""
    except OSError as error:
        raise WordsIndexError(
            f"The index of words {path} cannot be read: {error.strerror}.", hint="Check the path and its permissions."
        ) from error
    if not header:
        return None, "made now"
    ours = APPLICATION_ID.to_bytes(4, "big")
    if not header.startswith(_HEADER) or header[_APPLICATION_AT : _APPLICATION_AT + 4] != ours:
        raise WordsIndexError(
            f"{path} is something else than an index of words.", hint="Give words_index= a path of its own."
        )
    try:
        with closing(sqlite3.connect(f"file:{path.resolve().as_posix()}?mode=ro", uri=True)) as connection:
            [[found]] = connection.execute("PRAGMA user_version")
            if found != VERSION:
                return None, f"made anew: the file was of version {found}"
            return _read(connection), "up to date"
    except (sqlite3.Error, ValueError, KeyError, TypeError, OSError) as error:
        return None, f"made anew: the file could not be used ({error})"


def _read(connection: sqlite3.Connection) -> KeptWords:
    rows = connection.execute("SELECT kind, id FROM documents ORDER BY row")
    ids = tuple(read_identities(rows))
    arrays = {
        name: np.load(io.BytesIO(content), allow_pickle=False)
        for name, content in connection.execute("SELECT name, content FROM arrays")
    }
    [[language, vocabulary, stemmer]] = connection.execute("SELECT language, vocabulary, stemmer FROM words")
    if stemmer != STEMMER:
        raise ValueError(f"its stems are those of snowballstemmer {stemmer}")
    marks = arrays.pop("marks")
    index = WordIndex.loaded(json.loads(vocabulary), arrays, language)
    if not len(ids) == len(marks) == len(index):
        raise ValueError(f"{len(ids)} documents, {len(index)} of them indexed")
    return KeptWords(ids, marks, index)


def write_words(path: Path, kept: KeptWords) -> None:
    """Put an index in the place of the file, whole or not at all.

    Raises:
        WordsIndexError: It cannot be written, or an identity is of a type that is not kept.
    """
    rows = [(row, *written_identity(id)) for row, id in enumerate(kept.ids)]
    words, arrays = kept.index.dumped()
    try:
        with replacing(path) as draft, closing(sqlite3.connect(draft)) as connection:
            connection.executescript(
                f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
                "CREATE TABLE documents (row INTEGER PRIMARY KEY, kind TEXT NOT NULL, id NOT NULL);"
                "CREATE TABLE arrays (name TEXT PRIMARY KEY, content BLOB NOT NULL);"
                "CREATE TABLE words (language TEXT NOT NULL, vocabulary TEXT NOT NULL, stemmer TEXT NOT NULL);"
            )
            with connection:
                connection.executemany("INSERT INTO documents VALUES (?, ?, ?)", rows)
                connection.executemany(
                    "INSERT INTO arrays VALUES (?, ?)",
                    ((name, _npy(values)) for name, values in {**arrays, "marks": kept.marks}.items()),
                )
                # JSON in ASCII: a text may hold half of a pair of surrogates, which SQLite's texts cannot.
                connection.execute(
                    "INSERT INTO words VALUES (?, ?, ?)", (kept.index.language, json.dumps(words), STEMMER)
                )
    except (sqlite3.Error, InvalidArgumentError) as error:
        raise WordsIndexError(
            f"The index of words {path} cannot be written: {error}",
            hint="Give words_index= a path in a folder that exists and that you may write to.",
        ) from error


def _npy(values: npt.NDArray[np.generic]) -> bytes:
    file = io.BytesIO()
    np.save(file, values, allow_pickle=False)
    return file.getvalue()

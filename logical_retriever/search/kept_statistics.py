"""The file of a store's statistics: replaced whole or not at all, and used for the store it was made of alone."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError, WordsIndexError
from logical_retriever.files import replacing
from logical_retriever.lexical import LexicalModel
from logical_retriever.results import DocumentId
from logical_retriever.semantics import NullModel
from logical_retriever.stores.identities import read_identity, written_identity
from logical_retriever.vectors import Vectors

MAGIC = b"logical-retriever statistics\n"
"""By which the files are known."""
VERSION = f"2, stems of snowballstemmer {version('snowballstemmer')}"
"""Of what is in them and how it is computed: the file of another version is made anew."""

Witness = tuple[str, Vectors]
"""A digest of a document's text, and its vector of length 1."""


@dataclass(frozen=True, eq=False)
class KeptStatistics:
    """Statistics as a file keeps them.

    Attributes:
        nulls: Mean and covariance of the vectors.
        lexical: Word frequencies and lengths of the texts, in the language that most of them are in.
        count: Documents the store had; None where it could not tell.
        sampled: Documents that were read.
        extremes: Whether one of these has a vector of such a length that an engine's float32 may lose it.
        unrelated: Mean and standard deviation of cosines of texts that have nothing to do with each other.
        witnesses: Some documents, by which the store is known again.
        encoded: Shape (1, d), a sentence as the encoder had it; (0, 0) where nothing was encoded.
    """

    nulls: NullModel
    lexical: LexicalModel
    count: int | None
    sampled: int
    extremes: bool
    unrelated: tuple[float, float]
    witnesses: Mapping[DocumentId, Witness]
    encoded: Vectors


def digest(text: str) -> str:
    """By which a text is known again."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def read_statistics(path: Path) -> tuple[KeptStatistics | None, str]:
    """The statistics in a file.

    Returns:
        None where they have to be taken anew; and why, in words.

    Raises:
        WordsIndexError: The file is something else, or cannot be read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None, "taken now"
    except OSError as error:
        raise WordsIndexError(
            f"The statistics {path} cannot be read: {error.strerror}.", hint="Check the path and its permissions."
        ) from error
    if not content:
        return None, "taken now"
    if not content.startswith(MAGIC[: len(content)]):
        raise WordsIndexError(
            f"{path} is something else than a store's statistics.",
            hint="Give words_index= a path beside which this name is free.",
        )
    try:
        with np.load(io.BytesIO(content[len(MAGIC) :]), allow_pickle=False) as arrays:
            return _read(arrays)
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        return None, f"taken anew: the file could not be used ({error})"


def _read(arrays: Mapping[str, Any]) -> tuple[KeptStatistics | None, str]:
    head = json.loads(bytes(arrays["head"]))
    if head["version"] != VERSION:
        return None, f"taken anew: the file was of version {head['version']}"
    rows, mean, covariance = arrays["witnesses"], arrays["mean"], arrays["covariance"]
    if covariance.shape != (*mean.shape, *mean.shape) or not np.isfinite(covariance).all():
        raise ValueError(f"a covariance of shape {covariance.shape} for {len(mean)} dimensions")
    pairs = zip(head["witnesses"], rows, strict=True)
    kept = KeptStatistics(
        nulls=NullModel(mean, covariance, int(head["nulls"])),
        lexical=LexicalModel.loaded(head["lexical"]),
        count=head["count"],
        sampled=head["sampled"],
        extremes=head["extremes"],
        unrelated=(head["unrelated"][0], head["unrelated"][1]),
        witnesses={_identity(kind, value): (mark, row) for (kind, value, mark), row in pairs},
        encoded=arrays["encoded"],
    )
    return kept, "kept"


def write_statistics(path: Path, kept: KeptStatistics) -> None:
    """Put statistics in the place of the file, whole or not at all.

    Raises:
        WordsIndexError: They cannot be written, or an identity is of a type that is not kept.
    """
    head = {
        "version": VERSION,
        "count": kept.count,
        "sampled": kept.sampled,
        "extremes": kept.extremes,
        "unrelated": kept.unrelated,
        "nulls": kept.nulls.size,
        "lexical": kept.lexical.dumped(),
        "witnesses": [(*_written(id), mark) for id, (mark, _) in kept.witnesses.items()],
    }
    rows = [row for _, row in kept.witnesses.values()]
    packed = io.BytesIO()
    np.savez(
        packed,
        head=np.frombuffer(json.dumps(head).encode(), np.uint8),
        mean=kept.nulls.mean,
        covariance=kept.nulls.covariance,
        witnesses=np.stack(rows) if rows else np.empty((0, 0), np.float32),
        encoded=kept.encoded,
    )
    try:
        with replacing(path) as draft:
            draft.write_bytes(MAGIC + packed.getvalue())
    except InvalidArgumentError as error:
        raise WordsIndexError(
            f"The statistics {path} cannot be written: {error}",
            hint="Give words_index= a path in a folder that exists and that you may write to.",
        ) from error


def _written(id: DocumentId) -> tuple[str, str | float]:
    kind, value = written_identity(id)
    return kind, value.decode("latin-1") if isinstance(value, bytes) else value  # JSON has no bytes


def _identity(kind: str, value: Any) -> DocumentId:
    return read_identity(kind, value.encode("latin-1") if kind in ("str", "bytes") else value)

"""A user's own passages: from files with a row each, or from folders of documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from logical_retriever.corpus.documents import LENGTH as LENGTH, SUFFIXES, document_passages
from logical_retriever.corpus.passage import Passage as Passage, corpus_fingerprint as corpus_fingerprint
from logical_retriever.corpus.rows import csv_passages, json_passages
from logical_retriever.errors import CorpusError

JSON_SUFFIXES = (".jsonl", ".ndjson")
TABLES = (".csv", ".tsv")
KINDS = (*SUFFIXES, *JSON_SUFFIXES, *TABLES)
"""Suffixes of files that a folder is read for."""


def read_corpus(path: str | os.PathLike[str], passed_over: list[str] | None = None) -> list[Passage]:
    """Read passages.

    - A file of JSON Lines: objects with ``_id`` (or ``id``; a string or an integer), ``text`` and optionally ``title``,
      the layout of BEIR's ``corpus.jsonl``, whose other fields are metadata; documents of LangChain (``page_content``,
      ``metadata``) or of LlamaIndex (``id_``, ``text``, ``metadata``), as either writes them. Blank lines are passed
      over.
    - A ``.csv`` or ``.tsv`` with a header: a column ``text`` (or ``content``, ``body``), perhaps ``id`` and ``title``;
      the others are metadata. Without an id, a passage is known by its content.
    - A text, Markdown, HTML or PDF (with pypdf), cut where paragraphs end into passages of at most :data:`LENGTH`
      characters, with the file as ``source``.
    - A folder: all of these in it and below, but for what is hidden.

    Of metadata, texts, numbers, truth values and lists of one kind of these are kept.

    Args:
        path: The file, in UTF-8 but for a PDF, or the folder.
        passed_over: Takes the names of a folder's files of other kinds.

    Raises:
        CorpusError: A file cannot be read, is not UTF-8 or has no passage, or a row is not such an object, has no
            id or text, or an id that an earlier one has. It names file and line.
        MissingPackageError: There is a PDF, and pypdf is not installed.
    """
    root = Path(path)
    passages: dict[str, Passage] = {}
    places: dict[str, tuple[str, int | None]] = {}
    for file, line, passage in _all(root, [] if passed_over is None else passed_over):
        if passage.id in passages:
            if passages[passage.id] == passage and not root.is_file():
                continue  # one document, kept twice
            first, at = places[passage.id]
            where = (
                f"in line {at}" if first == os.fspath(file) else f"in {first}" + ("" if at is None else f", line {at}")
            )
            raise CorpusError(
                f"the id {passage.id!r} was already given {where}.",
                path=os.fspath(file),
                line=line,
                hint="Give every passage an id of its own.",
            )
        passages[passage.id] = passage
        places[passage.id] = os.fspath(file), line
    if not passages:
        hint = f"Put files there that end in {', '.join(KINDS)}." if root.is_dir() else "Give a file with text in it."
        raise CorpusError("there is no passage in it.", path=os.fspath(path), line=None, hint=hint)
    return list(passages.values())


def _all(root: Path, passed_over: list[str]) -> Iterator[tuple[Path, int | None, Passage]]:
    if not root.is_dir():
        yield from _of_file(root, root.name)
        return
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder, name)
            if name.startswith("."):
                continue
            if file.suffix.lower() in KINDS:
                yield from _of_file(file, file.relative_to(root).as_posix())
            else:
                passed_over.append(file.relative_to(root).as_posix())


def _of_file(file: Path, name: str) -> Iterable[tuple[Path, int | None, Passage]]:
    kind = file.suffix.lower()
    if kind in SUFFIXES:
        return ((file, None, passage) for passage in document_passages(file, name))
    rows = csv_passages(file) if kind in TABLES else json_passages(file)
    return ((file, line, passage) for line, passage in rows)

"""Reading the files of a benchmark, with the file and line in every complaint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.files import json_lines, text_lines, wrong


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON Lines file with their line numbers; each has a non-empty string ``_id``.

    Raises:
        CorpusError: A line is not a JSON object or has no ``_id``, or an ``_id`` occurs twice.
    """
    form = 'Each line is one object with a string "_id", for example {"_id": "d1", "title": "", "text": "..."}.'
    seen: dict[str, int] = {}
    for number, record in json_lines(path, form):
        identity = record.get("_id")
        if not isinstance(identity, str) or not identity:
            raise wrong(path, number, "no text under the key '_id'.", form)
        if identity in seen:
            problem = f"the _id {identity!r} occurs a second time (first in line {seen[identity]})."
            raise wrong(path, number, problem, "Give every line an _id of its own.")
        seen[identity] = number
        yield number, record


def text_of(record: dict[str, Any], key: str, path: Path, line: int, *, optional: bool = False) -> str:
    """The string under a key of a record; where it is optional, a missing key is the empty string.

    Raises:
        CorpusError: The key is missing or its value is not a string; it names the file and the line.
    """
    value = record.get(key, "" if optional else None)
    if not isinstance(value, str):
        problem = f"the key {key!r} holds {type(value).__name__} instead of text."
        raise wrong(path, line, problem, f'Write "{key}": "..." in every line.')
    return value


def rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a tab-separated file; a first row that repeats the column names is a header and left out.

    Raises:
        CorpusError: A row has another number of cells than there are columns, or an empty one.
    """
    for number, line in text_lines(path):
        cells = [cell.strip() for cell in line.split("\t")]
        if number == 1 and cells[0].lower().replace("_", "-") == columns[0]:
            continue
        if len(cells) != len(columns) or not all(cells):
            problem = f"expected {len(columns)} cells ({', '.join(columns)}) separated by tabs, found {line[:60]!r}."
            raise wrong(path, number, problem, "Separate the cells with one tab each; spaces do not count.")
        yield number, cells


def vectors(path: Path, documents: int) -> npt.NDArray[np.float32]:
    """Read the vectors of N documents from an ``.npy`` file: shape (N, d), float32, rows in the order of the corpus.

    Raises:
        CorpusError: Not such a file, another number of rows, or NaN or infinite values.
    """
    form = "Write numpy.save(path, vectors): one row a line of corpus.jsonl, in its order, one column a dimension."
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise wrong(path, None, f"is not a NumPy array file ({error}).", form) from error
    if not isinstance(array, np.ndarray) or array.ndim != 2 or not np.issubdtype(array.dtype, np.floating):
        found = f"shape {array.shape} of {array.dtype}" if isinstance(array, np.ndarray) else "several arrays"
        problem = f"expected a two-dimensional array of floating-point numbers, found {found}."
        raise wrong(path, None, problem, form)
    if len(array) != documents:
        raise wrong(path, None, f"has {len(array)} rows for {documents} documents.", f"Encode them again. {form}")
    matrix = array.astype(np.float32)
    broken = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(broken):
        problem = f"row {broken[0]} holds NaN or infinite values ({len(broken)} such rows)."
        raise wrong(path, None, problem, "Encode those documents again; row 0 is the first line of corpus.jsonl.")
    return matrix

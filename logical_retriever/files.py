"""Files: lines read with the place named in every complaint, and contents that are replaced whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logical_retriever.errors import CorpusError, InvalidArgumentError

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", type(None): "null"}


def wrong(path: str | os.PathLike[str], line: int | None, problem: str, hint: str) -> CorpusError:
    """The error that says what is wrong with a file, or with a line of it, and what to do."""
    return CorpusError(problem, path=os.fspath(path), line=line, hint=hint)


def text_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Lines of a UTF-8 file that are not blank, without their ends, with their numbers from 1.

    Raises:
        CorpusError: The file cannot be read or is not UTF-8.
    """
    try:
        with open(path, "rb") as file:
            # In bytes, only a line feed ends a line: texts may hold U+2028 and others that Python's lines end at.
            for number, raw in enumerate(file, start=1):
                try:
                    # Editors on Windows begin UTF-8 files with a byte order mark.
                    line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    problem = f"not UTF-8 (byte {error.start + 1} of the line is {raw[error.start]:#04x})."
                    raise wrong(path, number, problem, "Save the file as UTF-8.") from error
                if line.strip():
                    yield number, line.rstrip("\r\n")
    except OSError as error:
        raise wrong(path, None, f"cannot be read: {error.strerror}.", "Check the path and its permissions.") from error


def json_lines(path: str | os.PathLike[str], hint: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Objects of a JSON Lines file with their line numbers from 1.

    Raises:
        CorpusError: The file cannot be read, or a line is not a JSON object; the hint says the form that a line has.
    """
    for number, line in text_lines(path):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
            raise wrong(path, number, f"not JSON: {why}.", hint) from error
        if not isinstance(row, dict):
            raise wrong(path, number, f"expected a JSON object, found {json_kind(row)}.", hint)
        yield number, row


def json_kind(value: Any) -> str:
    """Kind of a JSON value, in words."""
    return _KINDS.get(type(value), "a number")


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a draft, which takes a file's place when the block ends without an error.

    So the file holds what it held before or all that was written, whatever ends the process. A device or a pipe is
    yielded itself.

    Raises:
        InvalidArgumentError: The file cannot be written.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            yield Path(path)
            return
        target = Path(os.path.realpath(path))  # a link stays one
        draft = target.with_name(f".{uuid.uuid4().hex}{target.suffix}")
        try:
            yield draft
            if target.exists():
                shutil.copymode(target, draft)
            os.replace(draft, target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidArgumentError(
            f"{os.fspath(path)} cannot be written: {error.strerror}.",
            hint="Give a path in a folder that exists, that you may write to, on a disk with room.",
        ) from error

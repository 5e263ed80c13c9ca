"""Files: lines with their numbers, errors that name the place, and contents that are replaced whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from logical_retriever.errors import CorpusError, InvalidArgumentError

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", type(None): "null"}


def wrong(path: str | os.PathLike[str], line: int | None, problem: str, hint: str) -> CorpusError:
    """Return an error about a file, or about one line of it."""
    return CorpusError(problem, path=os.fspath(path), line=line, hint=hint)


def text_lines(path: str | os.PathLike[str], *, blank: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file, without their ends, with their numbers from 1.

    Args:
        path: The file. A byte order mark at its beginning is skipped.
        blank: Whether to yield blank lines too.

    Raises:
        CorpusError: The file cannot be read, or is not UTF-8.
    """
    try:
        with open(path, "rb") as file:
            # Only a line feed ends a line: texts may hold U+2028 and other characters at which str.splitlines cuts.
            for number, raw in enumerate(file, start=1):
                try:
                    line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    problem = f"not UTF-8 (byte {error.start + 1} of the line is {raw[error.start]:#04x})."
                    raise wrong(path, number, problem, "Save the file as UTF-8.") from error
                if blank or line.strip():
                    yield number, line.rstrip("\r\n")
    except OSError as error:
        raise wrong(path, None, f"cannot be read: {error.strerror}.", "Check the path and its permissions.") from error


def json_lines(path: str | os.PathLike[str], hint: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON Lines file with their line numbers from 1; blank lines are skipped.

    Args:
        path: The file.
        hint: What a line looks like, for errors.

    Raises:
        CorpusError: The file cannot be read, or a line is not a JSON object.
    """
    for number, line in text_lines(path):
        try:
            row = from_json(line)
        except ValueError as error:
            # The parser sees one line and counts from there.
            raise wrong(path, number, f"not JSON: {str(error).replace(' line 1', '')}.", hint) from error
        if not isinstance(row, dict):
            raise wrong(path, number, f"expected a JSON object, found {json_kind(row)}.", hint)
        yield number, row


def json_kind(value: Any) -> str:
    """Return the kind of a JSON value in words, such as "a list"."""
    return _KINDS.get(type(value), "a number")


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a draft, which replaces the file when the block ends without an error.

    Whatever ends the process, the file holds its old content or all of the new one. For a device or a pipe, yield its
    own path.

    Raises:
        InvalidArgumentError: The file cannot be written.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            yield Path(path)
            return
        target = Path(os.path.realpath(path))  # a link stays a link
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

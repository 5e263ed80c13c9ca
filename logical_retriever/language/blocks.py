"""Reads tables of words: text files of blocks, each under its name in brackets."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources


def read_blocks(package: str, name: str) -> Iterator[tuple[str, list[str]]]:
    """The blocks of a file: its name and its lines, a line that begins with spaces joined to the one before.

    Empty lines, and lines that begin with ``#``, are left out.

    Args:
        package: Whose file it is.
        name: Of the file.
    """
    folder = resources.files(package)
    title, lines = "", list[str]()
    for line in folder.joinpath(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            if title:
                yield title, lines
            title, lines = line[1:-1], []
        elif line.startswith(" ") and lines:
            lines[-1] += " " + line.strip()
        elif line.strip() and not line.startswith("#"):
            lines.append(line)
    yield title, lines

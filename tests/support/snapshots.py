"""Texts that a compiler emits, kept in files: a change shows in review, with nothing run."""

from __future__ import annotations

import os
from pathlib import Path

REWRITE = "REWRITE_SNAPSHOTS"
"""Environment variable: where it is set to anything, files are written instead of compared."""


def assert_snapshot(path: Path, text: str) -> None:
    """Compare a text with a file.

    Args:
        path: The file, made with ``REWRITE_SNAPSHOTS=1 pytest ...``.
        text: What it should hold.

    Raises:
        AssertionError: There is no such file, or it holds something else.
    """
    written = f"{text.rstrip()}\n"
    if os.environ.get(REWRITE):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written, encoding="utf-8")
    assert path.is_file(), f"There is no snapshot {path}; run with {REWRITE}=1 to write it."
    assert written == path.read_text(encoding="utf-8"), f"{path} holds something else; {REWRITE}=1 rewrites it."

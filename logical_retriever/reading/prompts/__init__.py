"""What language models are told, as text files."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def load_text(name: str) -> str:
    """Read ``NAME.txt`` of this folder, without its final newline."""
    return resources.files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")

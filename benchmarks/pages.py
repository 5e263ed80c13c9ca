"""Tables that a script writes into a page, between two comments that say its name."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def put(text: str, name: str, made: str) -> str:
    """Put ``made`` between ``<!-- name:begin -->`` and ``<!-- name:end -->`` in the text of a page.

    Raises:
        ValueError: The page has no such comments.
    """
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"There is no {begin} before a {end}.")
    return f"{before}{begin}\n\n{made}\n\n{end}{after}"


def taken(text: str, name: str) -> str:
    """Return the text between these two comments."""
    return text.partition(f"<!-- {name}:begin -->")[2].partition(f"<!-- {name}:end -->")[0].strip()


def write(path: Path, **made: str) -> None:
    """Write what was made into a page, by the name of the place."""
    text = path.read_text(encoding="utf-8")
    for name, table in made.items():
        text = put(text, name, table)
    path.write_text(text, encoding="utf-8")

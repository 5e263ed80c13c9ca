"""The page: HTML, style and scripts in one file that loads nothing from other hosts."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import Final

SCRIPTS: Final = ("dom", "query", "state", "blocks", "results", "remote", "main")
"""The scripts; each uses names of those before it."""


def page() -> tuple[str, str]:
    """Return the page, and a content security policy that lets nothing else run."""
    style = _part("style.css")
    script = "\n".join(f"// {name}.js\n{_part(f'{name}.js')}" for name in SCRIPTS)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; connect-src 'self'; img-src data:; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    html = _part("page.html")
    for mark, part in (("style", style), ("script", script), ("policy", policy)):
        html = html.replace(f"@{mark}@", part)
    return html, f"{policy}; frame-ancestors 'none'"


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"

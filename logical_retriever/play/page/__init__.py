"""The page: HTML, style and scripts as files, put together into one that asks nothing of anybody else."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

SCRIPTS: Final = (
    *("dom", "query", "state", "blocks", "results", "remote"),
    *("words", "calibrated", "local", "main"),
)
"""Scripts, in the order in which they use one another's names."""


def page(data: Mapping[str, Any]) -> tuple[str, str]:
    """The page as one file, and the content security policy that lets it run and nothing else.

    Args:
        data: For the page's script: what is asked, or everything that answers.
    """
    style = _part("style.css")
    script = "\n".join(f"// {name}.js\n{_part(f'{name}.js')}" for name in SCRIPTS)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; connect-src 'self'; img-src data:; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    # In a script element only "</script" and "<!--" would be read as markup.
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    html = _part("page.html")
    for mark, part in (("style", style), ("script", script), ("policy", policy), ("data", text)):
        html = html.replace(f"@{mark}@", part)
    return html, f"{policy}; frame-ancestors 'none'"


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"

"""The README's code runs as printed, with the real encoder, and prints what it says."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def without_ids(text):
    return re.sub(r"id: \S+; relevance: [\d.]+", "id: ...; relevance: ...", text)


def test_every_snippet_prints_what_stands_below_it(tmp_path, minilm, capsys):
    names = {"embeddings": minilm, "folder": str(tmp_path / "chroma")}
    assert len(BLOCKS) == README.count("```python") == 8
    for block, output in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
        assert without_ids(capsys.readouterr().out) == without_ids(output)

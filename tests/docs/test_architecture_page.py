"""docs/architecture.md names the files of a question's path, each once, and folders that exist."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORE = ROOT / "logical_retriever"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_file_of_the_path_exists_and_is_named_once():
    named = Counter(re.findall(r"^\| `([\w/]+\.py)` \|", PAGE, re.MULTILINE))
    assert len(named) >= 8
    assert [name for name, times in named.items() if times > 1] == []
    assert [name for name in named if not (CORE / name).is_file()] == []


def test_every_folder_that_it_names_exists():
    for path in re.findall(r"`(\w+)/`", PAGE):
        assert (CORE / path).is_dir(), path
    for path in re.findall(r"`(tests/[\w/.]+)`", PAGE):
        assert (ROOT / path).is_file(), path

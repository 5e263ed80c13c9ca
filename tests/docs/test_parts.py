"""Stores and dialects that the docs write, file by file: each passes the shipped suite in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parents[2]
FILE = re.compile(r"^New file `([^`]+)`:\n\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = {
    str(path.relative_to(ROOT)): dict(files)
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if (files := FILE.findall(path.read_text(encoding="utf-8")))
}


def test_there_is_a_store():
    assert "docs/stores.md" in PAGES


@pytest.mark.parametrize("page", PAGES)
def test_the_files_of_a_page_pass_their_suite_in_an_empty_folder(page, tmp_path):
    for name, text in PAGES[page].items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    [suite] = tmp_path.glob("test_*.py")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", suite.name]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stdout[-3000:]

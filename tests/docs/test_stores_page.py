"""docs/stores.md: the store that it writes passes the shipped suite in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "stores.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^New file `([^`]+)`:\n\n```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))


def test_the_store_of_the_page_passes_the_suite(tmp_path):
    assert sorted(FILES) == ["sqlite_store.py", "test_sqlite_store.py"]
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_sqlite_store.py"]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stdout[-3000:]

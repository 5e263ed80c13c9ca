"""The packages as they are: the README's table has every store, and none is imported before it is needed."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = ["torch", "pytest", "openai", "chromadb", "qdrant_client", "langchain_chroma", "langchain_community"]


def test_the_readmes_table_has_every_store(framework):
    readme = (ROOT / "integrations" / framework.folder / "README.md").read_text(encoding="utf-8")
    for name in import_module(f"{framework.package.__name__}.stores").known_stores():
        assert f"`{name.rpartition('.')[2]}`" in readme


def test_no_store_package_is_imported_before_it_is_needed(framework):
    code = f"import sys, {framework.package.__name__}\nprint(sorted({{*{HEAVY!r}}} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"

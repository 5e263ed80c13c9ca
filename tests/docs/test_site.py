"""The site is built offline without a warning, asks nothing of other hosts, and documents every public name."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
griffe = pytest.importorskip("griffe", reason="the reference is made with it: pip install 'logical-retriever[docs]'")
pytest.importorskip("mkdocs", reason="the site is built with it: pip install 'logical-retriever[docs]'")

pytestmark = pytest.mark.docs


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-3000:]
    return folder


@pytest.fixture(scope="module")
def hook():
    spec = importlib.util.spec_from_file_location("pages_hook", ROOT / "docs" / "hooks" / "pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_there_and_asks_nothing_of_other_hosts(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=\"?(https?:[^\" >]+)", text)
        assert loaded == [], page


def test_models_are_told_what_pages_there_are(site):
    told = (site / "llms.txt").read_text(encoding="utf-8")
    assert told.startswith("# logical-retriever")
    for path in re.findall(r"\]\(([^)]+)\.md\)", told):
        page = site / "index.html" if path == "index" else site / path / "index.html"
        assert page.is_file(), path


def test_the_list_of_public_names_is_that_of_the_code(hook):
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    parts = [part.partition("`\n") for part in page.split("## `")[1:]]
    listed = {module: re.findall(r"`(\w+)`", names) for module, _, names in parts}
    assert listed == {module: hook.own_names(module) for module in hook.ROOMS.values()}


def test_every_public_name_has_a_docstring(hook):
    loader = griffe.GriffeLoader(search_paths=[str(path) for path in hook.SOURCES])
    bare = []
    for module in hook.ROOMS.values():
        loaded = loader.load(module)
        loader.resolve_aliases(external=False)
        for name in hook.public_names(module):
            member = loaded[name]
            if member.is_module or name == "__version__":
                continue
            if not member.has_docstring:
                bare.append(f"{module}.{name}")
    assert not bare, "\n".join(bare)

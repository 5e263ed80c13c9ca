"""Every Python block of the docs runs, page by page, and prints what the page says; every link leads somewhere.

A page's blocks run in order in one namespace. What stands in a comment ``<!-- before: ... -->`` runs with them and is
not shown; ``<!-- not run: reason -->`` above a block says why it does not. Stores and dialects that a page writes, file
by file, pass the shipped suite.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
BLOCK = re.compile(
    r"(?P<skipped><!-- not run: [^>]+ -->\n+)?"
    r"(?P<file>^New file `[^`]+`:\n\n)?"
    r"^```python\n(?P<code>.*?)^```(?:\n+^```text\n(?P<shown>.*?)^```)?",
    re.MULTILINE | re.DOTALL,
)


def blocks(page):
    return list(BLOCK.finditer((DOCS / page).read_text(encoding="utf-8")))


def write(block, folder):
    """Write a block that is a file."""
    (folder / re.findall("`(.*)`", block["file"])[0]).write_text(block["code"], encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)])
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    namespace = {"__name__": "page"}
    for block in blocks(page):
        if block["skipped"]:
            continue
        if block["file"]:
            write(block, tmp_path)
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block["code"], page, "exec"), namespace)
        if block["shown"]:
            assert printed.getvalue().strip() == block["shown"].strip()


WITH_FILES = [page for page in PAGES if any(block["file"] for block in blocks(page))]


@pytest.mark.parametrize("page", WITH_FILES)
def test_the_files_of_a_page_pass_their_suite_in_an_empty_folder(page, tmp_path):
    for block in blocks(page):
        if block["file"]:
            write(block, tmp_path)
    [suite] = tmp_path.glob("test_*.py")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", suite.name]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stdout[-3000:]


def test_the_docs_stay_small_and_write_a_store():
    assert "stores.md" in WITH_FILES
    words = [word for page in PAGES for word in re.findall(r"\S*\w\S*", (DOCS / page).read_text(encoding="utf-8"))]
    assert len(PAGES) <= 19
    assert len(words) <= 15_000


def slug(heading):
    """The anchor of a heading, as Markdown renderers make it."""
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower())


@pytest.mark.parametrize("page", [*PAGES, "../README.md"])
def test_the_links_of_a_page_lead_somewhere_and_the_scripts_exist_that_it_names(page):
    path = DOCS / page
    whole = path.read_text(encoding="utf-8")
    assert [one for one in re.findall(r"\b(benchmarks/\w+\.py)", whole) if not (ROOT / one).is_file()] == []
    text = re.sub(r"^```.*?^```", "", whole, flags=re.MULTILINE | re.DOTALL)
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", text):
        linked = path.parent / target if target else path
        if "api/" in target:  # made when the site is built, which fails for a broken link
            continue
        assert linked.exists(), target
        if anchor and linked.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert anchor in {slug(heading) for heading in headings}, f"{target}#{anchor}"

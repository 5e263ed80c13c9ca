"""Sdists and wheels of the three distributions: what is in them, and that the wheels work on their own.

``make dist`` installs them in an empty environment as well, with all that they ask for.
"""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECTS = {".": "logical_retriever", "integrations/langchain": "langchain_logical_retriever"}
PROJECTS["integrations/llama_index"] = "llama_index/retrievers/logical"
USE = """
import json, sys
import langchain_logical_retriever, llama_index.retrievers.logical, logical_retriever
from logical_retriever.demo import load_passages
from logical_retriever.testing import HashingEmbedder
retriever = logical_retriever.LogicalRetriever.from_texts(["tea", "coffee"], HashingEmbedder())
found = retriever.retrieve("tea, but not coffee")
places = [langchain_logical_retriever.__file__, llama_index.retrievers.logical.__file__, logical_retriever.__file__]
print(json.dumps([places, len(load_passages()), [document.text for document in found]]))
"""


slow = pytest.mark.slow  # three builds


def test_one_version_is_named_everywhere():
    places = {"CITATION.cff": r"^version: (\S+)$"}
    for project, package in PROJECTS.items():
        places |= {f"{project}/pyproject.toml": r'^version = "(.+)"$', f"{project}/CHANGELOG.md": r"^## (\d\S+)"}
        places[f"{project}/{package}/__init__.py"] = r'^__version__ = "(.+)"$'
    found = {name: re.search(told, (ROOT / name).read_text(encoding="utf-8"), re.M) for name, told in places.items()}
    versions = {name: match and match[1] for name, match in found.items()}
    assert len(set(versions.values())) == 1, versions
    major, minor, _ = versions["CITATION.cff"].split(".")
    for project in list(PROJECTS)[1:]:
        needed = f'"logical-retriever>={major}.{minor},<{major}.{int(minor) + 1}"'
        assert needed in (ROOT / project / "pyproject.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    pytest.importorskip("build", reason="python -m build makes the distributions")
    pytest.importorskip("hatchling", reason="the build backend of the distributions")
    folder = tmp_path_factory.mktemp("dist")
    for project in PROJECTS:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT / project)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr[-3000:]
    return folder


@slow
def test_wheels_have_every_file_of_their_package_and_say_that_it_is_typed(dist):
    wheels = sorted(dist.glob("*.whl"))
    assert len(wheels) == 3
    held = {name for wheel in wheels for name in zipfile.ZipFile(wheel).namelist()}
    for project, package in PROJECTS.items():
        files = (path for path in (ROOT / project / package).rglob("*") if path.is_file())
        own = {str(path.relative_to(ROOT / project)) for path in files if "__pycache__" not in path.parts}
        assert f"{package}/py.typed" in own
        assert own <= held, sorted(own - held)[:5]


@slow
def test_sdists_have_licence_readme_and_changelog(dist):
    sdists = sorted(dist.glob("*.tar.gz"))
    assert len(sdists) == 3
    for sdist in sdists:
        with tarfile.open(sdist) as archive:
            held = {name.partition("/")[2] for name in archive.getnames()}
        assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} <= held


@slow
def test_wheels_work_without_the_project(dist, tmp_path):
    site = tmp_path / "site"
    for wheel in dist.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(site)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count(str(site)) == 3
    assert done.stdout.rstrip().endswith('200, ["tea"]]')

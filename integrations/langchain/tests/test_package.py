"""What the distribution promises about itself."""

import inspect
import sys
from pathlib import Path

import pytest

import langchain_logical_retriever

if sys.version_info >= (3, 11):
    import tomllib

FOLDER = Path(__file__).parents[1]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is part of Python from 3.11")
def test_the_version_is_in_the_changelog():
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == langchain_logical_retriever.__version__
    assert f"## {project['version']}" in (FOLDER / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["LogicalCompressor", "LogicalRetriever", "LogicalQueryTransformer"])
@pytest.mark.parametrize("section", ["Setup:", "Instantiate:", "Usage:", "Use within a chain:"])
def test_docstrings_have_langchains_sections(name, section):
    assert section in inspect.getdoc(getattr(langchain_logical_retriever, name))

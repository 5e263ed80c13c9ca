"""What the distribution promises about itself."""

import inspect

import pytest

import langchain_logical_retriever


@pytest.mark.parametrize("name", ["LogicalCompressor", "LogicalRetriever", "LogicalQueryTransformer"])
@pytest.mark.parametrize("section", ["Setup:", "Instantiate:", "Usage:", "Use within a chain:"])
def test_docstrings_have_langchains_sections(name, section):
    assert section in inspect.getdoc(getattr(langchain_logical_retriever, name))

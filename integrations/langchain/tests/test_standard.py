"""LangChain's own tests of retrievers, and the sections that it wants in docstrings."""

import inspect

import pytest
from langchain_tests.integration_tests import RetrieversIntegrationTests
from vitamin_texts import QUESTION

from langchain_logical_retriever import LogicalCompressor, LogicalQueryTransformer, LogicalRetriever


class TestRetriever(RetrieversIntegrationTests):
    retriever_constructor, retriever_constructor_params, retriever_query_example = LogicalRetriever, None, QUESTION

    @pytest.fixture(autouse=True)
    def store(self, in_memory):
        self.retriever_constructor_params = {"vectorstore": in_memory}


@pytest.mark.parametrize("kind", [LogicalCompressor, LogicalRetriever, LogicalQueryTransformer])
@pytest.mark.parametrize("section", ["Setup:", "Instantiate:", "Usage:", "Use within a chain:"])
def test_docstrings_have_langchains_sections(kind, section):
    assert section in inspect.getdoc(kind)

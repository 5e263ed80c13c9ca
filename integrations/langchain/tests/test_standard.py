"""LangChain's own tests of retrievers."""

import pytest
from langchain_tests.integration_tests import RetrieversIntegrationTests
from vitamin_texts import QUESTION

from langchain_logical_retriever import LogicalRetriever


class TestRetriever(RetrieversIntegrationTests):
    retriever_constructor, retriever_constructor_params, retriever_query_example = LogicalRetriever, None, QUESTION

    @pytest.fixture(autouse=True)
    def store(self, in_memory):
        self.retriever_constructor_params = {"vectorstore": in_memory}

"""LangChain's own tests of retrievers."""

import pytest
from langchain_tests.integration_tests import RetrieversIntegrationTests
from vitamin_texts import QUESTION

from langchain_logical_retriever import LogicalRetriever


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def store(self, in_memory):
        self.params = {"vectorstore": in_memory}

    @property
    def retriever_constructor(self):
        return LogicalRetriever

    @property
    def retriever_constructor_params(self):
        return self.params

    @property
    def retriever_query_example(self):
        return QUESTION

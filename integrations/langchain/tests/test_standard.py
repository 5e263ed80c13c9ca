"""LangChain's own tests of retrievers, over an in-memory store and a Chroma collection on disk."""

import pytest
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests
from vitamin_texts import QUESTION

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever


class _Standard(RetrieversIntegrationTests):
    @property
    def retriever_constructor(self):
        return LogicalRetriever

    @property
    def retriever_constructor_params(self):
        return self.params

    @property
    def retriever_query_example(self):
        return QUESTION


class TestInMemoryWithoutModel(_Standard):
    @pytest.fixture(autouse=True)
    def store(self, in_memory):
        assert isinstance(in_memory, InMemoryVectorStore)
        self.params = {"vectorstore": in_memory}


class TestPersistentChromaWithChatModel(_Standard):
    @pytest.fixture(autouse=True)
    def store(self, make_chroma, documents, model):
        llm = model('"vitamin D benefits" AND NOT "bone health"')
        self.params = {"vectorstore": make_chroma(documents), "transformer": LogicalQueryTransformer(llm=llm)}

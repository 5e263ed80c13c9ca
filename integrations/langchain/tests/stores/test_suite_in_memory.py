"""LangChain's ``InMemoryVectorStore`` passes the conformance suite."""

from types import MappingProxyType

import pytest
from changing import ChangingVectorStore
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_logical_retriever.stores import as_store
from logical_retriever.testing.samples import KEYS
from logical_retriever.testing.store_suite import StoreSuite


class TestInMemory(ChangingVectorStore, StoreSuite):
    ids = MappingProxyType({"text": KEYS["text"][1:]})  # an empty id is replaced

    @pytest.fixture
    def make_store(self, given_embeddings, fill):
        def make(documents, vectors):
            return as_store(fill(InMemoryVectorStore(given_embeddings(documents, vectors)), documents))

        return make

    def equals(self, key, value):
        return lambda document: document.metadata.get(key) == value

"""The reference store passes the suite that strangers' stores pass."""

import pytest

from logical_retriever.stores import InMemoryStore
from logical_retriever.testing.store_suite import StoreSuite


class TestInMemoryStore(StoreSuite):
    @pytest.fixture
    def make_store(self):
        return InMemoryStore

    def delete(self, store, ids):
        store.delete(ids)

    def equals(self, key, value):
        return lambda document: document.metadata[key] == value

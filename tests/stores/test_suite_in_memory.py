"""The reference store passes the suite that strangers' stores pass."""

from types import MappingProxyType

import pytest

from logical_retriever.stores import InMemoryStore
from logical_retriever.testing.condition_suite import FIELDS
from logical_retriever.testing.identity_suite import BYTES, FLOATS, MIXED, TEXTS, WHOLE_64
from logical_retriever.testing.store_suite import StoreSuite


class TestInMemoryStore(StoreSuite):
    ids = MappingProxyType({"text": TEXTS, "whole": WHOLE_64, "float": FLOATS, "bytes": BYTES, "mixed": MIXED})
    fields = FIELDS

    @pytest.fixture
    def make_store(self):
        return InMemoryStore

    def delete(self, store, ids):
        store.delete(ids)

    def equals(self, key, value):
        return lambda document: document.metadata[key] == value

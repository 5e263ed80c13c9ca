"""The reference store passes the suite that strangers' stores pass."""

from types import MappingProxyType

import pytest
from languages import LanguageSuite

from logical_retriever.stores import InMemoryStore
from logical_retriever.testing.samples import FIELDS
from logical_retriever.testing.store_suite import StoreSuite


class TestInMemoryStore(StoreSuite, LanguageSuite):
    ids = MappingProxyType(
        {
            "text": "text",
            "whole": "int64",
            "float": "float",
            "bytes": "bytes",
            "mixed": "mixed",
        }
    )
    fields = FIELDS

    @pytest.fixture
    def make_store(self):
        return InMemoryStore

    def delete(self, store, ids):
        store.delete(ids)

    def change(self, store, document, vector):
        store.delete([document.id])
        store.add([document], [vector])

    def equals(self, key, value):
        return lambda document: document.metadata[key] == value

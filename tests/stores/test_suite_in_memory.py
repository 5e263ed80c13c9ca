"""The reference store passes the suite that strangers' stores pass."""

from types import MappingProxyType

import pytest
from changing import ChangingInMemory
from languages import LanguageSuite

from logical_retriever.stores import InMemoryStore
from logical_retriever.testing.samples import FIELDS
from logical_retriever.testing.store_suite import StoreSuite


class TestInMemoryStore(ChangingInMemory, StoreSuite, LanguageSuite):
    ids = MappingProxyType({"text": "text", "whole": "int64", "float": "float", "bytes": "bytes", "mixed": "mixed"})
    fields = FIELDS

    @pytest.fixture
    def make_store(self):
        return InMemoryStore

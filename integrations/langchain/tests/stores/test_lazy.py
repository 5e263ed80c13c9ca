"""Adapters are found by the names of classes."""

import pytest

from langchain_logical_retriever.stores import known_stores


@pytest.mark.parametrize("name", known_stores())
def test_every_name_has_an_adapter_that_can_be_loaded(name):
    from langchain_logical_retriever.stores.registry import ADAPTERS

    module, _, own = name.rpartition(".")
    assert callable(ADAPTERS.factory(type(own, (), {"__module__": module})))

"""Adapters are found by class name: a framework's own, those that users register, those that other packages add."""

import pytest

from logical_retriever import InMemoryStore
from logical_retriever.adapters import AdapterRegistry, StoredDocument, qualified_name
from logical_retriever.errors import InvalidArgumentError


class Base:
    """A class of vector stores."""


class Derived(Base):
    """Its subclass."""


class Unknown:
    """A class that nobody has heard of."""


def make(wrapped):
    return InMemoryStore([StoredDocument(type(wrapped).__name__, "tea")], [[1.0]])


def test_a_class_is_found_through_its_bases():
    registry = AdapterRegistry({qualified_name(Base): make})
    assert registry.factory(Derived) is make
    assert registry.factory(Unknown) is None
    other = AdapterRegistry({})
    other.register(Derived, make)
    assert (other.factory(Derived), other.factory(Base)) == (make, None)


def test_a_text_is_imported_when_its_class_is_met():
    registry = AdapterRegistry({qualified_name(Base): "collections:OrderedDict", "no.such.Class": "no.such:module"})
    assert registry.factory(Base).__name__ == "OrderedDict"
    assert "no.such.Class" in registry.names()


def test_what_cannot_be_called_is_no_factory():
    with pytest.raises(InvalidArgumentError, match="must be callable, got str"):
        AdapterRegistry({}).register(Base, "no function")

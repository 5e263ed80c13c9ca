"""Adapters are found by class name: a framework's own, those that users register, those that other packages add."""

import pytest

import logical_retriever.plugins as plugins
from logical_retriever import InMemoryStore
from logical_retriever.errors import InvalidArgumentError, PluginError
from logical_retriever.integration import AdapterRegistry, StoredDocument, qualified_name


class Base:
    """A class of vector stores."""


class Derived(Base):
    """Its subclass."""


class Unknown:
    """A class that nobody has heard of."""


def make(wrapped):
    return InMemoryStore([StoredDocument(type(wrapped).__name__, "tea")], [[1.0]])


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A package, as an installer would leave it, that adds entry points for stores."""

    def install(package, entries, source=""):
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
        (info / "entry_points.txt").write_text(f"[logical_retriever.stores]\n{lines}")
        (tmp_path / f"{package}.py").write_text(source)
        plugins._found.cache_clear()

    monkeypatch.syspath_prepend(tmp_path)
    yield install
    plugins._found.cache_clear()


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


def test_an_installed_package_adds_a_store_for_a_class(install):
    install(
        "adds_a_store",
        {qualified_name(Unknown): "adds_a_store:adapt"},
        "from logical_retriever import InMemoryStore, StoredDocument\n"
        "def adapt(wrapped):\n    return InMemoryStore([StoredDocument('theirs', 'tea')], [[1.0]])\n",
    )
    registry = AdapterRegistry({qualified_name(Base): make})
    assert registry.names() == (qualified_name(Base), qualified_name(Unknown))
    assert registry.factory(Unknown)(Unknown()).fetch(["theirs"]).ids == ("theirs",)
    registry.register(Unknown, make)
    assert registry.factory(Unknown) is make


def test_a_package_that_cannot_be_imported_is_named_and_the_rest_works(install):
    install("breaks", {qualified_name(Unknown): "breaks:adapt"}, "import no_such_module\n")
    registry = AdapterRegistry({qualified_name(Base): make})
    assert registry.factory(Derived) is make
    assert qualified_name(Unknown) in registry.names()
    with pytest.raises(PluginError, match=r"Unknown.*which breaks adds.*no_such_module") as caught:
        registry.factory(Unknown)
    assert "uninstall breaks" in caught.value.hint


def test_a_package_that_adds_no_factory_is_named(install):
    install("adds_a_number", {qualified_name(Unknown): "adds_a_number:N"}, "N = 5\n")
    with pytest.raises(PluginError, match=r"adds for .*Unknown to logical_retriever.stores is int, no factory"):
        AdapterRegistry({}).factory(Unknown)

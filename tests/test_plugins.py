"""Packages that add names by entry points, on disk as pip leaves them, seen from a process of its own."""

import pytest
from packages import run_with, write_package

from logical_retriever.plugins import load_plugin, plugin_names

SEMANTICS = "logical_retriever.semantics"
REPORT = """
from logical_retriever.errors import PluginError
from logical_retriever.plugins import load_plugin, plugin_names
print(plugin_names("logical_retriever.semantics"))
for name in plugin_names("logical_retriever.semantics"):
    try:
        print(name, load_plugin("logical_retriever.semantics", name))
    except PluginError as error:
        print(name, error.message, error.hint)
"""


def report(site):
    names, *lines = run_with(site, REPORT).splitlines()
    return names, dict(line.split(" ", 1) for line in lines)


def test_no_package_adds_anything_here():
    assert plugin_names(SEMANTICS) == ()
    assert load_plugin(SEMANTICS, "mine") is None


def test_names_are_sorted_and_loaded_from_any_number_of_packages(tmp_path):
    write_package(tmp_path, "pack-one", "x, y = 'first', 'second'", {SEMANTICS: {"b": "pack_one:x", "c": "pack_one:y"}})
    write_package(tmp_path, "pack-two", "x = 'third'", {SEMANTICS: {"a": "pack_two:x"}, "another.group": {"d": "e:f"}})
    names, found = report(tmp_path)
    assert names == "('a', 'b', 'c')"
    assert found == {"a": "third", "b": "first", "c": "second"}


def test_listing_the_names_imports_no_package(tmp_path):
    write_package(tmp_path, "loud", "print('imported')", {SEMANTICS: {"a": "loud:x"}})
    code = "from logical_retriever.plugins import plugin_names; print(plugin_names('logical_retriever.semantics'))"
    assert run_with(tmp_path, code) == "('a',)\n"


@pytest.mark.parametrize(
    ("source", "value", "said"),
    [
        ("import no_such_package", "broken:x", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("", "broken:missing", "AttributeError: module 'broken' has no attribute 'missing'"),
        ("", "broken_elsewhere:x", "ModuleNotFoundError: No module named 'broken_elsewhere'"),
        ("x = (", "broken:x", "SyntaxError: '(' was never closed"),
        ("raise RuntimeError('no licence')", "broken:x", "RuntimeError: no licence"),
    ],
)
def test_a_package_that_cannot_be_imported_is_named_and_the_rest_works(tmp_path, source, value, said):
    write_package(tmp_path, "broken", source, {SEMANTICS: {"bad": value}})
    write_package(tmp_path, "sound", "x = 'works'", {SEMANTICS: {"good": "sound:x"}})
    names, found = report(tmp_path)
    assert names == "('bad', 'good')"
    assert found["good"] == "works"
    assert f"'bad' of {SEMANTICS}, which broken adds as {value}, cannot be imported: {said}" in found["bad"]
    assert "Repair or uninstall broken; everything else works without it." in found["bad"]


def test_one_name_of_two_packages_is_refused_and_both_are_named(tmp_path):
    write_package(tmp_path, "left", "x = 1", {SEMANTICS: {"same": "left:x", "own": "left:x"}})
    write_package(tmp_path, "right", "x = 2", {SEMANTICS: {"same": "right:x"}})
    _, found = report(tmp_path)
    assert f"Several packages add 'same' to {SEMANTICS}: left, right. Uninstall all of them but one." == found["same"]
    assert found["own"] == "1"


def test_a_package_that_is_on_the_path_twice_is_one(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_package(tmp_path / folder, "twice", "x = 1", {SEMANTICS: {"a": "twice:x"}})
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'two')!r})\n{REPORT}"
    assert run_with(tmp_path / "one", code) == "('a',)\na 1\n"

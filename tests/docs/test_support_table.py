"""The tables of stores are what the capability records say, and name every adapter there is."""

import importlib
from pathlib import Path

import pytest

from langchain_logical_retriever.stores import known_stores as langchain_stores
from llama_index.retrievers.logical.stores import known_stores as llama_index_stores

ROOT = Path(__file__).parents[2]
OTHER = "llama_index.core.vector_stores.types.BasePydanticVectorStore"
SAME = {"langchain_elasticsearch._sync.vectorstores.ElasticsearchStore"}  # its base class, which has no row of its own


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("support_table")


def test_the_pages_have_the_tables_of_the_records(script):
    from pages import README, taken

    page = script.PAGE.read_text(encoding="utf-8")
    readme = README.read_text(encoding="utf-8")
    shown = taken(page, "stores"), taken(page, "engines"), taken(page, "nodes"), taken(readme, "stores")
    assert shown == (script.table(), script.engines(), script.nodes(), script.families()), (
        "run: python benchmarks/support_table.py --write"
    )


def test_every_adapter_has_a_row(script):
    assert {wrapper for wrapper, _, _ in script.LANGCHAIN} == set(langchain_stores()) - SAME
    assert {wrapper for wrapper, _, _ in script.LLAMA_INDEX} == {*llama_index_stores(), OTHER}


def test_every_engine_that_is_told_a_query_has_a_row(script):
    from logical_retriever.compile.registry import COMPILERS

    assert {engine.name for engine in script.scoring()} == {*COMPILERS} - {"NumPy on Spark"}


def test_what_is_said_of_several_nodes_is_shown_by_a_test(script):
    shown = [cell.test for engine in script.scoring() for cell in (engine.nodes, engine.missing) if cell.test]
    assert shown
    for test in shown:
        path, _, name = test.partition("::")
        assert f"\ndef {name}(" in (ROOT / path).read_text(encoding="utf-8"), test


def test_what_is_not_verified_live_says_so(script):
    unverified = [line for line in script.table().splitlines() if "not verified live" in line]
    assert len(unverified) == 6

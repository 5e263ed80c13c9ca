"""The README's table of stores is what the capability records say, and names every adapter there is."""

import importlib.util
from pathlib import Path

from langchain_logical_retriever.stores import known_stores as langchain_stores
from llama_index.retrievers.logical.stores import known_stores as llama_index_stores

ROOT = Path(__file__).parents[2]
OTHER = "llama_index.core.vector_stores.types.BasePydanticVectorStore"
SAME = {"langchain_elasticsearch._sync.vectorstores.ElasticsearchStore"}  # its base class, which has no row of its own


def script():
    spec = importlib.util.spec_from_file_location("support_table", ROOT / "benchmarks" / "support_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_has_the_table_of_the_records():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert script().written(readme) == readme, "run: python benchmarks/support_table.py --write"


def test_every_adapter_has_a_row():
    assert {wrapper for wrapper, _, _ in script().LANGCHAIN} == set(langchain_stores()) - SAME
    assert {wrapper for wrapper, _, _ in script().LLAMA_INDEX} == {*llama_index_stores(), OTHER}


def test_what_is_not_verified_live_says_so():
    unverified = [line for line in script().table().splitlines() if "not verified live" in line]
    assert len(unverified) == 4

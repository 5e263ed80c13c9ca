"""Adapters are found by the names of classes; no store's package is loaded before one of its stores is used."""

import subprocess
import sys

import pytest

from langchain_logical_retriever.stores import known_stores

PACKAGES = (
    "faiss",
    "qdrant_client",
    "langchain_qdrant",
    "sqlalchemy",
    "pgvector",
    "langchain_postgres",
    "pymilvus",
    "langchain_milvus",
    "lancedb",
    "langchain_community",
    "elasticsearch",
    "opensearchpy",
    "chromadb",
)


def test_no_adapter_loads_its_package_with_itself():
    code = (
        "import sys, pkgutil, importlib, langchain_logical_retriever.stores as stores\n"
        "for module in pkgutil.iter_modules(stores.__path__):\n"
        "    importlib.import_module(f'{stores.__name__}.{module.name}')\n"
        f"print(sorted(set({PACKAGES!r}) & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"


@pytest.mark.parametrize("name", known_stores())
def test_every_name_has_an_adapter_that_can_be_loaded(name):
    from langchain_logical_retriever.stores.registry import ADAPTERS

    module, _, own = name.rpartition(".")
    assert callable(ADAPTERS.factory(type(own, (), {"__module__": module})))

"""The package as it is installed."""

from pathlib import Path

import pytest

import llama_index
import llama_index.retrievers
import llama_index.retrievers.logical as package


def test_it_lies_in_shared_namespaces():
    assert getattr(llama_index, "__file__", None) is None
    assert getattr(llama_index.retrievers, "__file__", None) is None
    root = Path(package.__file__).parents[2]
    assert not (root / "__init__.py").exists()
    assert not (root / "retrievers" / "__init__.py").exists()


@pytest.mark.parametrize("module", ["llama_index.core.retrievers", "llama_index.vector_stores.chroma"])
def test_the_rest_of_llama_index_is_still_there(module):
    __import__(module)

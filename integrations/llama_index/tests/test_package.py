"""The package as it is installed."""

from pathlib import Path

import llama_index
import llama_index.retrievers
import llama_index.retrievers.logical as package


def test_it_lies_in_shared_namespaces():
    assert getattr(llama_index, "__file__", None) is None
    assert getattr(llama_index.retrievers, "__file__", None) is None
    root = Path(package.__file__).parents[2]
    assert not (root / "__init__.py").exists()
    assert not (root / "retrievers" / "__init__.py").exists()

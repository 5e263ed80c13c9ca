"""The package as it is installed."""

from importlib.resources import files
from pathlib import Path

import pytest

import llama_index
import llama_index.retrievers
import llama_index.retrievers.logical as package

NAMES = [
    "ChatVerifier",
    "LlamaIndexChatModel",
    "LlamaIndexEmbedder",
    "LogicalPostprocessor",
    "LogicalQueryBundle",
    "LogicalQueryEvent",
    "LogicalQueryTransformer",
    "LogicalRetriever",
    "QuestionReader",
    "create_logical_search_tool",
    "register_adapter",
]


def test_public_names():
    assert sorted(package.__all__) == NAMES
    for name in NAMES:
        assert getattr(package, name).__doc__, name


def test_it_is_typed_and_lies_in_shared_namespaces():
    assert files(package).joinpath("py.typed").is_file()
    assert getattr(llama_index, "__file__", None) is None
    assert getattr(llama_index.retrievers, "__file__", None) is None
    root = Path(package.__file__).parents[2]
    assert not (root / "__init__.py").exists()
    assert not (root / "retrievers" / "__init__.py").exists()


@pytest.mark.parametrize("module", ["llama_index.core.retrievers", "llama_index.vector_stores.chroma"])
def test_the_rest_of_llama_index_is_still_there(module):
    __import__(module)

"""Adapters are found by the names of classes, and refuse filters that are none."""

from pkgutil import resolve_name

import pytest

from langchain_logical_retriever.stores import known_stores
from langchain_logical_retriever.stores.registry import ADAPTERS
from logical_retriever.errors import InvalidArgumentError


@pytest.mark.parametrize("name", known_stores())
def test_every_name_has_an_adapter_that_can_be_loaded(name):
    module, _, own = name.rpartition(".")
    assert callable(ADAPTERS.factory(type(own, (), {"__module__": module})))


@pytest.mark.parametrize(
    ("adapter", "arguments", "message"),
    [
        ("chroma:ChromaAdapter", {"filter": len}, "must be a dict, got builtin_function_or_method"),
        ("chroma:ChromaAdapter", {"where_document": "tea"}, "where_document must be a dict, got str"),
        ("faiss:FAISSAdapter", {"filter": "rank < 3"}, "must be a dict or function, got str"),
        ("lancedb:LanceDBAdapter", {"filter": 3}, "must be a str or dict, got int"),
        ("milvus:MilvusAdapter", {"filter": {"year": 2000}}, "must be a str, got dict"),
        ("milvus:MilvusAdapter", {"filter": "year > 1", "expr": "year > 2"}, "given twice: as filter and as expr"),
        ("pgvector:PGVectorAdapter", {"filter": "kind = 'odd'"}, "must be a dict, got str"),
        ("pgvector:PGVectorStoreAdapter", {"filter": "kind = 'odd'"}, "must be a dict, got str"),
        ("qdrant:QdrantAdapter", {"filter": {"year": 2000}}, "must be a Filter, got dict"),
        ("qdrant:QdrantAdapter", {"where": {}}, "no search argument 'where'"),
    ],
)
def test_filters_of_the_wrong_kind_are_refused(adapter, arguments, message):
    cls = resolve_name(f"langchain_logical_retriever.stores.{adapter}")
    with pytest.raises(InvalidArgumentError, match=message) as error:
        object.__new__(cls).read_search_kwargs(arguments)
    assert error.value.hint

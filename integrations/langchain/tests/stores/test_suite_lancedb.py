"""LanceDB on disk: without an index, and with one of each metric."""

import warnings
from types import MappingProxyType

import lancedb
import numpy as np
import pyarrow as pa
import pytest
from changing import ChangingVectorStore
from lancedb.index import IvfFlat

from langchain_logical_retriever.stores import as_store
from logical_retriever.testing.samples import DIMENSION, corpus, holding
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the package says at import that it is no longer developed
    from langchain_community.vectorstores.lancedb import LanceDB

METADATA = pa.struct([("rank", pa.int64())])


@pytest.fixture(scope="module")
def connection(tmp_path_factory):
    return lancedb.connect(str(tmp_path_factory.mktemp("lance")))


@pytest.fixture
def make_table(connection, given_embeddings, fill, new_name):
    def make(documents, vectors):
        embeddings = given_embeddings(documents, vectors)
        table = LanceDB(connection=connection, embedding=embeddings, table_name=new_name(), mode="append")
        return fill(table, documents)

    return make


class TestLanceDB(ChangingVectorStore, StoreSuite):
    ids = MappingProxyType({"text": "text", "int": "int64"})
    fields = holding(lambda name, value: name != "mixed")  # a column has one type

    @pytest.fixture
    def make_store(self, make_table):
        return lambda documents, vectors: as_store(make_table(documents, vectors))

    def equals(self, key, value):
        return f"metadata.{key} = '{value}'"


@pytest.fixture
def filled(make_table):
    documents, vectors = corpus(lambda i: f"it's {i}", 300)
    return make_table(documents, vectors), vectors


@pytest.mark.parametrize("metric", ["l2", "cosine", "dot"])
def test_an_index_orders_by_its_own_metric(filled, metric):
    vectorstore, vectors = filled
    store = as_store(vectorstore)
    assert store.capabilities.exact_search
    vectorstore.get_table().create_index("vector", config=IvfFlat(distance_type=metric, num_partitions=2))
    assert not store.capabilities.exact_search
    found = store.search(vectors[:1], 5)[0][0]
    assert len(found) == 5
    assert store.fetch(found).ids == tuple(found)


def test_rows_without_a_vector_are_left_out(connection, given_embeddings, new_name):
    documents, vectors = corpus(lambda i: f"d{i}", 6)
    rows = [
        {"id": d.id, "vector": None if i == 2 else row.tolist(), "text": d.text, "metadata": {"rank": i}}
        for i, (d, row) in enumerate(zip(documents, vectors, strict=True))
    ]
    name = new_name()
    kind = pa.list_(pa.float32(), DIMENSION)
    schema = pa.schema([("id", pa.string()), ("vector", kind), ("text", pa.string()), ("metadata", METADATA)])
    connection.create_table(name, data=pa.Table.from_pylist(rows, schema=schema), on_bad_vectors="null")
    store = as_store(LanceDB(connection=connection, embedding=given_embeddings(documents, vectors), table_name=name))
    rest = [d.id for d in documents if d.id != "d2"]
    batch = store.fetch([d.id for d in documents])
    assert batch.ids == tuple(rest)
    np.testing.assert_allclose(batch.vectors, vectors[[0, 1, 3, 4, 5]])
    assert sorted(store.search(vectors[:1], 6)[0][0]) == rest
    [scanned] = store.scan()
    assert scanned.ids == tuple(rest)


@pytest.mark.parametrize(
    ("filter", "passing"), [("metadata.rank < 3", [0, 1, 2]), ({"id": "it's 2"}, [2]), ({}, range(300))]
)
def test_filters_are_sql_or_equalities(filled, filter, passing):
    vectorstore, vectors = filled
    store = as_store(vectorstore)
    condition = store.read_search_kwargs({"filter": filter})
    assert sorted(store.search(vectors[:1], 300, condition)[0][0]) == sorted(f"it's {i}" for i in passing)

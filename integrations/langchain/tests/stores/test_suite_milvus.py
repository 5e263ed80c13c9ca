"""Milvus Lite, in each metric."""

import warnings
from types import MappingProxyType

import pytest
from changing import ChangingVectorStore
from pymilvus import DataType, MilvusClient

from langchain_logical_retriever.stores import as_store
from logical_retriever.errors import UnsupportedStoreError
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import DIMENSION, FIELDS, corpus
from logical_retriever.testing.store_suite import ConditionSuite, StoreSuite

pytestmark = pytest.mark.engines

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langchain_milvus import BM25BuiltInFunction, Milvus


@pytest.fixture(scope="module")
def uri(tmp_path_factory):
    return str(tmp_path_factory.mktemp("milvus") / "lite.db")


TEXT = {"datatype": DataType.VARCHAR, "max_length": 99}
TYPES = {
    **{"year": {"datatype": DataType.INT64}, "rating": {"datatype": DataType.DOUBLE}, "language": TEXT, "note": TEXT},
    **{"animated": {"datatype": DataType.BOOL}, "select": {"datatype": DataType.INT8}},
    "genres": {"datatype": DataType.ARRAY, "element_type": DataType.VARCHAR, "max_capacity": 9, "max_length": 99},
}


def fill_collection(uri, name, documents, vectors, key, fields=None):
    """Fill a collection whose keys are the caller's, as the vector store does not; metadata are fields, or dynamic."""
    client = MilvusClient(uri)
    schema = client.create_schema(auto_id=False, enable_dynamic_field=fields is None)
    schema.add_field("pk", is_primary=True, **key)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=DIMENSION)
    schema.add_field("text", DataType.VARCHAR, max_length=1000)
    for field, kind in (fields or {}).items():
        schema.add_field(field, **kind, nullable=True)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="FLAT", metric_type="COSINE")
    client.create_collection(name, schema=schema, index_params=index)
    rows = [
        {
            **{"pk": d.id, "vector": vector.tolist(), "text": d.text},
            **(d.metadata if fields is None else {name: d.metadata.get(name) for name in fields}),
        }
        for d, vector in zip(documents, vectors, strict=True)
    ]
    client.insert(name, rows)


class MilvusLite(ChangingVectorStore):
    metric = "COSINE"
    index = "FLAT"
    id_type = "VARCHAR"

    @pytest.fixture
    def make_store(self, uri, given_embeddings, fill, new_name):
        def make(documents, vectors):
            name = new_name()
            if self.id_type == "INT64":
                fill_collection(uri, name, documents, vectors, {"datatype": DataType.INT64})
            vectorstore = Milvus(
                given_embeddings(documents, vectors),
                collection_name=name,
                connection_args={"uri": uri},
                index_params={"index_type": self.index, "metric_type": self.metric, "params": {}},
                auto_id=False,
                enable_dynamic_field=True,
            )
            return as_store(vectorstore if self.id_type == "INT64" else fill(vectorstore, documents))

        return make

    def equals(self, key, value):
        return f'{key} == "{value}"'


class TestMilvusLite(MilvusLite, StoreSuite):
    ids = MappingProxyType({"VARCHAR": "text", "INT64": "int64"})

    @pytest.mark.xfail(reason="its texts have 65,535 bytes at most", strict=True)
    def test_texts_of_odd_lengths_are_found_by_their_words(self, make_store):
        super().test_texts_of_odd_lengths_are_found_by_their_words(make_store)


class TestMilvusLiteTyped(MilvusLite, ConditionSuite):
    """With fields of the schema in place of dynamic keys."""

    fields = MappingProxyType({name: FIELDS[name] for name in TYPES})

    @pytest.fixture
    def make_described(self, uri, given_embeddings, new_name):
        def make(documents, vectors):
            name = new_name()
            fill_collection(uri, name, documents, vectors, TEXT, {"kind": TEXT, **TYPES})
            embeddings = given_embeddings(documents, vectors)
            return as_store(Milvus(embeddings, collection_name=name, connection_args={"uri": uri}))

        return make


class TestMilvusLiteEuclideanHNSW(MilvusLite, RankingSuite):
    metric = "L2"
    index = "HNSW"


class TestMilvusLiteInnerProduct(MilvusLite, RankingSuite):
    metric = "IP"
    index = "AUTOINDEX"


def test_keys_given_out_by_milvus_are_numbers(uri, given_embeddings, new_name):
    documents, vectors = corpus(str, 4)
    place = {"collection_name": new_name(), "connection_args": {"uri": uri}}
    vectorstore = Milvus(given_embeddings(documents, vectors), auto_id=True, **place)
    keys = vectorstore.add_texts([d.text for d in documents])
    store = as_store(vectorstore)
    assert all(isinstance(key, int) for key in keys)
    assert store.fetch([keys[2], "no number", keys[0]]).ids == (keys[2], keys[0])
    assert store.search(vectors[1:2], 1)[0] == [[keys[1]]]
    assert store.fetch(keys[:1]).documents[0].text == "text 0"


def test_several_fields_of_vectors_are_refused(uri, given_embeddings, new_name):
    hybrid = Milvus(
        given_embeddings([], []),
        collection_name=new_name(),
        connection_args={"uri": uri},
        builtin_function=BM25BuiltInFunction(output_field_names="sparse"),
        vector_field=["dense", "sparse"],
    )
    with pytest.raises(UnsupportedStoreError, match="dense"):
        as_store(hybrid)

"""Milvus Lite, in each metric."""

import warnings
from types import MappingProxyType

import pytest
from changing import ChangingVectorStore
from pymilvus import DataType, MilvusClient

from langchain_logical_retriever.stores import as_store
from logical_retriever.errors import InvalidArgumentError, UnsupportedStoreError
from logical_retriever.testing.condition_suite import ConditionSuite
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import DIMENSION, FIELDS, corpus
from logical_retriever.testing.store_suite import StoreSuite

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langchain_milvus import BM25BuiltInFunction, Milvus


@pytest.fixture(scope="module")
def uri(tmp_path_factory):
    return str(tmp_path_factory.mktemp("milvus") / "lite.db")


def numbered(uri, name, documents, vectors):
    """Fill a collection whose keys are the caller's numbers, as the vector store itself does not."""
    client = MilvusClient(uri)
    schema = client.create_schema(auto_id=False, enable_dynamic_field=True)
    schema.add_field("pk", DataType.INT64, is_primary=True)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=DIMENSION)
    schema.add_field("text", DataType.VARCHAR, max_length=1000)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="FLAT", metric_type="COSINE")
    client.create_collection(name, schema=schema, index_params=index)
    rows = [
        {"pk": d.id, "vector": vector.tolist(), "text": d.text, **d.metadata}
        for d, vector in zip(documents, vectors, strict=True)
    ]
    client.insert(name, rows)


TYPES = MappingProxyType(
    {
        **{"year": {"datatype": DataType.INT64}, "rating": {"datatype": DataType.DOUBLE}},
        **{"language": {"datatype": DataType.VARCHAR, "max_length": 99}, "animated": {"datatype": DataType.BOOL}},
        **{"note": {"datatype": DataType.VARCHAR, "max_length": 99}, "select": {"datatype": DataType.INT8}},
        "genres": {
            **{"datatype": DataType.ARRAY, "element_type": DataType.VARCHAR, "max_capacity": 9, "max_length": 99}
        },
    }
)


def typed(uri, name, documents, vectors):
    """Fill a collection whose metadata are fields."""
    client = MilvusClient(uri)
    schema = client.create_schema(auto_id=False)
    schema.add_field("pk", DataType.VARCHAR, is_primary=True, max_length=99)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=DIMENSION)
    schema.add_field("text", DataType.VARCHAR, max_length=1000)
    schema.add_field("kind", DataType.VARCHAR, max_length=99)
    for field, kind in TYPES.items():
        schema.add_field(field, **kind, nullable=True)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="FLAT", metric_type="COSINE")
    client.create_collection(name, schema=schema, index_params=index)
    rows = [
        {"pk": d.id, "vector": v.tolist(), "text": d.text, **{key: d.metadata.get(key) for key in ("kind", *TYPES)}}
        for d, v in zip(documents, vectors, strict=True)
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
                numbered(uri, name, documents, vectors)
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

    def delete(self, store, ids):
        store.vectorstore.delete(ids=list(ids))

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
            typed(uri, name, documents, vectors)
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
    vectorstore = Milvus(
        given_embeddings(documents, vectors),
        collection_name=new_name(),
        connection_args={"uri": uri},
        auto_id=True,
    )
    keys = vectorstore.add_texts([d.text for d in documents])
    store = as_store(vectorstore)
    assert all(isinstance(key, int) for key in keys)
    assert store.fetch([keys[2], "no number", keys[0]]).ids == (keys[2], keys[0])
    assert store.search(vectors[1:2], 1)[0] == [[keys[1]]]
    assert store.fetch(keys[:1]).documents[0].text == "text 0"


def test_what_it_refuses(uri, given_embeddings, new_name):
    documents, vectors = corpus(str, 2)
    vectorstore = Milvus(
        given_embeddings(documents, vectors), collection_name=new_name(), connection_args={"uri": uri}, auto_id=True
    )
    vectorstore.add_texts([d.text for d in documents])
    store = as_store(vectorstore)
    with pytest.raises(InvalidArgumentError, match="must be a str, got dict"):
        store.read_search_kwargs({"filter": {"year": 2000}})
    with pytest.raises(InvalidArgumentError, match="given twice"):
        store.read_search_kwargs({"filter": "year > 1", "expr": "year > 2"})
    hybrid = Milvus(
        given_embeddings([], []),
        collection_name=new_name(),
        connection_args={"uri": uri},
        builtin_function=BM25BuiltInFunction(output_field_names="sparse"),
        vector_field=["dense", "sparse"],
    )
    with pytest.raises(UnsupportedStoreError, match="dense"):
        as_store(hybrid)

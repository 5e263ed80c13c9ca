"""Pinecone and Weaviate, unverified live: collections in memory that answer in the documented shapes."""

import operator
import re
import uuid
from datetime import datetime, timezone
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pytest

from langchain_logical_retriever.stores.pinecone import PineconeAdapter
from langchain_logical_retriever.stores.weaviate import WeaviateAdapter
from logical_retriever.errors import StoreCapabilityError, StoreError, UnsupportedStoreError
from logical_retriever.query import parse
from logical_retriever.testing.samples import FIELDS, JSON_FIELDS, corpus
from logical_retriever.testing.store_suite import StoreSuite

pytest.importorskip("weaviate", reason="Weaviate's client is not installed")
from weaviate.classes.query import Filter
from weaviate.collections.classes.config_methods import _collection_config_from_json
from weaviate.collections.filters import _FilterToGRPC
from weaviate.proto.v1.base_pb2 import Filters, FilterTarget


class Rows(dict):
    """Documents and vectors by id, with a search by cosine."""

    def nearest(self, vector, n, passes):
        query = np.array(vector)

        def cosine(item):
            stored = item[1][1]
            if stored.shape != query.shape:
                raise ValueError("Vector dimension does not match the dimension of the index")
            length = np.linalg.norm(stored) * np.linalg.norm(query)
            return float(stored @ query) / length if length else 0.0

        passing = [item for item in self.items() if passes(item[1][0])]
        return [id for id, _ in sorted(passing, key=cosine, reverse=True)[:n]]


def rows(documents, vectors):
    return Rows({d.id: (d, vector) for d, vector in zip(documents, vectors, strict=True)})


class PineconeIndex:
    """The calls of pinecone's ``Index`` that the adapter makes, each with exactly its arguments."""

    def __init__(self, rows, namespace):
        self.rows, self.namespace = rows, namespace

    def describe_index_stats(self):
        counted = {self.namespace or "__default__": {"vector_count": len(self.rows)}} if self.rows else {}
        return {"namespaces": counted, "dimension": 8}

    def query(self, *, vector, top_k, namespace, filter, include_values, include_metadata):
        assert (namespace, include_values, include_metadata) == (self.namespace, True, True)
        ids = self.rows.nearest(vector, top_k, lambda d: passes(d, filter))
        return {"matches": list(map(self._vector, ids)), "namespace": namespace}

    def fetch(self, *, ids, namespace):
        assert namespace == self.namespace
        assert len(ids) <= 1000
        return SimpleNamespace(vectors={id: self._vector(id) for id in ids if id in self.rows}, namespace=namespace)

    def _vector(self, id):
        document, vector = self.rows[id]
        return SimpleNamespace(id=id, values=vector.tolist(), metadata={"text": document.text, **document.metadata})


ORDERS = {"$lt": operator.lt, "$lte": operator.le, "$gt": operator.gt, "$gte": operator.ge}


def passes(document, filter):
    """As Pinecone documents its filters: a list has each of its values, and values of two types are in no order."""
    for name, test in ({} if filter is None else filter).items():
        if name in ("$and", "$or"):
            if not (all if name == "$and" else any)(passes(document, one) for one in test):
                return False
            continue
        [(asked, wanted)] = ({"$eq": test} if not isinstance(test, dict) else test).items()
        found = document.metadata.get(name)
        values = found if isinstance(found, list) else [] if found is None else [found]
        if asked in ORDERS:
            held = any(is_number(one) and ORDERS[asked](one, wanted) for one in values)
        else:
            some = wanted if asked == "$in" else [wanted]
            held = any(one == other and is_number(one) == is_number(other) for one in values for other in some)
        if not held:
            return False
    return True


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class TestPinecone(StoreSuite):
    @pytest.fixture
    def make_store(self):
        def make(documents, vectors):
            index = PineconeIndex(rows(documents, vectors), "ours")
            return PineconeAdapter(SimpleNamespace(index=index, _namespace="ours", _text_key="text"))

        return make

    def delete(self, store, ids):
        for id in ids:
            del store.vectorstore.index.rows[id]

    def equals(self, key, value):
        return {key: {"$eq": value}}


def test_pinecone_without_a_namespace():
    documents, vectors = corpus(str, 5)
    index = PineconeIndex(rows(documents, vectors), "")
    store = PineconeAdapter(SimpleNamespace(index=index, _namespace=None, _text_key="text"))
    assert store.count() == 5
    with pytest.raises(StoreCapabilityError, match="cannot be walked through"):
        list(store.scan())
    with pytest.raises(StoreCapabilityError, match="which of some documents pass"):
        store.fetch(["1"], {"kind": {"$eq": "odd"}})


WEAVIATE_TYPES = {bool: "boolean", int: "number", float: "number", str: "text", datetime: "date"}


class WeaviateCollection:
    """The calls of weaviate's ``Collection`` that the adapter makes; filters travel as the real client writes them."""

    def __init__(self, rows, said=MappingProxyType({})):
        self.rows, self.said = rows, said
        self.query = self.aggregate = self.config = self

    def get(self):
        """The schema that Weaviate makes of the documents by itself, read by the real client."""
        properties = {}
        for document, _ in self.rows.values():
            for name, value in document.metadata.items():
                if (type := weaviate_type(value)) is not None and re.fullmatch("[_a-z][_0-9A-Za-z]*", name):
                    properties.setdefault(name, {"dataType": [type], "indexFilterable": True, "indexSearchable": True})
        for name, one in properties.items():
            one.update(name=name, tokenization="field" if one["dataType"][0].startswith("text") else None)
            one.update(self.said.get(name, {}))
        config = {
            "class": "Docs",
            "invertedIndexConfig": {
                "bm25": {"b": 0.75, "k1": 1.2},
                "cleanupIntervalSeconds": 60,
                "stopwords": self.said.get("stopwords", {"preset": "en", "additions": None, "removals": None}),
            },
            "multiTenancyConfig": {"enabled": True},
            "replicationConfig": {"factor": 1},
            "vectorIndexType": "flat",
            "vectorizer": "none",
            "properties": list(properties.values()),
        }
        return _collection_config_from_json(config)

    def over_all(self, *, total_count):
        return SimpleNamespace(total_count=len(self.rows))

    def near_vector(self, *, near_vector, limit, filters, include_vector):
        ids = self.rows.nearest(near_vector, limit, self._passing(filters))
        return SimpleNamespace(objects=[self._object(id, vector=include_vector) for id in ids])

    def fetch_objects(self, *, filters, limit, include_vector):
        ids = [id for id in sorted(self.rows) if self._passing(filters)(self.rows[id][0])]
        return SimpleNamespace(objects=[self._object(id, vector=include_vector) for id in ids[:limit]])

    def with_tenant(self, tenant):
        return WeaviateCollection(Rows({id: row for id, row in self.rows.items() if row[0].metadata["kind"] == tenant}))

    def _object(self, id, *, vector):
        document, stored = self.rows[id]
        return SimpleNamespace(
            uuid=id,
            properties={"text": document.text, **document.metadata},
            vector={"default": stored.tolist()} if vector else {},
        )

    def _passing(self, filters):
        if filters is None:
            return lambda document: True
        sent = Filters.FromString(written(filters).SerializeToString())
        types = {one.name: one.data_type.value for one in self.get().properties}
        return lambda document: weaviate_passes(document, sent, types)


def written(filters):
    """As the client writes a filter; true and false as its later versions do: this one and protobuf 7 refuse them."""
    operator = filters.operator._to_grpc()
    if hasattr(filters, "filters"):
        return Filters(operator=operator, filters=map(written, filters.filters))
    if isinstance(filters.value, bool):
        return Filters(operator=operator, value_boolean=filters.value, target=FilterTarget(property=filters.target))
    return _FilterToGRPC.convert(filters)


def weaviate_type(value):
    one = value[0] if isinstance(value, list) and value else value
    type = WEAVIATE_TYPES.get(one.__class__)
    return type if type is None or one is value else f"{type}[]"


def weaviate_passes(document, sent, types):
    """As Weaviate documents its filters: by the type of the property; of the texts here, whole ones are indexed."""
    if sent.operator in (Filters.OPERATOR_AND, Filters.OPERATOR_OR):
        join = all if sent.operator == Filters.OPERATOR_AND else any
        parts = [weaviate_passes(document, one, types) for one in sent.filters]  # all, for what each refuses
        return join(parts)
    name, asked = sent.target.property, sent.WhichOneof("test_value")
    if name == "_id":
        assert sent.operator == Filters.OPERATOR_CONTAINS_ANY
        return str(document.id) in sent.value_text_array.values
    if name not in types:
        raise ValueError(f"no such prop with name {name!r} found in class 'Docs'")
    type = types[name].removesuffix("[]")
    valued = {"value_text": ("text",), "value_number": ("number",), "value_boolean": ("boolean",)}
    valued["value_int"] = ("int",)
    if type not in valued[asked]:
        raise ValueError(f"data type filter cannot use {asked!r} on type {type!r}")
    values = document.metadata.get(name)
    values = values if isinstance(values, list) else [] if values is None else [values]
    values = [value for value in values if WEAVIATE_TYPES.get(value.__class__) == ("number" if type == "int" else type)]
    return any(WEAVIATE_ORDERS[sent.operator](value, getattr(sent, asked)) for value in values)


WEAVIATE_ORDERS = {
    Filters.OPERATOR_EQUAL: operator.eq,
    Filters.OPERATOR_LESS_THAN: operator.lt,
    Filters.OPERATOR_LESS_THAN_EQUAL: operator.le,
    Filters.OPERATOR_GREATER_THAN: operator.gt,
    Filters.OPERATOR_GREATER_THAN_EQUAL: operator.ge,
}


def weaviate(documents, vectors, tenants=False):
    collection = WeaviateCollection(rows(documents, vectors))
    return SimpleNamespace(_collection=collection, _multi_tenancy_enabled=tenants, _text_key="text")


def as_uuid(i):
    return uuid.UUID(int=i)


def in_utc(value):
    return value.replace(tzinfo=timezone.utc) if isinstance(value, datetime) else value


class TestWeaviate(StoreSuite):
    ids = MappingProxyType({"UUID": "UUID"})
    fields = MappingProxyType({**JSON_FIELDS, "seen": tuple(map(in_utc, FIELDS["seen"]))})

    @pytest.fixture
    def make_store(self):
        return lambda documents, vectors: WeaviateAdapter(weaviate(documents, vectors))

    def make_id(self, i):
        return as_uuid(i)

    def delete(self, store, ids):
        for id in ids:
            del store.vectorstore._collection.rows[id]

    def equals(self, key, value):
        return Filter.by_property(key).equal(value)


def test_a_weaviate_collection_with_tenants_needs_one():
    documents, vectors = corpus(as_uuid, 6)
    with pytest.raises(UnsupportedStoreError, match="has tenants"):
        WeaviateAdapter(weaviate(documents, vectors, tenants=True))
    store = WeaviateAdapter(weaviate(documents, vectors, tenants=True), tenant="odd")
    assert store.count() == 3
    assert store.fetch([documents[0].id, documents[1].id]).ids == (documents[1].id,)


def test_what_a_service_refuses_is_a_store_error():
    documents, vectors = corpus(as_uuid, 6)
    with pytest.raises(StoreError, match="Weaviate could not search: ValueError: Vector dimension"):
        WeaviateAdapter(weaviate(documents, vectors)).search(vectors[:, :3], 2)


def test_a_condition_on_a_few_documents_is_told_to_pinecone():
    documents, vectors = corpus(lambda i: f"d{i}", 60)
    index = PineconeIndex(rows(documents, vectors), "ours")
    store = PineconeAdapter(SimpleNamespace(index=index, _namespace="ours", _text_key="text"))
    told = store.narrowed({"kind": {"$eq": "odd"}}, parse("[rank in [7, 8, 9]] AND NOT [rank = 9]"))
    assert told == {"$and": [{"kind": {"$eq": "odd"}}, {"rank": {"$in": [7, 8, 9]}}]}
    assert sorted(store.search(vectors[:1], 5, told)[0]) == ["d7", "d9"]


@pytest.mark.parametrize(
    ("condition", "said", "told"),
    [
        ("[rank > 5.5]", {"rank": {"dataType": ["int"]}}, ("greater_or_equal", 5)),
        ("[rank = 5.5]", {"rank": {"dataType": ["int"]}}, None),
        ("[rank > 5]", {"rank": {"indexFilterable": False}}, None),
        ("[rank > 5]", {"rank": {"dataType": ["uuid"]}}, None),
        ('[kind = "odd"]', {"kind": {"tokenization": "word"}}, None),
        ('[kind > "even"]', {}, None),
        ("[kind = 5]", {}, None),
        ('[kinds = "odd"]', {}, None),
    ],
)
def test_weaviate_is_told_what_its_schema_can_say(condition, said, told):
    documents, vectors = corpus(as_uuid, 6)
    store = WeaviateAdapter(weaviate(documents, vectors))
    store.vectorstore._collection.said = said
    expected = None if told is None else getattr(Filter.by_property(condition[1:5]), told[0])(told[1])
    assert store.narrowed(None, parse(condition)) == expected


def test_a_condition_on_a_few_objects_is_told_to_weaviate():
    documents, vectors = corpus(as_uuid, 60)
    store = WeaviateAdapter(weaviate(documents, vectors))
    given = Filter.by_property("kind").equal("odd")
    told = store.narrowed(given, parse("[rank in [7, 8, 9]] AND NOT [rank = 9]"))
    kind, ranks = written(told).filters
    assert (kind.target.property, kind.value_text) == ("kind", "odd")
    assert [(one.target.property, one.value_number) for one in ranks.filters] == [("rank", n) for n in (7.0, 8.0, 9.0)]
    assert set(store.search(vectors[:1], 5, told)[0]) == {as_uuid(7), as_uuid(9)}
    assert store.fetch([as_uuid(9), as_uuid(1)], told).ids == (as_uuid(9),)

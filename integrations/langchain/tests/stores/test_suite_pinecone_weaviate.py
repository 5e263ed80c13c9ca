"""Pinecone and Weaviate, unverified live: collections in memory that answer in the documented shapes."""

import uuid
from datetime import datetime, timezone
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pytest

from langchain_logical_retriever.stores.pinecone import PineconeAdapter
from langchain_logical_retriever.stores.weaviate import WeaviateAdapter
from logical_retriever.errors import StoreCapabilityError, StoreError, UnsupportedStoreError
from logical_retriever.testing.samples import FIELDS, JSON_FIELDS, corpus
from logical_retriever.testing.store_suite import StoreSuite

pytest.importorskip("weaviate", reason="Weaviate's client is not installed")
from weaviate.classes.query import Filter
from weaviate.collections.filters import _FilterToGRPC
from weaviate.proto.v1.base_pb2 import Filters

pytestmark = pytest.mark.engines


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


def passes(document, filter):
    return all(document.metadata.get(name) == test["$eq"] for name, test in (filter or {}).items())


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


class WeaviateCollection:
    """The calls of weaviate's ``Collection`` that the adapter makes; filters travel as the real client writes them."""

    def __init__(self, rows):
        self.rows = rows
        self.query = self.aggregate = self

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
        sent = Filters.FromString(_FilterToGRPC.convert(filters).SerializeToString())
        return lambda document: weaviate_passes(document, sent)


def weaviate_passes(document, sent):
    """As Weaviate documents its filters: all of several, ids, or a text that a property equals."""
    if sent.operator == Filters.OPERATOR_AND:
        return all(weaviate_passes(document, part) for part in sent.filters)
    if sent.operator == Filters.OPERATOR_CONTAINS_ANY:
        assert sent.target.property == "_id"
        return str(document.id) in sent.value_text_array.values
    assert sent.operator == Filters.OPERATOR_EQUAL
    return document.metadata.get(sent.target.property) == sent.value_text


def weaviate(documents, vectors, tenants=False):
    collection = WeaviateCollection(rows(documents, vectors))
    return SimpleNamespace(_collection=collection, _multi_tenancy_enabled=tenants, _text_key="text")


def as_uuid(i):
    return uuid.UUID(int=i)


SEEN = tuple(at.replace(tzinfo=timezone.utc) if isinstance(at, datetime) else at for at in FIELDS["seen"])


class TestWeaviate(StoreSuite):
    ids = MappingProxyType({"UUID": "UUID"})
    fields = MappingProxyType({**JSON_FIELDS, "seen": SEEN})

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


def test_a_collection_with_tenants_needs_one_and_what_it_refuses_is_a_store_error():
    documents, vectors = corpus(as_uuid, 6)
    with pytest.raises(StoreError, match="Weaviate could not search: ValueError: Vector dimension"):
        WeaviateAdapter(weaviate(documents, vectors)).search(vectors[:, :3], 2)
    with pytest.raises(UnsupportedStoreError, match="has tenants"):
        WeaviateAdapter(weaviate(documents, vectors, tenants=True))
    store = WeaviateAdapter(weaviate(documents, vectors, tenants=True), tenant="odd")
    assert store.count() == 3
    assert store.fetch([documents[0].id, documents[1].id]).ids == (documents[1].id,)

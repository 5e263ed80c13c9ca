"""The Chroma store over real collections."""

import chromadb
import numpy as np
import pytest

from logical_retriever.errors import StoreError
from logical_retriever.stores import ChromaStore
from logical_retriever.stores.chroma import ChromaFilter


@pytest.fixture
def client(tmp_path):
    return chromadb.PersistentClient(str(tmp_path))


@pytest.fixture
def store(client):
    collection = client.create_collection("docs", embedding_function=None)
    collection.add(
        ids=["b", "a", "c"],
        embeddings=np.eye(3, dtype=np.float32),
        documents=["tea", "coffee", None],
        metadatas=[{"kind": "x"}, {"kind": "y"}, None],
    )
    return ChromaStore(collection)


def test_a_document_without_text_or_metadata_has_empty_ones(store):
    batch = store.fetch(["c", "nope", "b"])
    assert batch.ids == ("c", "b")
    assert [(d.text, dict(d.metadata)) for d in batch.documents] == [("", {}), ("tea", {"kind": "x"})]


@pytest.mark.parametrize(
    ("filter", "expected"),
    [({"kind": "y"}, ["a"]), (ChromaFilter(where_document={"$contains": "tea"}), ["b"]),
     (ChromaFilter(where={"kind": "x"}, where_document={"$contains": "coffee"}), [])],
)  # fmt: skip
def test_filters_hold_for_search_and_scan(store, filter, expected):
    assert store.search(np.ones((1, 3), dtype=np.float32), 3, filter)[0] == [expected]
    assert [id for batch in store.scan(filter) for id in batch.ids] == expected


def test_an_unreadable_filter_and_a_collection_deleted_meanwhile_are_store_errors(client, store):
    with pytest.raises(StoreError, match=r"'docs' could not query") as caught:
        store.search(np.ones((1, 3), dtype=np.float32), 3, {"kind": {"$no": 1}})
    assert "filter" in caught.value.hint
    client.delete_collection("docs")
    with pytest.raises(StoreError, match="does not exist"):
        store.count()


class Counted:
    """A collection that tells how many ids each request named."""

    def __init__(self, collection):
        self.collection, self.name, self.sizes = collection, collection.name, []

    def get(self, ids, **arguments):
        self.sizes.append(len(ids))
        return self.collection.get(ids=ids, **arguments)


def test_requests_are_of_few_sizes_since_chroma_keeps_a_statement_for_each(client):
    collection = client.create_collection("sizes", embedding_function=None)
    ids = [f"d{i}" for i in range(1200)]
    collection.add(ids=ids, embeddings=np.full((1200, 2), 0.5, dtype=np.float32))
    counted = Counted(collection)
    for n in (1, 49, 51, 200, 333, 550, 777, 1199):
        assert list(ChromaStore(counted).fetch(ids[:n]).ids) == ids[:n]
    assert all(size <= ChromaStore.step or size % ChromaStore.step == 0 for size in counted.sizes)
    assert max(counted.sizes) == ChromaStore.page
    assert counted.sizes.count(200) == 1


def test_a_scan_walks_through_several_pages_and_survives_deletion(client):
    collection = client.create_collection("many", embedding_function=None)
    ids = [f"d{i}" for i in range(ChromaStore.page + 10)]
    for start in range(0, len(ids), 2000):
        part = ids[start : start + 2000]
        collection.add(ids=part, embeddings=np.full((len(part), 2), 0.5, dtype=np.float32))
    seen = []
    for batch in ChromaStore(collection).scan():
        seen += batch.ids
        collection.delete(ids=ids[-5:])
    assert len(seen) == len(set(seen)) == ChromaStore.page + 5

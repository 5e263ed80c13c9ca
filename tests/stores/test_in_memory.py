"""The reference store, and the index of words that stores of this process share, while others change documents."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.errors import InvalidArgumentError, VectorMismatchError
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.stores.in_process import InProcessStore


def store(n=3, d=2):
    return InMemoryStore([StoredDocument(f"d{i}", f"t{i}") for i in range(n)], np.eye(n, d, dtype=np.float32) + 0.1)


def test_vectors_of_another_dimension_or_number_are_refused():
    with pytest.raises(VectorMismatchError, match="dimension 5 cannot join vectors of dimension 2"):
        store().add([StoredDocument("x", "x")], [[1.0] * 5])
    with pytest.raises(VectorMismatchError, match="dimension 5"):
        store().search(np.ones((1, 5), dtype=np.float32), 1)
    with pytest.raises(VectorMismatchError, match="2 documents"):
        InMemoryStore([StoredDocument("a", ""), StoredDocument("b", "")], [[1.0]])


def test_ids_are_distinct_and_a_refused_batch_changes_nothing():
    s = store()
    with pytest.raises(InvalidArgumentError, match="'d1'"):
        s.add([StoredDocument("new", ""), StoredDocument("d1", "")], np.ones((2, 2)))
    assert s.count() == 3
    assert s.fetch(["new"]).ids == ()


def test_readers_are_undisturbed_by_a_writer():
    s = store(n=200, d=4)
    failures = []

    def read():
        for _ in range(200):
            ids = s.search(np.ones((1, 4), dtype=np.float32), 50)[0][0]
            batch = s.fetch(ids)
            if len(batch.documents) > len(ids) or len(batch.vectors) != len(batch.documents):
                failures.append(ids)

    readers = [threading.Thread(target=read) for _ in range(7)]
    for thread in readers:
        thread.start()
    for i in range(100):
        s.delete([f"d{i}"])
        s.add([StoredDocument(f"n{i}", "")], np.ones((1, 4)))
    for thread in readers:
        thread.join()
    assert not failures
    assert s.count() == 200


class Texts(InProcessStore):
    """A dict of documents that its owner changes; it tells which texts are read."""

    def __init__(self):
        super().__init__()
        self.documents, self.read = {}, []

    def put(self, key, text):
        self.documents[key] = StoredDocument(key, text)

    def entry(self, id):
        self.read.append(id)
        return self.documents[id], None

    def index(self):
        return self.word_index(list(self.documents), list(self.documents.values()), "en")


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 6), st.sampled_from(["tea", "tea milk", "milk", ""])),
        st.tuples(st.just("delete"), st.integers(0, 6), st.just("")),
    ),
    max_size=12,
)


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_the_index_is_that_of_the_documents_as_they_are_now(steps):
    store = Texts()
    for what, key, text in steps:
        if what == "put":
            store.put(key, text)
        else:
            store.documents.pop(key, None)
        index = store.index()
        for word in ("tea", "milk"):
            expected = [row for row, one in enumerate(store.documents.values()) if word in one.text.split()]
            assert index.postings(word)[0].tolist() == expected


def test_only_new_texts_are_read():
    store = Texts()
    for i in range(5):
        store.put(i, f"text {i}")
    for _ in range(2):
        store.index()
    del store.documents[2]
    store.put(9, "new")
    store.index()
    assert store.read == [0, 1, 2, 3, 4, 9]

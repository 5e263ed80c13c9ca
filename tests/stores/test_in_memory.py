"""The reference store."""

import threading

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError, VectorMismatchError
from logical_retriever.stores import InMemoryStore, StoredDocument


def store(n=3, d=2):
    return InMemoryStore([StoredDocument(f"d{i}", f"t{i}") for i in range(n)], np.eye(n, d, dtype=np.float32) + 0.1)


def test_another_dimension_is_refused_when_adding_and_when_searching():
    with pytest.raises(VectorMismatchError, match="dimension 5 cannot join vectors of dimension 2"):
        store().add([StoredDocument("x", "x")], [[1.0] * 5])
    with pytest.raises(VectorMismatchError, match="dimension 5"):
        store().search(np.ones((1, 5), dtype=np.float32), 1)


def test_vectors_must_match_documents():
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

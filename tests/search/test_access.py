"""What a store names and does not bring back, and answers that no store may give."""

from datetime import datetime, timezone

import numpy as np
import pytest
from random_stores import filled, random_terms, random_vectors
from remote_store import RemoteStore

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.query import parse
from logical_retriever.search.scores import ordered
from logical_retriever.stores import Batch, InMemoryStore
from logical_retriever.testing.searching import find

QUERY = parse('"a" AND NOT "b"')
COUNT = 120


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def losing(kind, lost):
    """A store of this kind that names some documents and never brings them back."""

    class Losing(kind):
        def fetch(self, ids, filter=None):
            return super().fetch([id for id in ids if id not in lost], filter)

    return Losing


@pytest.mark.parametrize("kind", [InMemoryStore, RemoteStore])
@pytest.mark.parametrize("place", [0, 2])
def test_what_was_named_and_not_brought_back_is_not_exact(rng, kind, place):
    vectors, terms = random_vectors(rng, COUNT), random_terms(rng)
    lost = find(QUERY, filled(InMemoryStore, vectors), terms, k=4).documents[place].id
    result = find(QUERY, filled(losing(kind, {lost}), vectors), terms, k=4)
    assert not result.exact
    assert f"did not bring them back ({lost!r}" in result.reason
    assert lost not in [document.id for document in result.documents]


def test_many_missing_documents_are_counted_and_some_are_named(rng):
    store = filled(losing(RemoteStore, {f"d{i:05}" for i in range(1, COUNT)}), random_vectors(rng, COUNT))
    result = find(QUERY, store, random_terms(rng), k=4)
    assert not result.exact
    assert result.reason.count("'d0") == 5


@pytest.mark.parametrize("kind", [InMemoryStore, RemoteStore])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda batch, other: other, "without being asked for it"),
        (lambda batch, other: joined(batch, other), "without being asked for it"),
        (lambda batch, other: joined(batch, batch), "twice"),
    ],
    ids=["another", "one more", "double"],
)
def test_documents_nobody_asked_for_are_refused(rng, kind, change, message):
    class Faulty(kind):
        def fetch(self, ids, filter=None):
            other = next(id for batch in InMemoryStore.scan(self) for id in batch.ids if id not in ids)
            return change(super().fetch(ids, filter), super().fetch([other]))

    with pytest.raises(StoreError, match=message):
        find(QUERY, filled(Faulty, random_vectors(rng, COUNT)), random_terms(rng), k=4)


def test_fewer_lists_than_vectors_are_refused(rng):
    class Short(RemoteStore):
        def search(self, vectors, n, filter=None):
            return super().search(vectors, n, filter)[:-1]

    with pytest.raises(StoreError, match="gave 0 lists for 1 vectors"):
        find(parse('"a"'), filled(Short, random_vectors(rng, COUNT)), random_terms(rng), k=4)


def joined(one, other):
    return Batch(one.documents + other.documents, np.concatenate([one.vectors, other.vectors]))


def test_lists_of_what_cannot_be_an_identity_are_refused(rng):
    class Unhashable(RemoteStore):
        def search(self, vectors, n, filter=None):
            return [[[id] for id in ids] for ids in super().search(vectors, n, filter)]

    with pytest.raises(InvalidArgumentError, match="cannot be the identity of a document"):
        find(parse('"a"'), filled(Unhashable, random_vectors(rng, COUNT)), random_terms(rng), k=4)


def test_empty_lists_of_a_store_that_counts_documents_are_not_exact(rng):
    class Silent(RemoteStore):
        def search(self, vectors, n, filter=None):
            return [[] for _ in vectors]

    result = find(QUERY, filled(Silent, random_vectors(rng, COUNT)), random_terms(rng), k=4)
    assert (result.documents, result.exact) == ((), False)


def test_one_request_brings_all_lists_and_one_more_the_documents(rng):
    store = filled(RemoteStore, random_vectors(rng, COUNT))
    result = find(parse('"a" AND NOT "b"'), store, random_terms(rng), "product", k=4)
    assert store.searched == [(1, 40)]  # what is excluded is asked for where documents are left out
    assert len(store.fetched) == 1
    assert result.cost.requests == 2
    left = find(parse('"a" AND NOT "b"'), store, random_terms(rng), "product", k=4, exclusion="drop")
    assert store.searched[1] == (2, 40)
    assert left.cost.strategy == "nearest"


def test_ties_of_mixed_identities_have_one_order():
    noon = datetime(2026, 11, 22, 12)
    ids = ["b", 10, noon.replace(tzinfo=timezone.utc), 9, noon, b"x", "a", 2j]
    order = [ids[i] for i in ordered(np.zeros(len(ids)), ids)]
    turned = ids[::-1]
    assert order == [turned[i] for i in ordered(np.zeros(len(ids)), turned)]
    assert order.index(9) < order.index(10)
    assert order.index("a") < order.index("b")

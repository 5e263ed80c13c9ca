"""Documents that a store names and does not bring back, and answers that no store may give."""

from datetime import datetime, timezone

import duckdb
import numpy as np
import pytest
from random_stores import filled, random_terms, random_vectors
from remote_store import RemoteStore

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.query import parse
from logical_retriever.search import top_k
from logical_retriever.stores import Batch, DuckDBStore, InMemoryStore
from logical_retriever.testing.searching import find

QUERY = parse('"a" AND NOT "b"')
COUNT, DIMENSION = 120, 6


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def losing(kind, lost):
    """A store of this kind that names some documents and never brings them back."""

    class Losing(kind):
        def fetch(self, ids):
            return super().fetch([id for id in ids if id not in lost])

    return Losing


def best(rng_seed, k=4):
    rng = np.random.default_rng(rng_seed)
    vectors, terms = random_vectors(rng, COUNT), random_terms(rng)
    whole = find(QUERY, filled(InMemoryStore, vectors), terms, k=k)
    return vectors, terms, [document.id for document in whole.documents]


@pytest.mark.parametrize("kind", [InMemoryStore, RemoteStore])
@pytest.mark.parametrize("place", [0, 2])
def test_what_was_named_and_not_brought_back_is_not_exact(kind, place):
    vectors, terms, ids = best(5)
    result = find(QUERY, filled(losing(kind, {ids[place]}), vectors), terms, k=4)
    assert not result.exact
    assert not result.proved
    assert ids[place] in result.missing
    assert f"did not bring them back ({ids[place]!r}" in result.reason
    assert ids[place] not in [document.id for document in result.documents]


@pytest.mark.parametrize("strategy", ["sqo", "deo"])
def test_one_vector_names_what_is_missing_as_well(strategy):
    vectors, terms, ids = best(5)
    terms["a and b"] = terms["a"]
    result = find(QUERY, filled(losing(InMemoryStore, set(ids)), vectors), terms, k=4, mode=strategy)
    assert not result.exact
    assert set(result.missing) >= {ids[0]}


def test_an_engine_that_names_what_it_does_not_read_is_not_exact(rng):
    vectors, terms = random_vectors(rng, COUNT), random_terms(rng)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[{DIMENSION}])")
        connection.executemany(
            "INSERT INTO docs VALUES (?, ?, ?)", [(f"d{i:03}", "text", v) for i, v in enumerate(vectors.tolist())]
        )
        whole = DuckDBStore.from_table(connection, "docs")
        found = find(QUERY, whole, terms, k=3, pushdown="always")
        lost = {found.documents[1].id}
        store = losing(DuckDBStore, lost).from_table(connection, "docs")
        result = find(QUERY, store, terms, k=3, pushdown="always")
    assert found.exact
    assert not result.exact
    assert set(result.missing) == lost


def test_many_missing_documents_are_counted_and_some_are_named(rng):
    vectors, terms = random_vectors(rng, COUNT), random_terms(rng)
    result = find(QUERY, filled(losing(RemoteStore, {f"d{i:05}" for i in range(COUNT)}), vectors), terms, k=4)
    assert result.documents == ()
    assert not result.exact
    assert len(result.missing) > 5
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
        def fetch(self, ids):
            other = next(id for batch in InMemoryStore.scan(self) for id in batch.ids if id not in ids)
            return change(super().fetch(ids), super().fetch([other]))

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


def test_ties_of_mixed_identities_have_one_order():
    noon = datetime(2026, 11, 22, 12)
    ids = ["b", 10, noon.replace(tzinfo=timezone.utc), 9, noon, b"x", "a", 2j]
    ordered = [ids[i] for i in top_k(np.zeros(len(ids)), ids, len(ids))]
    turned = ids[::-1]
    assert ordered == [turned[i] for i in top_k(np.zeros(len(ids)), turned, len(ids))]
    assert ordered.index(9) < ordered.index(10)
    assert ordered.index("a") < ordered.index("b")

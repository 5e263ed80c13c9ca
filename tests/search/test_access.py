"""Bad input from stores: what they name and do not bring back, and answers that no store may give."""

import asyncio
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from random_stores import filled, random_terms, random_vectors
from remote_store import RemoteStore
from searching import find

from logical_retriever import LogicalRetriever, StoredDocument
from logical_retriever.errors import InvalidArgumentError, StoreError, VectorMismatchError
from logical_retriever.query import parse
from logical_retriever.search.scores import ordered
from logical_retriever.stores import Batch, InMemoryStore
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.testing import HashingEmbedder

QUERY = parse('"a" AND NOT "b"')
COUNT = 120
RNG = np.random.default_rng(5)
VECTORS, TERMS = random_vectors(RNG, COUNT), random_terms(RNG)
KINDS = pytest.mark.parametrize("kind", [InMemoryStore, RemoteStore])


class Meddling(WrappedStore):
    """A store whose documents come through a function."""

    def __init__(self, store, meddle):
        super().__init__(store)
        self.meddle = meddle

    def search(self, vectors, n, filter=None):
        lists, _ = self.store.search(vectors, n, filter)
        return lists, self.fetch(list(dict.fromkeys(id for ids in lists for id in ids)))

    def fetch(self, ids, filter=None):
        return self.meddle(partial(super().fetch, ids, filter))


def changed(**content):
    return lambda batch, other: Batch(content.get("documents", batch.documents), content["vectors"](batch.vectors))


def rows(batch, places):
    return Batch(tuple(batch.documents[i] for i in places), batch.vectors[list(places)])


def joined(one, other):
    return Batch(one.documents + other.documents, np.concatenate([one.vectors, other.vectors]))


@KINDS
@pytest.mark.parametrize(
    ("change", "expected", "message"),
    [
        (lambda batch, other: other, StoreError, "without being asked for it"),
        (lambda batch, other: joined(batch, other), StoreError, "without being asked for it"),
        (lambda batch, other: joined(batch, batch), StoreError, "twice"),
        (changed(vectors=lambda v: v[:, :-1]), VectorMismatchError, "dimension"),
        (changed(vectors=lambda v: v[:-1]), VectorMismatchError, "array of vectors of shape"),
        (lambda batch, other: rows(batch, []), None, "did not bring them back"),
        (lambda batch, other: rows(batch, range(1, len(batch.ids))), None, "did not bring them back ('d0"),
        (lambda batch, other: rows(batch, [0, 1, *range(3, len(batch.ids))]), None, "did not bring them back ('d0"),
    ],
    ids=["other", "one more", "double", "dimension", "vectors", "nothing", "not the best", "not the third"],
)
def test_a_store_that_brings_something_else_is_refused_or_not_exact(kind, change, expected, message):
    store = filled(kind, VECTORS)
    true = [document.id for document in find(QUERY, store, TERMS, k=COUNT).documents]
    other = InMemoryStore.fetch(store, [true[-1]])
    faulty = Meddling(store, lambda read: change(read(), other))
    if expected is not None:
        with pytest.raises(expected, match=message):
            find(QUERY, faulty, TERMS, k=4)
        return
    result = find(QUERY, faulty, TERMS, k=4)
    ids = [document.id for document in result.documents]
    assert not result.exact
    assert message in result.reason
    assert result.reason.count("'d0") <= 5
    assert all(np.isfinite(document.score) for document in result.documents)
    assert set(ids) <= set(true)


@pytest.mark.parametrize(
    ("change", "expected", "message"),
    [
        (lambda lists: lists[:-1], StoreError, "gave 0 lists for 1 vectors"),
        (lambda lists: [[[id] for id in ids] for ids in lists], InvalidArgumentError, "cannot be the identity"),
        (lambda lists: [[] for _ in lists], StoreError, "without being asked for it"),
    ],
)
def test_lists_that_no_store_may_give_are_refused_and_empty_ones_are_not_exact(change, expected, message):
    class Faulty(RemoteStore):
        def search(self, vectors, n, filter=None):
            lists, batch = super().search(vectors, n, filter)
            return change(lists), batch

    if expected is None:
        result = find(parse('"a"'), filled(Faulty, VECTORS), TERMS, k=4)
        assert (result.documents, result.exact) == ((), False)
        return
    with pytest.raises(expected, match=message):
        find(parse('"a"'), filled(Faulty, VECTORS), TERMS, k=4)


def test_one_request_brings_all_lists_with_their_documents():
    store = filled(RemoteStore, VECTORS)
    result = find(QUERY, store, TERMS, "product", k=4)
    assert store.searched == [(1, 40)]  # what is excluded is asked for where documents are left out
    assert len(store.fetched) == result.cost.requests == 1
    left = find(QUERY, store, TERMS, "product", k=4, exclusion="drop")
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


def giving(**methods):
    """A store of five documents some of whose methods are replaced; it knows no conditions."""
    methods["capabilities"] = replace(InMemoryStore.capabilities, name="Faulty", conditions=None)
    return type("Faulty", (InMemoryStore,), methods)(DOCUMENTS, np.eye(5, 8, dtype=np.float32))


def raising(error):
    def method(self, *arguments, **named):
        raise error

    return method


def answers(value):
    return lambda *arguments, **named: value


DOCUMENTS = [StoredDocument(str(i), "tea", {"y": i}) for i in range(5)]
RAISED = [RuntimeError("busy"), ConnectionError("gone"), StopIteration(), KeyError("x")]
GIVEN = [*map(raising, RAISED), *map(answers, ("5", -1, (1, 2, 3), [None], object()))]
MEMBERS = ("count", "search", "fetch", "sample", "scan")
QUERIES = ('"tea" AND NOT "sand"', "[y >= 0]")


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize(
    ("method", "query"), [("count", QUERIES[0]), ("sample", QUERIES[0]), *product(("fetch", "scan"), QUERIES)]
)
def test_whatever_a_store_raises_or_gives_is_an_error_that_names_it(method, query, given):
    with pytest.raises(StoreError, match=r"Faulty (could not|gave in)") as caught:
        LogicalRetriever(giving(**{method: given}), HashingEmbedder(8)).search(query)
    assert caught.value.hint


@pytest.mark.parametrize("method", ["sample", "fetch"])
@pytest.mark.parametrize(
    "change",
    [
        {"documents": None},
        {"vectors": None},
        {"vectors": np.array([["a"] * 8] * 5)},
        {"vectors": [[1.0], [1.0, 2.0]]},
        {"vectors": np.full((5, 8), None)},
        {"documents": (SimpleNamespace(id="0", text="tea", metadata={}),) * 5},
        *({"documents": (replace(DOCUMENTS[0], text=text),) * 5} for text in (None, b"tea", 7)),
        {"documents": (replace(DOCUMENTS[0], metadata=None),) * 5},
    ],
)
def test_documents_that_are_none_are_refused_where_they_enter(method, change):
    batch = SimpleNamespace(**{"documents": tuple(DOCUMENTS), "vectors": np.eye(5, 8), **change})
    with pytest.raises(StoreError, match=f"Faulty gave in {method}"):
        LogicalRetriever(giving(**{method: answers(batch)}), HashingEmbedder(8)).search(QUERIES[0])


async def test_no_exception_of_a_store_hangs_an_asynchronous_search():
    for error in RAISED:
        store = type("Faulty", (RemoteStore,), {"search": raising(error)})(DOCUMENTS, np.eye(5, 8))
        with pytest.raises(StoreError, match="could not search") as caught:
            await asyncio.wait_for(LogicalRetriever(store, HashingEmbedder(8)).asearch('"a"'), 10)
        assert caught.value.__cause__ is error


def test_no_answer_is_exact_that_saw_fewer_documents_than_the_store_counts():
    nothing = InMemoryStore.fetch(giving(), [])
    with pytest.raises(StoreError, match="counts 5 documents, and gave none as a sample"):
        LogicalRetriever(giving(sample=answers(nothing)), HashingEmbedder(8)).search("tea")
    empty = giving(scan=lambda *_: iter(()))
    # Without a language of filters, so that every document is to be looked at.
    plain = SimpleNamespace(**{name: getattr(empty, name) for name in ("capabilities", *MEMBERS)})
    result = LogicalRetriever(plain, HashingEmbedder(8)).search("[y >= 0]")
    assert (result.documents, result.exact) == ((), False)
    assert "counts 5 documents, and a scan gave 0" in result.reason
    unknown = giving(sample=answers(nothing), count=answers(None))
    assert not LogicalRetriever(unknown, HashingEmbedder(8)).search("tea").exact

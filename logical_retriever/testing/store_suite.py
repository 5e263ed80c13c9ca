"""The conformance suite of stores. An adapter that passes it can stand under ``LogicalRetriever``.

    class TestMyStore(StoreSuite):
        @pytest.fixture
        def make_store(self):
            def make(documents, vectors):
                return MyStore(...)   # a new store with these documents, in which nothing else is
            return make

That fixture is all it needs. Two methods open more tests: ``delete`` and ``equals``; ``ids`` says which keys the store
takes, where these are not texts of any form, and ``fields`` which metadata, where it cannot hold all that JSON can.
What the store cannot do is said in its ``capabilities``, and what it fails at in ``gaps``; both are checked, so that
neither outlives its reason.

Expected values come from :mod:`logical_retriever.testing.oracle`, which shares no code with what it judges.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from logical_retriever.errors import LogicalRetrieverError, StoreCapabilityError, StoreError
from logical_retriever.query import parse
from logical_retriever.results import DocumentId
from logical_retriever.stores import Store, StoredDocument
from logical_retriever.stores.base import NearestStore
from logical_retriever.testing.condition_suite import ConditionSuite
from logical_retriever.testing.identity_suite import IdentitySuite
from logical_retriever.testing.ranking_suite import corpus, ids_of, in_id_order, over, scanned_ids, terms
from logical_retriever.testing.store_wrappers import SlowStore, StoreLosingDocuments, WithoutScan
from logical_retriever.testing.word_suite import WordSuite
from logical_retriever.vectors import Vectors

MakeStore = Callable[[Sequence[StoredDocument], Vectors], Store]

UNICODE = ["naïve café", "東京タワー", "مرحبا", "🚀 launch", "e\u0301 is not é", "quote \" and ' and \\"]
WAYS = pytest.mark.parametrize("scans", [True, False], ids=["by scan", "by index"])


class StoreSuite(IdentitySuite, WordSuite, ConditionSuite):
    """Every demand on a store; see the module."""

    def delete(self, store: Store, ids: Sequence[DocumentId]) -> None:  # noqa: ARG002  for subclasses
        """Override: delete documents, behind the store's back."""
        pytest.skip("deletion is not tested: override delete(store, ids)")

    # What it holds

    def test_count(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 7)
        store = make_store(documents, vectors)
        assert store.count() in ((7,) if store.capabilities.scan else (7, None))

    def test_fetch_keeps_the_order_asked(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 30)
        store = self.searched(make_store(documents, vectors))
        order = np.random.default_rng(1).permutation(30)
        batch = store.fetch([documents[i].id for i in order])
        assert batch.ids == tuple(documents[i].id for i in order)
        self.assert_same_directions(batch.vectors, vectors[order])

    def test_nearest_documents_that_come_along_are_those_of_search_and_fetch(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 30)
        store = make_store(documents, vectors)
        if not store.capabilities.reads_nearest:
            return
        assert isinstance(store, NearestStore)
        for asked in (vectors[:1], vectors[:3], vectors[[2, 2]]):
            lists, batch = store.read_nearest(asked, 7)
            assert lists == store.search(asked, 7)
            assert set(batch.ids) == {id for ids in lists for id in ids}
            assert len(set(batch.ids)) == len(batch.ids)
            fetched = store.fetch(batch.ids)
            assert batch.documents == fetched.documents
            self.assert_same_directions(batch.vectors, fetched.vectors)
        empty = make_store([], vectors[:0])
        assert isinstance(empty, NearestStore)
        assert empty.read_nearest(vectors[:2], 3)[0] == [[], []]

    def test_texts_without_vectors_are_those_of_fetch(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 30)
        store = make_store(documents, vectors)
        fetch_texts = getattr(store, "fetch_texts", None)
        if fetch_texts is None:
            return
        wanted = [documents[7].id, self.make_id(99), documents[2].id, documents[29].id]
        assert fetch_texts(wanted).documents == store.fetch(wanted).documents
        assert fetch_texts([]).ids == ()

    def test_fetch_leaves_out_ids_that_are_not_there(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 5)
        store = self.searched(make_store(documents, vectors))
        wanted = [documents[3].id, self.make_id(99), "an id of another kind", documents[0].id]
        assert store.fetch(wanted).ids == (documents[3].id, documents[0].id)
        assert store.fetch([self.make_id(99)]).ids == ()
        assert store.fetch([]).ids == ()

    def test_texts_and_metadata_come_back(self, make_store: MakeStore) -> None:
        _, vectors = corpus(self.make_id, len(UNICODE))
        documents = [StoredDocument(self.make_id(i), text, {"kind": text, "rank": i}) for i, text in enumerate(UNICODE)]
        store = self.searched(make_store(documents, vectors))
        for expected, found in zip(documents, store.fetch([d.id for d in documents]).documents, strict=True):
            assert found.text == expected.text
            assert {key: found.metadata[key] for key in expected.metadata} == expected.metadata

    def test_equal_texts_with_different_ids_stay_apart(self, make_store: MakeStore) -> None:
        _, vectors = corpus(self.make_id, 2)
        documents = [StoredDocument(self.make_id(i), "the same", {"kind": "x", "rank": i}) for i in range(2)]
        store = self.searched(make_store(documents, vectors[[0, 0]]))
        assert in_id_order(store.search(vectors[:1], 5)[0]) == ids_of(documents)
        found = over(store, {"A": vectors[0]}, k=5).search(parse("A")).documents
        assert in_id_order(document.id for document in found) == ids_of(documents)
        assert [document.score for document in found] == pytest.approx([1.0, 1.0], abs=1e-5)

    def test_scan_meets_every_document_once(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 40)
        store = make_store(documents, vectors)
        if not store.capabilities.scan:
            with pytest.raises(StoreCapabilityError):
                list(store.scan())
            return
        batches = list(store.scan())
        assert in_id_order(id for batch in batches for id in batch.ids) == ids_of(documents)
        by_id = {document.id: vector for document, vector in zip(documents, vectors, strict=True)}
        for batch in batches:
            self.assert_same_directions(batch.vectors, np.array([by_id[id] for id in batch.ids]))

    def test_sample(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 40)
        store = make_store(documents, vectors)
        drawn = store.sample(15, seed=3)
        assert len(set(drawn.ids)) == len(drawn.ids) <= 15
        assert set(drawn.ids) <= set(ids_of(documents))
        assert store.sample(15, seed=3).ids == drawn.ids
        rows = {document.id: row for row, document in enumerate(documents)}
        self.assert_same_directions(drawn.vectors, vectors[[rows[id] for id in drawn.ids]])
        if store.capabilities.scan:
            assert len(drawn.ids) == 15
            assert store.sample(15, seed=4).ids != drawn.ids
            assert in_id_order(store.sample(1000, seed=3).ids) == ids_of(documents)
        else:  # drawn as well as it can
            assert drawn.ids

    # Sizes

    def test_empty_store(self, make_store: MakeStore) -> None:
        vectors = corpus(self.make_id, 2)[1]
        store = make_store([], vectors[:0])
        assert store.search(vectors, 3) == [[], []]
        assert store.fetch([self.make_id(0)]).ids == ()
        assert store.sample(5, seed=0).ids == ()
        retriever = over(store, {"A": vectors[0], "B": vectors[1]}, k=3)
        assert retriever.search(parse('"A" AND NOT "B"')).documents == ()
        if store.capabilities.scan:
            assert store.count() == 0
            assert scanned_ids(store) == []

    @WAYS
    def test_one_document_and_k_over_the_size(self, make_store: MakeStore, scans: bool) -> None:
        documents, vectors = corpus(self.make_id, 1)
        made = make_store(documents, vectors)
        store = made if scans else WithoutScan(made)
        given = {"A": vectors[0], "B": -vectors[0]}
        assert store.search(vectors, 50) == [[documents[0].id]]
        [found] = over(store, given, k=50).search(parse('"A" AND NOT "B"')).documents
        assert found.id == documents[0].id
        assert found.score == pytest.approx(1.0, abs=1e-5)

    # Filters

    def test_filters_hold_for_search_and_scan_alike(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 30)
        odd = in_id_order(d.id for d in documents if d.metadata["kind"] == "odd")
        store = make_store(documents, vectors)
        filter = self.equals("kind", "odd")
        if not store.capabilities.filters:
            with pytest.raises(LogicalRetrieverError):
                store.search(vectors[:1], 5, filter)
            return
        assert [in_id_order(ids) for ids in store.search(vectors[:2], 30, filter)] == [odd, odd]
        assert set(store.search(vectors[:1], 4, filter)[0]) <= set(odd)
        assert store.search(vectors[:1], 30, self.equals("kind", "neither")) == [[]]
        if store.capabilities.scan:
            assert scanned_ids(store, filter) == odd
            assert scanned_ids(store, self.equals("kind", "neither")) == []

    @WAYS
    def test_filtered_answers_are_the_best_of_those_that_pass(self, make_store: MakeStore, scans: bool) -> None:
        documents, vectors = corpus(self.make_id, 30)
        odd = [row for row, d in enumerate(documents) if d.metadata["kind"] == "odd"]
        made = make_store(documents, vectors)
        if not made.capabilities.filters:
            return
        store = made if scans else WithoutScan(made)
        self.assert_true_answers(store, [documents[row] for row in odd], vectors[odd], self.equals("kind", "odd"))

    # Change, and many at once

    @WAYS
    def test_deletion_during_a_search(self, make_store: MakeStore, scans: bool) -> None:
        documents, vectors = corpus(self.make_id, 20)
        made = make_store(documents, vectors)
        best = over(made, terms(vectors), k=20).search(parse('"A" AND NOT "B"')).documents
        gone = [document.id for document in best[:3]]
        losing = StoreLosingDocuments(made if scans else WithoutScan(made), lambda: self.delete(made, gone))
        left = over(losing, terms(vectors), k=20).search(parse('"A" AND NOT "B"')).documents
        assert losing.delete is None
        assert [d.id for d in left] == [d.id for d in best if d.id not in gone]
        assert made.fetch(gone).ids == ()
        assert not set(gone) & set(made.search(vectors[:1], 20)[0])

    def test_deletion_during_a_scan(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 20)
        store = make_store(documents, vectors)
        if not store.capabilities.scan:
            return
        walk = store.scan()
        seen = list(next(walk).ids)
        self.delete(store, [documents[5].id])
        seen += [id for batch in walk for id in batch.ids]
        assert len(set(seen)) == len(seen)
        assert set(ids_of(documents)) - {documents[5].id} <= set(seen) <= set(ids_of(documents))
        assert scanned_ids(store) == [id for id in ids_of(documents) if id != documents[5].id]

    @WAYS
    def test_searches_from_eight_threads(self, make_store: MakeStore, scans: bool) -> None:
        documents, vectors = corpus(self.make_id, 40)
        made = make_store(documents, vectors)
        retriever = over(made if scans else WithoutScan(made), terms(vectors), k=5)
        texts = ['"A" AND NOT "B"', '"B" AND "C"', '"C" AND NOT "A"'] * 8

        def answer(text: str) -> list[tuple[str, float]]:
            return [(d.id, round(d.score, 5)) for d in retriever.search(parse(text)).documents]

        alone = [answer(text) for text in texts[:3]] * 8
        with ThreadPoolExecutor(max_workers=8) as pool:
            assert list(pool.map(answer, texts)) == alone

    @WAYS
    def test_the_asynchronous_way_gives_the_same_and_does_not_block(self, make_store: MakeStore, scans: bool) -> None:
        documents, vectors = corpus(self.make_id, 20)
        made = make_store(documents, vectors)
        slow = SlowStore(made if scans else WithoutScan(made), seconds=0.05)
        retriever = over(slow, terms(vectors), k=5)
        query = parse('"A" AND NOT "B"')

        async def answer() -> tuple[list[DocumentId], int]:
            beats = 0
            search = asyncio.create_task(retriever.asearch(query))
            while not search.done():
                await asyncio.sleep(0.002)
                beats += 1
            return [document.id for document in search.result().documents], beats

        found, beats = asyncio.run(answer())
        assert found == [document.id for document in retriever.search(query).documents]
        assert beats >= 4

    # What it refuses

    def test_vectors_of_another_dimension_are_refused(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 5)
        store = make_store(documents, vectors)
        with pytest.raises(StoreError):
            over(store, {"A": [1.0, 2.0]}, k=3).search(parse("A"))
        with pytest.raises(StoreError):
            over(WithoutScan(store), {"A": [1.0, 2.0]}, k=3).search(parse("A"))

"""The conformance suite of stores. A store that passes it works with ``LogicalRetriever``.

    class TestMyStore(StoreSuite):
        @pytest.fixture
        def make_store(self):
            def make(documents, vectors):
                return MyStore(...)   # a new store with these documents alone
            return make

Only the fixture is required. Three more methods enable more tests: ``delete``, ``change`` and ``equals``. Set ``ids``
where keys are not texts of any form (``self.id_type`` is the type that the running test uses), and ``fields`` where the
store cannot hold all metadata that JSON can.
The store's ``capabilities`` say what it cannot do, and are checked. Override a test that it cannot pass under
``@pytest.mark.xfail(reason=..., strict=True)``, and call the suite's test by ``super()``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from logical_retriever.errors import StoreError
from logical_retriever.query import parse
from logical_retriever.results import DocumentId
from logical_retriever.stores import Store, StoredDocument
from logical_retriever.testing.condition_suite import ConditionSuite
from logical_retriever.testing.ranking_suite import WAYS, MakeStore, WithoutScan, over
from logical_retriever.testing.samples import corpus, ids_of, in_id_order, terms
from logical_retriever.testing.word_suite import WordSuite
from logical_retriever.vectors import Vectors

QUERY = '"A" AND NOT "B"'
UNICODE = ["naïve café", "東京タワー", "مرحبا", "🚀 launch", "e\u0301 is not é", "quote \" and ' and \\"]


class StoreSuite(WordSuite, ConditionSuite):
    """All tests of a store; see the module."""

    def delete(self, store: Store, ids: Sequence[DocumentId]) -> None:  # noqa: ARG002  for subclasses
        """Override: delete documents, past the store object."""
        pytest.skip("deletion is not tested: override delete(store, ids)")

    def change(self, store: Store, document: StoredDocument, vector: Vectors) -> None:  # noqa: ARG002  for subclasses
        """Override: replace the text and vector of a stored document, past the store object."""
        pytest.skip("changes are not tested: override change(store, document, vector)")

    # Contents

    def test_documents_come_back_as_they_are_in_the_order_asked(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, len(UNICODE), texts=UNICODE)
        documents = [replace(document, metadata={**document.metadata, "kind": document.text}) for document in documents]
        store = self.met(make_store(documents, vectors))
        order = [5, 1, 0, 2, 4, 3]
        ids = [documents[i].id for i in order]
        batch = store.fetch([*ids[:3], self.make_id(99), *ids[3:]])
        assert_keys(batch.ids, ids)
        for expected, document in zip((documents[i] for i in order), batch.documents, strict=True):
            assert document.text == expected.text
            assert {**document.metadata, **expected.metadata} == document.metadata
        self.assert_same_directions(batch.vectors, vectors[order])
        assert store.fetch([self.make_id(99)]).ids == store.fetch([]).ids == ()
        assert store.count() in ((len(documents),) if store.capabilities.scan else (len(documents), None))

    def test_keys_come_back_as_they_are(self, make_store: MakeStore, id_type: str) -> None:
        documents, vectors = self.keyed(id_type)
        store, keys = self.met(make_store(documents, vectors)), [document.id for document in documents]
        places = {key: i for i, key in enumerate(keys)}
        lists, found = store.search(vectors[[0, 1, 2, 2]], 2 * len(keys))
        assert not store.capabilities.exact_search or [len(ids) for ids in lists] == [len(keys)] * 4
        assert_keys(in_id_order(found.ids), in_id_order({id for ids in lists for id in ids}))
        assert found.documents == store.fetch(found.ids).documents
        batches: list[tuple[Sequence[DocumentId], Any]] = [
            (wanted, store.fetch(wanted)) for wanted in (*lists, keys, keys[::-1], *([key] for key in keys))
        ]
        batches += [(found.ids, found)]
        batches += [(batch.ids, batch) for batch in (store.scan() if store.capabilities.scan else ())]
        for wanted, batch in batches:
            rows = [places[key] for key in batch.ids]
            assert_keys(batch.ids, wanted)
            assert_keys(batch.ids, [keys[row] for row in rows])
            self.assert_same_directions(batch.vectors, vectors[rows])
            texts = [document.text for document in getattr(batch, "documents", ())]
            assert texts in ([documents[row].text for row in rows], [])
        others = {f"{key}{more}" for key in keys if isinstance(key, str) for more in ("", " ", "\u0301")} - set(keys)
        assert store.fetch(list(others)).ids == ()
        for way in (store, WithoutScan(store)):
            self.assert_true_answers(way, documents, vectors)

    def test_a_scan_and_samples_meet_every_document_once(self, make_store: MakeStore) -> None:
        documents, vectors, store = self.filled(make_store, 40)
        places = {document.id: i for i, document in enumerate(documents)}
        drawn = store.sample(15, seed=3)
        assert 0 < len(set(drawn.ids)) == len(drawn.ids) <= 15
        assert store.sample(15, seed=3).ids == drawn.ids
        self.assert_same_directions(drawn.vectors, vectors[[places[id] for id in drawn.ids]])
        if store.capabilities.scan:
            assert len(drawn.ids) == 15
            assert store.sample(15, seed=4).ids != drawn.ids
            assert scanned(store) == in_id_order(store.sample(1000, seed=3).ids) == ids_of(documents)

    @WAYS
    @pytest.mark.parametrize("count", [0, 1, 2])
    def test_few_documents_and_k_over_the_size(self, make_store: MakeStore, scans: bool, count: int) -> None:
        documents, vectors = corpus(self.make_id, 2, texts=["the same"] * 2)
        documents, by_term = documents[:count], {"A": vectors[0], "B": -vectors[0]}
        whole = make_store(documents, vectors[[0] * count])
        store = whole if scans else WithoutScan(whole)
        assert [in_id_order(ids) for ids in store.search(vectors, 50)[0]] == [ids_of(documents)] * 2
        result = over(store, by_term, k=50).search(parse(QUERY))
        assert in_id_order(document.id for document in result.documents) == ids_of(documents)
        assert [document.score for document in result.documents] == pytest.approx([1.0] * count, abs=1e-5)
        assert count or store.fetch([self.make_id(0)]).ids == store.sample(5, seed=0).ids == ()
        assert not whole.capabilities.scan or (whole.count(), scanned(whole)) == (count, ids_of(documents))

    # Searches

    @WAYS
    def test_a_filter_holds_and_never_adds(self, make_store: MakeStore, scans: bool) -> None:
        documents, vectors, whole = self.filled(make_store, 30)
        store, filter, none = (
            whole if scans else WithoutScan(whole),
            self.equals("kind", "odd"),
            self.equals("kind", "x"),
        )
        odd = [i for i, document in enumerate(documents) if document.metadata["kind"] == "odd"]
        some = [documents[i] for i in odd]
        assert [in_id_order(ids) for ids in store.search(vectors[:2], 30, filter)[0]] == [ids_of(some)] * 2
        assert store.search(vectors[:1], 30, none)[0] == [[]]
        if store.capabilities.scan:
            assert (scanned(store, filter), scanned(store, none)) == (ids_of(some), [])
        self.assert_true_answers(store, some, vectors[odd], filter)

    @WAYS
    def test_many_at_once_are_answered_as_one_by_one(self, make_store: MakeStore, scans: bool) -> None:
        _, vectors, store = self.filled(make_store, 40)
        retriever = over(store if scans else WithoutScan(store), terms(vectors), k=5)
        queries = [parse(text) for text in (QUERY, '"A" AND "B"', '("A" OR "B") AND NOT "C"')]
        alone = [retriever.search(query).documents for query in queries]
        with ThreadPoolExecutor(max_workers=8) as pool:
            for result, expected in zip(
                pool.map(retriever.search, queries * self.questions), alone * self.questions, strict=True
            ):
                assert [d.id for d in result.documents] == [d.id for d in expected]

    # Changes

    @WAYS
    def test_a_document_changed_between_two_questions_is_seen_changed(self, make_store: MakeStore, scans: bool) -> None:
        documents, vectors, store = self.filled(make_store, 20)
        retriever = over(store if scans else WithoutScan(store), terms(vectors), k=20)
        worst = retriever.search(parse('"A"')).documents[-1].id
        self.change(store, StoredDocument(worst, "changed", documents[0].metadata), np.array(terms(vectors)["A"]))
        best = retriever.search(parse('"A"'), k=3).documents[0]
        assert (best.id, best.text) == (worst, "changed")
        assert best.score == pytest.approx(1.0, abs=1e-4)

    @WAYS
    def test_documents_deleted_between_two_questions_are_gone(self, make_store: MakeStore, scans: bool) -> None:
        _, vectors, store = self.filled(make_store, 20)
        retriever = over(store if scans else WithoutScan(store), terms(vectors), k=20)
        ids = [document.id for document in retriever.search(parse(QUERY)).documents]
        self.delete(store, ids[:3])
        assert store.fetch(ids[:3]).ids == ()
        assert [document.id for document in retriever.search(parse(QUERY)).documents] == ids[3:]

    def test_deletion_during_a_scan(self, make_store: MakeStore) -> None:
        documents, _, store = self.filled(make_store, 20)
        if not store.capabilities.scan:
            pytest.skip("the store cannot be scanned")
        walk = store.scan()
        seen = list(next(walk).ids)
        self.delete(store, [documents[5].id])
        seen += [id for batch in walk for id in batch.ids]
        assert len(set(seen)) == len(seen)
        assert set(ids_of(documents)) - set(seen) <= {documents[5].id}

    # Bad input

    @WAYS
    def test_vectors_of_another_dimension_are_refused(self, make_store: MakeStore, scans: bool) -> None:
        _, _, store = self.filled(make_store, 5)
        with pytest.raises(StoreError):
            over(store if scans else WithoutScan(store), {"A": [1.0, 2.0]}, k=3).search(parse("A"))


def scanned(store: Store, filter: object = None) -> list[DocumentId]:
    """Sort the ids of a scan."""
    return in_id_order(id for batch in store.scan(filter) for id in batch.ids)


def assert_keys(keys: Iterable[DocumentId], expected: Iterable[DocumentId]) -> None:
    """Compare keys, their types and their order."""
    assert [(key, type(key)) for key in keys] == [(key, type(key)) for key in expected]

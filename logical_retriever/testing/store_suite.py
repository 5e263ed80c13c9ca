"""The conformance suite of stores. A store that passes it works with ``LogicalRetriever``.

    class TestMyStore(StoreSuite):
        @pytest.fixture
        def make_store(self):
            def make(documents, vectors):
                return MyStore(...)   # a new store with these documents alone
            return make

Only the fixture is required. Three more methods enable more tests: ``delete``, ``change`` and ``equals``. Set ``ids``
where keys are not texts of any form (``self.id_type`` is the type that the running test uses), and ``fields``
where the store cannot hold all metadata that JSON can: ``holding(lambda name, value: isinstance(value, (str, int)))``
are those that it can.
The store's ``capabilities`` say what it cannot do, and are checked. Override a test that it cannot pass under
``@pytest.mark.xfail(reason=..., strict=True)``, and call the suite's test by ``super()``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import numpy as np
import pytest

from logical_retriever.lexical import tokenize
from logical_retriever.query import MAX_VALUES, Condition, LogicalQuery, holds, parse
from logical_retriever.results import DocumentId
from logical_retriever.stores import Batch, Store, StoredDocument, VectorBatch, WordQuery
from logical_retriever.testing.law_suite import LawSuite
from logical_retriever.testing.ranking_suite import WAYS, MakeStore, RankingSuite, WithoutScan, cosines, over
from logical_retriever.testing.samples import (
    DIMENSION,
    HOSTILE,
    HOSTILE_WORDS,
    JSON_FIELDS,
    ODD_NAMES,
    ODD_VALUES,
    compared,
    conditions,
    corpus,
    ids_of,
    in_id_order,
    terms,
)
from logical_retriever.vectors import Vectors

QUERY = '"A" AND NOT "B"'
UNICODE = ["naïve café", "東京タワー", "مرحبا", "🚀 launch", "e\u0301 is not é", "quote \" and ' and \\"]
EARLY = Condition("rank", "<", 8)
ANYWHERE = np.ones(DIMENSION, np.float32)
WORDS = ("plum", "jam", "bread", "2024", "東京", "naïve", "Plum", "OPHICLEIDE")
SUBSETS = [" ".join(word for j, word in enumerate(WORDS) if i >> j & 1) or "nothing" for i in range(256)]
QUERIES = (("plum",), ("2024", "bread"), ("jam", "plum", "bread"), ("naïve",), ("ophicleide", "jam"), ("sousaphone",))


class WordSuite(RankingSuite):
    """Word search finds the documents with a word, and no others. It is skipped where ``word_search`` is None."""

    def worded(self, make_store: MakeStore, texts: Sequence[str]) -> tuple[list[StoredDocument], Any]:
        """Make documents with these texts and random vectors, and a store of them."""
        documents, _, store = self.filled(make_store, len(texts), texts=texts)
        if store.capabilities.word_search is None:
            pytest.skip("the store does not find documents by words")
        return documents, store

    def assert_words(
        self, make_store: MakeStore, texts: Sequence[str], queries: Sequence[tuple[str, ...]] = QUERIES
    ) -> None:
        """Check that a search finds all documents with a query's first word, and none without any of its words."""
        documents, store = self.worded(make_store, texts)
        own = {document.id: set(tokenize(document.text)) for document in documents}
        for n in (1, 5, len(texts) + 1):
            lists = store.search_words([WordQuery(query, ANYWHERE) for query in queries], n)
            for query, ids in zip(queries, lists, strict=True):
                must = {document.id for document in documents if query[0] in document.text.casefold().split()}
                may = {
                    document.id
                    for document in documents
                    if any(_holds(document.text, own[document.id], word) for word in query)
                }
                assert min(n, len(must)) <= len(ids) == len(set(ids)) <= n, query
                assert (must if n > len(texts) else set()) <= set(ids) <= may, query
        assert store.search_words([], 5) == []

    def test_documents_with_words_are_those_that_plain_python_finds(self, make_store: MakeStore) -> None:
        self.assert_words(make_store, [*SUBSETS[:64], *SUBSETS[64::3]])
        self.assert_words(make_store, [])

    def test_texts_of_odd_lengths_are_found_by_their_words(self, make_store: MakeStore) -> None:
        # The first has a megabyte.
        texts = ["ophicleide " + "the same words again and again " * 33_000, "plum " * 5000, "x" * 60_000, "the of and"]
        self.assert_words(make_store, [*texts, "-", "ophicleide"])

    def test_hostile_words_match_themselves_alone(self, make_store: MakeStore) -> None:
        texts = ["plum jam", "plumxjam", "plus", "bread and butter", "a much longer text about nothing at all"]
        self.assert_words(make_store, texts, [query for w in HOSTILE_WORDS for query in ((w,), ("butter", w))])

    def test_a_filter_holds_for_words_as_well(self, make_store: MakeStore) -> None:
        documents, store = self.worded(make_store, [f"plum jam {i}" for i in range(20)])
        filter, query, odd = self.equals("kind", "odd"), WordQuery(("plum",), ANYWHERE), ids_of(documents[1::2])
        assert in_id_order(store.search_words([query], 20, filter)[0]) == odd
        assert set(store.search_words([query], 3, filter)[0]) <= set(odd)


class ConditionSuite(RankingSuite):
    """Conditions, as the store's own filter, match the documents that Python's comparisons match.

    Where a table needs its columns declared, override ``make_described``, which makes stores of documents with the
    fields.

    Attributes:
        fields: Metadata of the documents; by default, all that JSON can hold.
        questions: Number of random questions. Below 15, for stores that take a second for each, only a random third of
            the conditions is tried.
    """

    fields: ClassVar[Mapping[str, Sequence[Any]]] = JSON_FIELDS
    questions: ClassVar[int] = 15

    @pytest.fixture
    def make_described(self, make_store: MakeStore) -> MakeStore:
        """Override: return ``make_store`` for documents with the fields."""
        return make_store

    def asked(self) -> Iterator[LogicalQuery]:
        """Generate conditions: usual, odd, hostile ones that try to lift ``kind = "odd"``, and trees of them."""
        fields, drawn = {**self.fields, "kind": ("even", "odd")}, random.Random(1)
        usual = list(conditions(fields))
        odd = [
            *(Condition(name, *rest) for name in ODD_NAMES for rest in (("exists",), ("!=", 1), ("=", "x"))),
            *(one for value in (*ODD_VALUES, *HOSTILE) for one in compared(drawn.choice(list(fields)), value)),
        ]
        simple = [
            *drawn.sample(usual, len(usual) // (3 if self.questions < 15 else 1)),
            *drawn.sample(odd, 4 * self.questions),
            Condition(
                drawn.choice(list(fields)),
                "in",
                tuple([one for n in range(MAX_VALUES // 3) for one in (n, n + 0.5, f"value {n}")]),
            ),
        ]
        for condition in simple:
            yield from (condition, ~condition)
        for _ in range(4 * self.questions):
            a, b, c = drawn.sample(simple, 3)
            yield from (drawn.choice((a & b & ~c, a & (b | ~c), a | (b & ~c), ~(a & b) | c)), a | ~b | ~a, a & b & ~a)

    @pytest.mark.parametrize("given", [False, True], ids=["alone", "with the caller's"])
    def test_filters_let_through_what_python_does(self, make_described: MakeStore, given: bool) -> None:
        documents, vectors, store = self.filled(make_described, 12, fields=self.fields)
        if (supported := store.capabilities.conditions) is None:
            pytest.skip("the store does not filter by conditions")
        filter = self.equals("kind", "odd") if given else None
        early, fewer = store.with_condition(filter, EARLY), 0
        metadata = {one.id: one.metadata for one in store.fetch(ids_of(documents)).documents}
        callers = {id for id, had in metadata.items() if not given or had["kind"] == "odd"}
        for number, query in enumerate((EARLY, *self.asked())):
            # Every third condition is joined to a filter that has one already, as with several parts of a question.
            before, whole = (filter, query) if early is None or number % 3 else (early, EARLY & query)
            if (joined := store.with_condition(before, query)) is None:
                assert supported != "all", query
                continue
            expected = {id for id in callers if holds(whole, metadata[id])}
            ids = set(store.search(vectors[:1], len(metadata), joined)[0][0])
            assert expected <= ids <= (expected if supported == "all" else callers), f"{query}: {joined}"
            fewer += len(ids) < len(metadata)
            if number % 5 == 0 and store.capabilities.scan:
                fetched = in_id_order(store.fetch(list(metadata), joined).ids)
                assert fetched == scanned(store, joined) == in_id_order(ids), f"{query}: {joined}"
        assert fewer


class StoreSuite(WordSuite, ConditionSuite, LawSuite):
    """All tests of a store; see the module."""

    def delete(self, store: Store, ids: Sequence[DocumentId]) -> None:  # noqa: ARG002  for subclasses
        """Override: delete documents, past the store object."""
        pytest.skip("deletion is not tested: override delete(store, ids)")

    def change(self, store: Store, document: StoredDocument, vector: Vectors) -> None:  # noqa: ARG002  for subclasses
        """Override: replace the text and vector of a stored document, past the store object."""
        pytest.skip("changes are not tested: override change(store, document, vector)")

    # Contents

    def test_documents_come_back_as_they_are_in_the_order_asked(self, make_store: MakeStore) -> None:
        documents, vectors, store = self.filled(make_store, len(UNICODE), texts=UNICODE, fields={"kind": UNICODE})
        ids = [documents[i].id for i in (5, 1, 0, 2, 4, 3)]
        assert_batch(store.fetch([*ids[:3], self.make_id(99), *ids[3:]]), ids, documents, vectors)
        assert store.fetch([self.make_id(99)]).ids == store.fetch([]).ids == ()
        assert store.count() in ((len(documents),) if store.capabilities.scan else (len(documents), None))

    def test_keys_come_back_as_they_are(self, make_store: MakeStore, id_type: str) -> None:
        documents, vectors = self.keyed(id_type)
        store, keys = make_store(documents, vectors), [document.id for document in documents]
        lists, found = store.search(vectors[[0, 1, 2, 2]], 2 * len(keys))
        assert not store.capabilities.exact_search or [len(ids) for ids in lists] == [len(keys)] * 4
        assert_keys(in_id_order(found.ids), in_id_order({id for ids in lists for id in ids}))
        for batch in (found, *(store.scan() if store.capabilities.scan else ())):
            assert_batch(batch, batch.ids, documents, vectors)
        for wanted in (*lists, keys, keys[::-1], *([key] for key in keys)):
            assert_batch(store.fetch(wanted), wanted, documents, vectors)
        others = {f"{key}{more}" for key in keys if isinstance(key, str) for more in ("", " ", "\u0301")} - set(keys)
        assert store.fetch(list(others)).ids == ()
        self.assert_true_answers(store, documents, vectors)

    def test_a_scan_and_samples_meet_every_document_once(self, make_store: MakeStore) -> None:
        documents, vectors, store = self.filled(make_store, 40)
        drawn = store.sample(15, seed=3)
        assert 0 < len(set(drawn.ids)) == len(drawn.ids) <= 15
        assert store.sample(15, seed=3).ids == drawn.ids
        assert_batch(drawn, drawn.ids, documents, vectors)
        if store.capabilities.scan:
            assert len(drawn.ids) == 15
            assert store.sample(15, seed=4).ids != drawn.ids
            assert scanned(store) == in_id_order(store.sample(1000, seed=3).ids) == ids_of(documents)

    @WAYS
    @pytest.mark.parametrize("count", [0, 1, 2])
    def test_few_documents_and_k_over_the_size(self, make_store: MakeStore, scans: bool, count: int) -> None:
        documents, vectors = corpus(self.make_id, 2, texts=["the same"] * 2)
        whole, ids = make_store(documents[:count], vectors[[0] * count]), ids_of(documents[:count])
        store = whole if scans else WithoutScan(whole)
        assert [in_id_order(nearest) for nearest in store.search(vectors, 50)[0]] == [ids] * 2
        found = over(store, {"A": vectors[0], "B": -vectors[0]}, k=50).search(parse(QUERY)).documents
        assert {one.id: one.score for one in found} == pytest.approx(dict.fromkeys(ids, 1.0), abs=1e-5)
        assert count or store.fetch([self.make_id(0)]).ids == store.sample(5, seed=0).ids == ()
        assert not whole.capabilities.scan or (whole.count(), scanned(whole)) == (count, ids)

    # Searches

    def test_a_filter_holds_and_never_adds(self, make_store: MakeStore) -> None:
        documents, vectors, store = self.filled(make_store, 30)
        filter, none, odd = self.equals("kind", "odd"), self.equals("kind", "x"), ids_of(documents[1::2])
        assert [in_id_order(ids) for ids in store.search(vectors[:2], 30, filter)[0]] == [odd] * 2
        assert store.search(vectors[:1], 30, none)[0] == [[]]
        if store.capabilities.scan:
            assert (scanned(store, filter), scanned(store, none)) == (odd, [])
        self.assert_true_answers(store, documents[1::2], vectors[1::2], filter)

    @WAYS
    def test_many_at_once_are_answered_as_one_by_one(self, make_store: MakeStore, scans: bool) -> None:
        _, vectors, store = self.filled(make_store, 40)
        retriever = over(store if scans else WithoutScan(store), terms(vectors), k=5)
        queries = [parse(text) for text in (QUERY, '"A" AND "B"', '("A" OR "B") AND NOT "C"')]
        alone = [[document.id for document in retriever.search(query).documents] for query in queries]
        with ThreadPoolExecutor(max_workers=8) as pool:
            results = list(pool.map(retriever.search, queries * self.questions))
        assert [[document.id for document in result.documents] for result in results] == alone * self.questions

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
        assert in_id_order(seen) in (ids_of(documents), ids_of([*documents[:5], *documents[6:]]))


def scanned(store: Store, filter: object = None) -> list[DocumentId]:
    """Sort the ids of a scan."""
    return in_id_order(id for batch in store.scan(filter) for id in batch.ids)


def assert_batch(
    batch: Batch | VectorBatch, ids: Sequence[DocumentId], documents: Sequence[StoredDocument], vectors: Vectors
) -> None:
    """Compare a batch with the documents of these ids. Vectors may come back scaled, and metadata may have more."""
    places = {document.id: row for row, document in enumerate(documents)}
    rows = [places[id] for id in ids]
    assert_keys(batch.ids, ids)
    assert_keys(batch.ids, [documents[row].id for row in rows])
    assert batch.vectors.shape == vectors[rows].shape
    assert np.diag(cosines(batch.vectors, vectors[rows])) == pytest.approx(1.0, abs=1e-5)
    for stored, document in zip([documents[row] for row in rows], getattr(batch, "documents", ()), strict=False):
        assert (document.text, document.metadata) == (stored.text, {**document.metadata, **stored.metadata})


def assert_keys(keys: Iterable[DocumentId], expected: Iterable[DocumentId]) -> None:
    """Compare keys, their types and their order."""
    assert [(key, type(key)) for key in keys] == [(key, type(key)) for key in expected]


def _holds(text: str, own: set[str], word: str) -> bool:
    """Return whether a text has exactly these characters, or one of their words, also of words joined by "_"."""
    words = {*tokenize(word), *tokenize(word.replace("_", " "))}
    return not words.isdisjoint(own) or (word.strip() != "" and word.casefold() in text.casefold())

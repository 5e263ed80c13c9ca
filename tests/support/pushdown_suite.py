"""The conformance suite of stores whose engine computes scores itself: they rank as this process does.

    class TestMyStore(PushdownSuite):
        @pytest.fixture
        def make_store(self):
            def make(documents, vectors):
                return MyStore(...)   # a new store with these documents, in which nothing else is
            return make

It is the fixture of :class:`~logical_retriever.testing.store_suite.StoreSuite`, with the same ``equals`` and ``ids``.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ClassVar

import numpy as np
import pytest
import searching

from logical_retriever.errors import VectorMismatchError
from logical_retriever.query import And, LogicalQuery, Not, Or, Term, parse
from logical_retriever.results import DocumentId, SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import Filter, InMemoryStore, Program, PushdownAnswer, PushdownStore, StoredDocument
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.testing.fakes import HashingEmbedder
from logical_retriever.testing.ranking_suite import MakeStore, Suite, WithoutScan, over
from logical_retriever.testing.samples import DIMENSION, corpus, ids_of, in_id_order
from logical_retriever.testing.store_suite import assert_keys
from logical_retriever.vectors import Vectors

LETTERS = ("a", "b", "c", "d")
HOSTILE = ("x' OR '1'='1", "'); DROP TABLE docs; --", "$1 %s %(a)s {a:String} :a", '\\ " ` \n', "a" * 10_000)
COUNT = 70
K = 8


find = partial(searching.find, semantics="calibrated", words=0.0)
"""Searches by vectors alone."""


class PushdownSuite(Suite):
    """Everything that is asked of a store whose engine computes scores; see the module.

    Attributes:
        trees: Generated queries.
        tolerance: How far scores may differ: what the store's vectors are rounded by.
    """

    trees: ClassVar[int] = 30
    tolerance: ClassVar[float] = 1e-4

    def corpus(self) -> tuple[list[StoredDocument], Vectors]:
        """Vectors of any length, one of zeros and two that are alike among them."""
        documents, vectors = corpus(self.make_id, COUNT)
        vectors[4] = 0.0
        vectors[9] = 2.0 * vectors[8]
        return documents, vectors

    def test_rankings_are_those_of_this_process(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        store, here = make_store(documents, vectors), InMemoryStore(documents, vectors)
        rng, by_engine = np.random.default_rng(7), 0
        for _ in range(self.trees):
            query = random_query(rng, leaves=5)
            found = find(query, store, letters(), k=K, fetch_k=2 * K)
            self.assert_same(found, find(query, here, letters(), k=COUNT), query)
            if found.cost.strategy == "engine":
                by_engine += 1
                assert found.cost.statement
                assert found.exact
        assert by_engine > self.trees // 3

    def test_every_value_of_an_explanation_is_there(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        query, given = parse('"a" AND NOT "b"'), letters()
        found = find(query, make_store(documents, vectors), given, k=K)
        here = {d.id: d for d in find(query, InMemoryStore(documents, vectors), given, k=COUNT).documents}
        for document in found.documents:
            expected = here[document.id]
            assert document.text == expected.text
            assert document.truth_values == pytest.approx(expected.truth_values, abs=self.tolerance)
            assert document.cosines == pytest.approx(expected.cosines, abs=self.tolerance)

    def test_filters_hold(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        store = make_store(documents, vectors)
        here = InMemoryStore(documents, vectors)
        query = parse('("a" OR "b") AND NOT "c"')
        found = find(query, store, letters(), k=K, filter=self.equals("kind", "odd"))
        all = find(query, here, letters(), k=COUNT, filter=lambda document: document.metadata["kind"] == "odd")
        self.assert_same(found, all, query)
        nothing = find(query, store, letters(), k=K, filter=self.equals("kind", "neither"))
        assert nothing.documents == ()

    def test_hostile_values_of_filters_find_nothing_and_change_nothing(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        store = make_store(documents, vectors)
        for text in HOSTILE:
            filter = self.equals("kind", text)
            assert find(parse('"a"'), store, letters(), k=K, filter=filter).documents == ()
        assert store.count() == COUNT

    def test_hostile_terms_are_texts(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        store, here = make_store(documents, vectors), InMemoryStore(documents, vectors)
        rng = np.random.default_rng(1)
        given = {text: rng.normal(size=DIMENSION).astype(np.float32) for text in HOSTILE}
        for text in HOSTILE:
            query = Term(text) & ~Term(HOSTILE[0] if text != HOSTILE[0] else HOSTILE[1])
            found = find(query, store, given, k=K)
            self.assert_same(found, find(query, here, given, k=COUNT), query)
            assert found.cost.statement is not None
            assert text not in found.cost.statement

    def test_more_are_wanted_than_there_are(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 3)
        query = parse('"a" AND NOT "b"')
        found = find(query, make_store(documents, vectors), letters(), k=50)
        assert len(found.documents) == 3
        self.assert_same(found, find(query, InMemoryStore(documents, vectors), letters(), k=50), query)

    def test_an_empty_store(self, make_store: MakeStore) -> None:
        vectors = np.empty((0, DIMENSION), np.float32)
        found = find(parse('"a" AND NOT "b"'), make_store([], vectors), letters())
        assert found.documents == ()

    def test_an_open_query(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        query = parse('NOT "a"')
        found = find(query, make_store(documents, vectors), letters(), k=K)
        self.assert_same(found, find(query, InMemoryStore(documents, vectors), letters(), k=COUNT), query)

    def test_lexical_evidence_is_added_to_the_best(self, make_store: MakeStore) -> None:
        embedder = HashingEmbedder(DIMENSION)
        texts = [f"{a} {b} tea" for a in ("green", "black", "white", "cold") for b in ("health", "brewing", "trade")]
        documents = [StoredDocument(self.make_id(i), t, {"kind": "x", "rank": i}) for i, t in enumerate(texts)]
        vectors = embedder.embed_documents(texts)
        there = LogicalRetriever(make_store(documents, vectors), embedder, k=4, exclusion="rank")
        here = LogicalRetriever(InMemoryStore(documents, vectors), embedder, k=4, exclusion="rank")
        question = "green tea, excluding brewing"
        transformation = there.transformer.transform(question)
        found, expected = there.search(transformation), here.search(transformation)
        assert [d.id for d in found.documents] == [d.id for d in expected.documents]
        assert [d.score for d in found.documents] == pytest.approx([d.score for d in expected.documents], abs=1e-3)
        assert found.cost.statement is not None
        assert found.cost.statement.splitlines()[0] in str(there.explain(question))

    def test_keys_come_back_as_they_are(self, make_store: MakeStore, id_type: str) -> None:
        documents, vectors = self.keyed(id_type)
        store = Recording(make_store(documents, vectors))
        here = InMemoryStore(documents, vectors)
        texts = {document.id: document.text for document in documents}
        for query in map(parse, ("a AND b", "a AND NOT b", "(a OR b) AND NOT c")):
            found = find(query, store, letters(), k=len(documents))
            self.assert_same(found, find(query, here, letters(), k=len(documents)), query)
            assert (found.exact, len(found.documents)) == (True, len(documents))
            assert [d.text for d in found.documents] == [texts[d.id] for d in found.documents]
            assert_keys(in_id_order(store.named), in_id_order(texts))
            assert_keys(store.fetch(store.named).ids, store.named)

    def test_equal_scores_are_in_the_order_of_keys(self, make_store: MakeStore, id_type: str) -> None:
        documents, vectors = self.keyed(id_type)
        store = make_store(documents, np.repeat(vectors[:1], len(documents), axis=0))
        for way in (store, WithoutScan(store)):
            for k in (len(documents) // 2, len(documents)):
                result = over(way, {"A": vectors[0], "B": vectors[1]}, k=k).search(parse('"A" AND NOT "B"'))
                ids = [document.id for document in result.documents]
                assert_keys(ids, ids_of(documents)[:k] if result.exact else in_id_order(ids))

    def test_what_the_engine_cannot_say_is_computed_here(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        store, query = make_store(documents, vectors), parse('"a" AND "b"')
        assert isinstance(store, PushdownStore)
        assert find(query, store, letters(), semantics="godel", words=None).cost.strategy == "nearest"

    def test_searches_from_eight_threads(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        store, given = make_store(documents, vectors), letters()
        texts = ['"a" AND NOT "b"', '"b" AND "c"', '"c" AND NOT "a"'] * 8

        def answer(text: str) -> list[DocumentId]:
            return [d.id for d in find(parse(text), store, given, k=K).documents]

        alone = [answer(text) for text in texts[:3]] * 8
        with ThreadPoolExecutor(max_workers=8) as pool:
            assert list(pool.map(answer, texts)) == alone

    def test_another_dimension_is_refused_and_the_connection_goes_on(self, make_store: MakeStore) -> None:
        documents, vectors = self.corpus()
        store, query = make_store(documents, vectors), parse('"a" AND NOT "b"')
        with pytest.raises(VectorMismatchError):
            find(query, store, {"a": [1.0, 2.0], "b": [2.0, 1.0]})
        assert len(find(query, store, letters(), k=K).documents) == K

    def assert_same(self, found: SearchResult, all: SearchResult, query: LogicalQuery) -> None:
        """Compare with every document's score: those of the best, place by place, and of each document."""
        true = {document.id: document.score for document in all.documents}
        scores = [document.score for document in found.documents]
        # Scores rather than ids: rounding may exchange neighbours.
        assert scores == pytest.approx(
            sorted(true.values(), reverse=True)[: len(scores)], rel=self.tolerance, abs=self.tolerance
        ), query
        assert len(scores) >= min(K, len(true))
        for document in found.documents:
            assert document.score == pytest.approx(true[document.id], rel=self.tolerance, abs=self.tolerance), query


class Recording(WrappedStore):
    """A store that remembers what its engine named last."""

    named: tuple[DocumentId, ...] = ()

    def rank(self, program: Program, n: int, filter: Filter = None) -> PushdownAnswer:
        """The store's answer, remembered."""
        answer = self.store.rank(program, n, filter)
        self.named = answer.ids
        return answer


def letters() -> dict[str, Vectors]:
    """Vectors of the terms, not of length 1."""
    rng = np.random.default_rng(3)
    return dict(zip(LETTERS, rng.normal(size=(len(LETTERS), DIMENSION)).astype(np.float32), strict=True))


def random_query(rng: np.random.Generator, leaves: int) -> LogicalQuery:
    """A tree of at most so many terms, any of them negated."""
    if leaves == 1 or rng.random() < 0.15:
        query: LogicalQuery = Term(str(rng.choice(LETTERS)))
    else:
        left = int(rng.integers(1, leaves))
        kind = And if rng.random() < 0.6 else Or
        query = kind((random_query(rng, left), random_query(rng, leaves - left)))
    return Not(query) if rng.random() < 0.25 else query
